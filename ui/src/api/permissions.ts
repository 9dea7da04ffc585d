import { NO_PERMISSIONS, type Permissions } from '../../../src/domain/access/permissions.ts'
import type { SharedWithMe } from '../../../src/domain/shares/grant.ts'
import { createStore, useStore } from '../lib/create-store.ts'
import { useFilesPath } from '../lib/navigation/navigation.tsx'
import { useUser } from './session.ts'

/** What others share with the user. Empty until the sidebar has asked for it. */
export const given = createStore<readonly Pick<SharedWithMe, 'path' | 'allows' | 'permissions'>[]>([])

/** The folder of all that is shared, or the part of a path that names one of it; "" for own files. */
export function placeOf(path: string): string {
  return /^\/\.filemgr-shared(\/[^/]+)?/.exec(path)?.[0] ?? ''
}

const NOTHING = { allows: 'view', permissions: NO_PERMISSIONS } as const

/** What the user may do with an own or shared path, and whether it may only be looked at in the browser. */
function useReach() {
  const own = useUser()?.perm ?? NO_PERMISSIONS
  const all = useStore(given)
  return (path = '') => {
    const place = placeOf(path)
    if (place === '') return { allows: 'edit', permissions: own }
    const { allows, permissions } = all.find((one) => one.path === place) ?? NOTHING
    return { allows, permissions: { ...NO_PERMISSIONS, ...permissions } }
  }
}

export function usePermissionsAt(): (path?: string) => Permissions {
  const reach = useReach()
  return (path) => reach(path).permissions
}

/** What the user may do with the open folder or file. */
export function usePermissions(): Permissions {
  return usePermissionsAt()(useFilesPath())
}

/** Whether what is open may only be looked at in the browser. */
export function useViewOnly(): boolean {
  return useReach()(useFilesPath()).allows === 'view'
}

/** Whether entries may be copied or moved from one path to another, or to any. Between two places, that is a copy and a removal. */
export function useMayTransfer(): (kind: 'copy' | 'move', from: string, to?: string) => boolean {
  const reach = useReach()
  const all = useStore(given)
  return (kind, from, to) => {
    const { allows, permissions } = reach(from)
    const mayLeave = allows !== 'view' && permissions.download && (kind === 'copy' || permissions.delete)
    return (to === undefined ? ['/', from, ...all.map(({ path }) => path)] : [to]).some((each) => {
      const { create, rename } = reach(each).permissions
      return placeOf(each) === placeOf(from) ? (kind === 'copy' ? create : rename) : mayLeave && create
    })
  }
}
