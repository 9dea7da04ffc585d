import { describe, expect, it } from 'vitest'
import { ALL_PERMISSIONS, NO_PERMISSIONS } from '../../../../src/domain/access/permissions.ts'
import type { PlaceView } from '../../../../src/domain/accounts/place.ts'
import { parseVirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { GRANT_KINDS, type GrantKind, permissionsOfGrant } from '../../../../src/domain/shares/grant.ts'
import { permissionsAt, transfersBy } from '../../../../ui/src/api/permissions.ts'
import type { FileItem } from '../../../../ui/src/files/actions/model.ts'
import { selectionActions, type UsedActions } from '../../../../ui/src/files/actions/menus/selection-actions.ts'

const TOP = '/.filemgr-shared/album (anna)'

/** What bob sees of something that anna, who may do everything, shares like this. */
const given = (allows: GrantKind, isDir = true) => {
  const { create, rename, modify, delete: remove, download } = permissionsOfGrant(allows, ALL_PERMISSIONS)
  const permissions = { create, rename, modify, delete: remove, download }
  return [{ path: TOP, owner: 'anna', allows, isDir, permissions }]
}

/** The actions that menus, toolbar, keys and palette offer for one file. */
const offered = (path: string, allows: GrantKind, isDir = true, own = ALL_PERMISSIONS): string[] => {
  const item: FileItem = { path: parseVirtualPath(path), isDir: false, type: 'text', size: 1, modified: '' }
  const listed = {
    open: () => undefined,
    look: undefined,
    edit: undefined,
    rename: () => true,
    beforeDelete: () => undefined,
    at: item,
    other: parseVirtualPath('/other'),
    focused: undefined,
  }
  const target = { folder: parseVirtualPath(TOP), count: 1, items: () => [item], all: false, listed }
  const all = given(allows, isDir)
  const permissions = permissionsAt(path, { own, given: all })
  const mayTransfer = transfersBy({ own, given: all })
  const actions = selectionActions({} as UsedActions, target, {
    t: (id) => id,
    permissions,
    clipboard: null,
    mayTransfer,
  })
  return actions.flatMap(({ id, run }) => (run === undefined ? [] : [id]))
}

const FILE = `${TOP}/a.zip`

/** Into the own files. */
const COPIES = ['copy', 'copyOver', 'copyTo']

describe('what the page offers for what others share', () => {
  it('is what the kind gives, whatever the user may do with own files', () => {
    const looks = ['open', 'details']
    for (const own of [ALL_PERMISSIONS, NO_PERMISSIONS]) {
      expect(offered(FILE, 'view', true, own)).toEqual(looks)
      const copies = own.create ? COPIES : []
      expect(offered(FILE, 'download', true, own)).toEqual(['open', 'download', ...copies, 'details'])
      const edit = offered(FILE, 'edit', true, own)
      for (const id of ['download', 'rename', 'cut', 'moveTo', 'extract', 'compress', 'delete', 'deleteForever'])
        expect(edit).toContain(id)
      expect(edit).not.toContain('share')
    }
  })

  it('keeps a file that is shared alone where it is', () => {
    expect(offered(TOP, 'edit', false)).toEqual(['open', 'download', ...COPIES, 'details'])
    expect(permissionsAt(TOP, { own: ALL_PERMISSIONS, given: given('edit', false) })).toMatchObject({
      modify: true,
      read: true,
    })
  })

  it('tells reading from taking away, and uploading from making', () => {
    const may = Object.fromEntries(
      GRANT_KINDS.map((kind) => {
        const { read, download, create, make } = permissionsAt(FILE, { own: ALL_PERMISSIONS, given: given(kind) })
        return [kind, { read, download, create, make }]
      }),
    )
    expect(may).toEqual({
      view: { read: true, download: false, create: false, make: false },
      download: { read: true, download: true, create: false, make: false },
      edit: { read: true, download: true, create: true, make: true },
      upload: { read: false, download: false, create: true, make: false },
    })
  })

  it('is nothing but reading while nobody knows, and for what is shared no longer', () => {
    for (const all of [undefined, [], given('edit')])
      expect(permissionsAt('/.filemgr-shared/album (cleo)/a', { own: ALL_PERMISSIONS, given: all })).toEqual({
        ...NO_PERMISSIONS,
        read: true,
        make: false,
      })
    expect(permissionsAt('/album (anna)/a', { own: NO_PERMISSIONS, given: given('edit') })).toMatchObject({
      read: false,
      make: false,
    })
  })

  it('is what rules permit there or, until it is opened, in its folder', () => {
    const looks = { create: false, rename: false, modify: false, delete: false, share: false, download: true }
    const rules = { '/place': looks, '/place/own': undefined, [TOP]: looks }
    const at = (path: string) => permissionsAt(path, { own: ALL_PERMISSIONS, given: given('edit'), rules })
    for (const path of ['/place', '/place/', '/place/a.txt', TOP, FILE])
      expect([path, at(path)]).toMatchObject([path, { ...looks, read: true, make: false }])
    for (const path of ['/', '/a.txt', '/place/own', '/place/own/b.txt'])
      expect([path, at(path)]).toEqual([path, { ...ALL_PERMISSIONS, read: true, make: true }])
    expect(at('/place')).toMatchObject({ admin: true, execute: true })
  })
})

describe('what the page offers in one of several places', () => {
  const NOTHING = { download: false, create: false, modify: false, rename: false, delete: false, share: false }
  const EVERYTHING = { download: true, create: true, modify: true, rename: true, delete: true, share: true }
  const place = (path: string, permissions: PlaceView['permissions']): PlaceView => ({
    name: path.slice(1),
    path,
    kind: 'folder',
    isOwn: false,
    state: 'here',
    readOnly: false,
    permissions,
  })
  const places = [
    place('/Home', EVERYTHING),
    place('/Photos', { ...NOTHING, download: true, create: true }),
    place('/Archive', { ...NOTHING, download: true }),
  ]
  const rights = { own: ALL_PERMISSIONS, places }

  it('is what the user has there, and only looking in the list of them', () => {
    expect(permissionsAt('/', rights)).toMatchObject({ ...NOTHING, read: true, make: false, admin: true })
    expect(permissionsAt('/Photos/2024/a.jpg', rights)).toMatchObject({ create: true, modify: false, delete: false })
    expect(permissionsAt('/Archive/', rights)).toMatchObject({ download: true, create: false })
    const less = { own: NO_PERMISSIONS, places }
    expect(permissionsAt('/Home/a.txt', less)).toMatchObject({ ...EVERYTHING, admin: false })
  })

  it('is what the server says of an opened place, and not what it says of the list', () => {
    const rules = { '/': NOTHING, '/Photos': { ...EVERYTHING, share: false } }
    expect(permissionsAt('/Home', { ...rights, rules })).toMatchObject(EVERYTHING)
    expect(permissionsAt('/Photos/', { ...rights, rules })).toMatchObject({ modify: true, share: false })
  })

  it('lets entries go to another place if they may leave theirs, and stay there', () => {
    const may = transfersBy(rights)
    expect(may('move', '/Home/a.txt', '/Photos')).toBe(true)
    expect(may('move', '/Home/a.txt', '/Home/b')).toBe(true)
    expect(may('copy', '/Photos/a.jpg', '/Home')).toBe(true)
    expect(may('move', '/Photos/a.jpg', '/Home')).toBe(false)
    expect(may('move', '/Photos/a.jpg', '/Photos/2024')).toBe(false)
    expect(may('copy', '/Home/a.txt', '/Archive')).toBe(false)
    expect(may('copy', '/Home/a.txt', '/')).toBe(false)
    expect([may('copy', '/Archive/a'), may('move', '/Archive/a')]).toEqual([true, false])
  })
})
