import { useCallback, useMemo } from 'react'
import { NO_PERMISSIONS, type Permissions } from '../../../src/domain/access/permissions.ts'
import type { PathPermission } from '../../../src/domain/access/rule.ts'
import type { PlaceView } from '../../../src/domain/accounts/place.ts'
import type { SharedWithMe } from '../../../src/domain/shares/grant.ts'
import { isSharedPath } from '../../../src/domain/shares/shared-folder.ts'
import { createStore, useStore } from '../lib/create-store.ts'
import { useFilesPath } from '../lib/navigation/navigation.tsx'
import { isPlace, placeOfPath, placePathOf, places } from './places.ts'
import { type Ruled, ruled, ruledAt } from './ruled.ts'
import { useUser } from './session.ts'

type Given = Pick<SharedWithMe, 'path' | 'owner' | 'allows' | 'isDir' | 'permissions'>

/** What others share with the user. Undefined until the sidebar has asked for it. */
export const given = createStore<readonly Given[] | undefined>(undefined)

/** What the user may do with one file, or in one folder. */
export interface PlacePermissions extends Permissions {
  /** To see content in the page; `download` is to take it away. */
  readonly read: boolean
  /** To make folders and empty files; `create` is to upload. */
  readonly make: boolean
}

/** What others share with the user that a path is in; null for nothing, undefined for other paths and while it is unknown. */
function givenAt(path: string, all: readonly Given[] | undefined): Given | null | undefined {
  if (all === undefined || !isSharedPath(path)) return undefined
  return all.find((one) => `${path}/`.startsWith(`${one.path}/`)) ?? null
}

/** What decides over what the user may do. */
export interface Rights {
  readonly own: Permissions
  readonly given?: readonly Given[] | undefined
  readonly places?: readonly PlaceView[] | undefined
  readonly rules?: Ruled | undefined
}

/** The only place that says what the page offers for a path: by what the user has there, whosever files they are. */
export function permissionsAt(
  path: string,
  { own, given: all, places: several, rules = {} }: Rights,
): PlacePermissions {
  const byRules = ruledAt(path, rules, isPlace(path, several))
  if (!isSharedPath(path)) {
    // The list of places is only to look at.
    if (path === '/' && several !== undefined)
      return { ...NO_PERMISSIONS, admin: own.admin, execute: own.execute, read: true, make: false }
    const here = { ...own, ...placeOfPath(path, several)?.permissions, ...byRules }
    return { ...here, read: here.download, make: here.create }
  }
  const one = givenAt(path, all)
  // Whether it can be read, the server says.
  if (one == null) return { ...NO_PERMISSIONS, read: true, make: false }
  const { download: read, ...changes } = { ...one.permissions, ...byRules }
  // What is shared stays where it is, and nothing can be put beside it.
  if (path === one.path && !one.isDir) Object.assign(changes, { create: false, rename: false, delete: false })
  const download = read && one.allows !== 'view'
  return { ...NO_PERMISSIONS, ...changes, read, download, make: changes.create && one.allows !== 'upload' }
}

/** What the user may do in at least one place. */
function anywhere(own: Permissions, several: Rights['places']): Permissions {
  const all = several?.map(({ permissions }) => permissions) ?? []
  const may = (permission: string): boolean => all.some((each) => each[permission as PathPermission])
  return { ...own, ...Object.fromEntries(Object.keys(all[0] ?? {}).map((permission) => [permission, may(permission)])) }
}

/** Outside of React. */
export function rightsNow(own: Permissions = NO_PERMISSIONS): Rights {
  return { own, given: given.get(), places: places.get() }
}

function useRights(): Rights {
  const own = useUser()?.perm ?? NO_PERMISSIONS
  const all = useStore(given)
  const several = useStore(places)
  const rules = useStore(ruled)
  return useMemo(() => ({ own, given: all, places: several, rules }), [own, all, several, rules])
}

/** `permissionsAt` for the current user. */
export function usePermissionsAt(): (path: string) => PlacePermissions {
  const rights = useRights()
  return useCallback((path: string) => permissionsAt(path, rights), [rights])
}

/** What the user may do in at least one folder, as far as no rule decides. */
export function usePermissionsAnywhere(): Permissions {
  const { own, places: several } = useRights()
  return anywhere(own, several)
}

/** The part of a path that names a place, what is shared, or the folder of all of that; "" for the only place. */
export function placeOf(path: string, several = places.get()): string {
  return /^\/\.filemgr-shared(\/[^/]+)?/.exec(path)?.[0] ?? placePathOf(path, several) ?? ''
}

/** Whether entries may be copied or moved from one path to another, or to any. */
export type MayTransfer = (kind: 'copy' | 'move', from: string, to?: string) => boolean

/** Between two places, a move is a copy and a removal. */
export function transfersBy({ own, given: all = [], places: several }: Rights): MayTransfer {
  const rights = { own, given: all, places: several }
  return (kind, from, to) => {
    const here = permissionsAt(from, rights)
    const mayLeave = here.download && (kind === 'copy' || here.delete)
    const targets = to === undefined ? ['/', from, ...[...all, ...(several ?? [])].map(({ path }) => path)] : [to]
    return targets.some((target) => {
      const { create, rename } = permissionsAt(target, rights)
      return placeOf(target, several) === placeOf(from, several)
        ? kind === 'copy'
          ? create
          : rename
        : mayLeave && create
    })
  }
}

/** `transfersBy` for the current user. */
export function useMayTransfer(): MayTransfer {
  const { own, given: all, places: several } = useRights()
  return useMemo(() => transfersBy({ own, given: all, places: several }), [own, all, several])
}

/** What the user may do with the open folder or file. */
export function usePermissions(): PlacePermissions {
  return usePermissionsAt()(useFilesPath() ?? '/')
}

/** Who shares a path with the user. Undefined for other paths. */
export function sharerOf(path: string): string | undefined {
  return givenAt(path, given.get())?.owner
}

/** Whether the address is of something that is not shared with the user, or no longer. */
export function useIsUnshared(): boolean {
  return givenAt(useFilesPath() ?? '/', useStore(given)) === null
}
