import { describe, expect, it } from 'vitest'
import { ALL_PERMISSIONS, NO_PERMISSIONS } from '../../../../src/domain/access/permissions.ts'
import { defaultsOf } from '../../../../src/domain/schema/schema-tools.ts'
import type { SessionView } from '../../../../src/domain/accounts/session.ts'
import { isSensitive, UserDefaults, type UserView } from '../../../../src/domain/accounts/user.ts'
import {
  draftOf,
  draftProblems,
  homeChange,
  newDraft,
  permissionChange,
  recordOf,
  USER_FIELDS,
} from '../../../../ui/src/admin/users/form/user-draft.ts'
import { changedFields } from '../../../../ui/src/admin/forms/form-model.ts'
import { findRows, userRows } from '../../../../ui/src/admin/users/list/use-user-columns.tsx'
import { isImplied, withPermission } from '../../../../ui/src/admin/forms/permission-fields.tsx'

const DEFAULTS = defaultsOf(UserDefaults)

function userOf(id: number, username: string, more: Partial<UserView> = {}): UserView {
  return {
    ...DEFAULTS,
    id: id as UserView['id'],
    username,
    password: '',
    lockPassword: false,
    rules: [],
    sorting: { by: 'name', asc: false },
    ...more,
  }
}

describe('permissions in a form', () => {
  it('of an administrator are all set, and stay set without that role', () => {
    const all = withPermission(NO_PERMISSIONS, 'admin', true)
    expect(all).toEqual(ALL_PERMISSIONS)
    expect(isImplied(all, 'create')).toBe(true)
    expect(withPermission(all, 'admin', false)).toEqual({ ...ALL_PERMISSIONS, admin: false })
  })

  it('to share and to download are linked', () => {
    const shares = withPermission(NO_PERMISSIONS, 'share', true)
    expect(shares).toEqual({ ...NO_PERMISSIONS, share: true, download: true })
    expect(isImplied(shares, 'download')).toBe(true)
    expect(withPermission(shares, 'download', false)).toEqual(NO_PERMISSIONS)
    expect(withPermission(NO_PERMISSIONS, 'download', true)).toEqual({ ...NO_PERMISSIONS, download: true })
  })

  it('of an administrator remove the password lock', () => {
    expect(permissionChange(ALL_PERMISSIONS)).toEqual({ perm: ALL_PERMISSIONS, lockPassword: false })
    expect(permissionChange(NO_PERMISSIONS)).toEqual({ perm: NO_PERMISSIONS })
  })
})

describe('the draft of a user', () => {
  const bob = userOf(2, 'bob', { commands: ['git', 'svn'], favourites: ['/a'], scope: '/bob' })

  it('knows which fields have changed, and which of them need the password', () => {
    const saved = draftOf(bob)
    const changesTo = (draft: typeof saved) =>
      changedFields(USER_FIELDS, { draft: saved }, { draft }).map(({ key }) => key)
    expect(changesTo({ ...saved })).toEqual([])
    const changed = changesTo({ ...saved, locale: 'de', rules: [...bob.rules] })
    expect(changed).toEqual(['locale'])
    expect(isSensitive(changed)).toBe(false)
    expect(isSensitive(['locale', 'scope'])).toBe(true)
    expect(isSensitive(['lockPassword'])).toBe(true)
    expect(isSensitive(['rules'])).toBe(true)
  })

  it('has a form field for each of its own', () => {
    const names = USER_FIELDS.map(({ key }) => key)
    for (const draft of [draftOf(bob), newDraft(DEFAULTS, true)]) {
      expect(names).toEqual(expect.arrayContaining(Object.keys(draft)))
    }
  })

  it('becomes the record of the API: commands as a list, without the folders of the user', () => {
    const saved = draftOf(bob)
    expect(saved.commands).toBe('git svn')
    expect(recordOf({ ...saved, username: ' bob ', commands: '  git   hg ' })).toEqual({
      ...recordOf(saved),
      commands: ['git', 'hg'],
    })
    expect(recordOf({ ...saved, commands: ' ' })).toMatchObject({ commands: [], username: 'bob' })
    expect(Object.keys(recordOf(saved))).not.toContain('favourites')
    expect(Object.keys(recordOf(saved))).not.toContain('createUserDir')
  })

  it('of a new user starts with the defaults; a home folder replaces the scope', () => {
    const defaults = { ...DEFAULTS, scope: '/team', commands: ['ls'] }
    const plain = newDraft(defaults, false)
    expect(plain).toMatchObject({ scope: '/team', commands: 'ls', sorting: { by: 'name' }, createUserDir: false })
    expect(newDraft(defaults, true)).toMatchObject({ scope: '', createUserDir: true })
    expect(homeChange(true, '/team')).toEqual({ scope: '', createUserDir: true })
    expect(homeChange(false, '/team')).toEqual({ scope: '/team', createUserDir: false })
    expect(recordOf({ ...plain, ...homeChange(true, '/team') })).toMatchObject({ scope: '', createUserDir: true })
  })

  it('is validated before it is sent: name, password and folder', () => {
    const draft = newDraft(DEFAULTS, false)
    const checks = { isNew: true, minimumPasswordLength: 12 }
    expect([...draftProblems({ ...draft, username: ' ', scope: ' ' }, checks)]).toEqual([
      ['username', 'nameEmpty'],
      ['password', 'passwordEmpty'],
      ['scope', 'scopeEmpty'],
    ])
    const good = { ...draft, username: 'eve', password: 'éééééé' }
    expect(draftProblems(good, checks).size).toBe(0)
    expect(draftProblems({ ...good, password: 'short' }, checks).get('password')).toBe('passwordShort')
    expect(draftProblems({ ...good, password: '' }, { ...checks, isNew: false }).size).toBe(0)
    expect(draftProblems({ ...good, scope: '', createUserDir: true }, checks).size).toBe(0)
  })
})

describe('the rows of the user list', () => {
  const device = (userId: number, lastSeenAt: string): SessionView => ({
    id: `family-of-${lastSeenAt}` as SessionView['id'],
    userId: userId as SessionView['userId'],
    username: '',
    current: false,
    method: 'json',
    signedInAt: lastSeenAt,
    expiresAt: lastSeenAt,
    address: '',
    userAgent: '',
    lastSeenAt,
  })
  const sessions = [device(2, '2026-01-01T00:00:00Z'), device(2, '2026-02-01T00:00:00Z')]
  const rows = userRows([userOf(1, 'Ádám', { scope: '/' }), userOf(2, 'bob', { scope: '/Team/bob' })], sessions, 1)

  it('show where users are signed in and when they were last active', () => {
    expect(userRows([userOf(1, 'ann')], undefined, 1)).toMatchObject([{ devices: undefined, lastSeen: undefined }])
    expect(rows.map(({ devices, isSelf }) => [devices?.length, isSelf])).toEqual([
      [0, true],
      [2, false],
    ])
    expect(rows[0]?.lastSeen).toBeUndefined()
    const [signedOut] = userRows([userOf(3, 'eve', { lastSeenAt: '2026-01-01T00:00:00.000Z' })], sessions, 1)
    expect(signedOut?.lastSeen?.toISOString()).toBe('2026-01-01T00:00:00.000Z')
    expect(rows[1]?.lastSeen?.toISOString()).toBe('2026-02-01T00:00:00.000Z')
  })

  it('are found by all words in name and scope, ignoring case and accents', () => {
    const found = (typed: string) => findRows(rows, typed).map(({ user }) => user.username)
    expect(found('')).toEqual(['Ádám', 'bob'])
    expect(found('adam')).toEqual(['Ádám'])
    expect(found('team B')).toEqual(['bob'])
    expect(found('team adam')).toEqual([])
  })
})
