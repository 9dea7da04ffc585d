import { NO_PERMISSIONS, type Permissions } from '../../../src/domain/access/permissions.ts'
import type { SharedWithMe } from '../../../src/domain/shares/grant.ts'
import { createStore, useStore } from '../lib/create-store.ts'
import { useFilesPath } from '../lib/navigation/navigation.tsx'
import { ruled } from './ruled.ts'
import { useUser } from './session.ts'

/** What others share with the user. Empty until the sidebar has asked for it. */
export const given = createStore<readonly Pick<SharedWithMe, 'path' | 'allows' | 'permissions'>[]>([])

/** What gives the user the open folder or file, if it is shared by somebody else. */
function useGiven() {
  const path = useFilesPath()
  const all = useStore(given)
  if (path?.startsWith('/.filemgr-shared/') !== true) return undefined
  return all.find((one) => `${path}/`.startsWith(`${one.path}/`)) ?? { allows: 'view', permissions: NO_PERMISSIONS }
}

/** What the user may do with the open folder or file. */
export function usePermissions(): Permissions {
  const own = useUser()?.perm ?? NO_PERMISSIONS
  const shared = useGiven()
  const path = useFilesPath()?.replace(/(.)\/$/, '$1') ?? ''
  const here = useStore(ruled, (all) => all[path]) ?? shared?.permissions
  return here === undefined ? own : { ...NO_PERMISSIONS, ...here }
}

/** Whether what is open may only be looked at in the browser. */
export function useViewOnly(): boolean {
  return useGiven()?.allows === 'view'
}
