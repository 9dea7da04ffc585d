import { describe, expect, it } from 'vitest'
import type { GroupSummary } from '../../../../src/domain/accounts/group.ts'
import { type GivenPlace, NO_ROOT } from '../../../../src/domain/accounts/place.ts'
import type { UserView } from '../../../../src/domain/accounts/user.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { RootId } from '../../../../src/domain/ids.ts'
import { FILES_ROOT, type RootView } from '../../../../src/domain/server/root.ts'
import { seenFolders } from '../../../../ui/src/admin/forms/seen-folders.ts'

const PHOTOS = 'photos' as RootId
const ROOTS = [
  { id: FILES_ROOT, name: 'files' },
  { id: PHOTOS, name: 'Photos' },
] as RootView[]
const path = (text: string) => text as VirtualPath
const place = (root: RootId, scope: string): GivenPlace => ({ root, scope, name: '', rules: [], permissionRules: [] })

function seenBy(user: object, groups: readonly object[] = []) {
  return seenFolders({ scope: '/', ...user } as UserView, groups as GroupSummary[], ROOTS)
}

describe('an administrator with one folder', () => {
  it('sees the folders in it where its scope begins', () => {
    const seen = seenBy({ scope: '/team' })
    expect(seen.pathOf(FILES_ROOT, '/team')).toBe('/')
    expect(seen.pathOf(FILES_ROOT, '/team/a/b')).toBe('/a/b')
    expect(seen.scopeOf(FILES_ROOT, path('/'))).toBe('/team')
    expect(seen.scopeOf(FILES_ROOT, path('/a/b'))).toBe('/team/a/b')
    expect(seenBy({}).pathOf(FILES_ROOT, 'team/a/')).toBe('/team/a')
  })

  it('sees nothing beside it, and no other root', () => {
    const seen = seenBy({ scope: '/team' })
    for (const scope of ['/', '/teamwork', '/team/../other']) expect(seen.pathOf(FILES_ROOT, scope)).toBeUndefined()
    expect(seen.sees(PHOTOS)).toBe(false)
    expect(seenBy({}).pathOf(PHOTOS, '/')).toBeUndefined()
  })
})

describe('an administrator with several places', () => {
  const groups = [
    { id: 'g', places: [place(PHOTOS, '/2024')] },
    { id: 'other', places: [place(PHOTOS, '/')] },
  ]
  const seen = seenBy({ groups: [{ id: 'g', name: 'G' }] }, groups)

  it('sees each below its name', () => {
    expect(seen.pathOf(FILES_ROOT, '/a')).toBe('/Home/a')
    expect(seen.pathOf(PHOTOS, '/2024/may')).toBe('/Photos/may')
    expect(seen.pathOf(PHOTOS, '/2023')).toBeUndefined()
  })

  it('can choose folders of the root that is asked for', () => {
    expect(seen.scopeOf(PHOTOS, path('/Photos/may'))).toBe('/2024/may')
    expect(seen.scopeOf(PHOTOS, path('/Home/a'))).toBeUndefined()
    expect(seen.scopeOf(PHOTOS, path('/'))).toBeUndefined()
  })
})

it('an administrator without any folder sees none', () => {
  expect(seenBy({ root: NO_ROOT }).sees(FILES_ROOT)).toBe(false)
})
