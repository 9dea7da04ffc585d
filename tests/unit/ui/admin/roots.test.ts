import { expect, it } from 'vitest'
import { PATH_PERMISSIONS } from '../../../../src/domain/access/rule.ts'
import type { GivenPlace } from '../../../../src/domain/accounts/place.ts'
import type { GroupId, RootId, UserId } from '../../../../src/domain/ids.ts'
import { FILES_ROOT, type RootView } from '../../../../src/domain/server/root.ts'
import { permissionsOf, setOf, withPermissions } from '../../../../ui/src/admin/places/place-model.ts'
import { changeOf, draftOf } from '../../../../ui/src/admin/roots/root-draft.ts'
import { holdersOf } from '../../../../ui/src/admin/roots/root-holders.ts'

const PHOTOS = 'photos' as RootId
const place = (scope: string): GivenPlace => ({ root: PHOTOS, scope, name: '', rules: [], permissionRules: [] })

it('common sets of permissions have names', () => {
  for (const set of ['account', 'view', 'download', 'create', 'all'] as const)
    expect(setOf(permissionsOf(set, undefined))).toBe(set)
  expect(setOf([...PATH_PERMISSIONS].reverse())).toBe('all')
  expect(setOf(['share', 'download'])).toBe('chosen')
  expect(permissionsOf('chosen', ['download', 'create'])).toEqual(['download', 'create'])
  expect(permissionsOf('chosen', undefined)).toEqual(['download'])
})

it('a place without permissions of its own has none in its record', () => {
  const given = withPermissions(place('/'), [])
  expect(given.permissions).toEqual([])
  expect(withPermissions(given, undefined)).toEqual(place('/'))
})

it('a new root sends all values, a changed one only what differs', () => {
  const draft = { ...draftOf(undefined), name: ' Photos ', location: ' /srv/photos ' }
  const values = changeOf(draft, undefined)
  expect(values).toMatchObject({ name: 'Photos', location: '/srv/photos', trashDays: 30, hidden: [], warnAway: true })
  const root = { ...values, id: PHOTOS } as RootView
  expect(changeOf(draftOf(root), root)).toEqual({})
  expect(changeOf({ ...draftOf(root), readOnly: true, hidden: ['*.tmp'] }, root)).toEqual({
    readOnly: true,
    hidden: ['*.tmp'],
  })
})

it('a bucket may be typed without its scheme', () => {
  const typed = { ...draftOf(undefined), kind: 'bucket', name: 'Old' } as const
  expect(changeOf({ ...typed, location: 'old/2019' }, undefined).location).toBe('s3://old/2019')
  expect(changeOf({ ...typed, location: 's3://old/2019' }, undefined).location).toBe('s3://old/2019')
})

it('those who were given a folder of a root come before those who live in it', () => {
  const users = [
    { id: 1 as UserId, username: 'admin', scope: '/' },
    { id: 2 as UserId, username: 'anna', root: PHOTOS, scope: '/anna', places: [place('/2024')] },
  ]
  const groups = [{ id: 'g' as GroupId, name: 'Crew', places: [place('/')] }]
  expect(holdersOf(PHOTOS, users, groups).map(({ receiver: { name }, scope }) => [name, scope])).toEqual([
    ['Crew', '/'],
    ['anna', '/2024'],
    ['anna', '/anna'],
  ])
  expect(holdersOf(FILES_ROOT, users, groups).map(({ receiver: { name } }) => name)).toEqual(['admin'])
})
