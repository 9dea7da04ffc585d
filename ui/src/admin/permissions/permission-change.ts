import { ALL_PERMISSIONS, type Permission, type Permissions } from '../../../../src/domain/permissions.ts'

/** Those that do not make somebody an administrator, in the order in which they are shown. */
export const PLAIN_PERMISSIONS = [
  'create',
  'rename',
  'modify',
  'delete',
  'download',
  'share',
  'execute',
] as const satisfies readonly Permission[]
export type PlainPermission = (typeof PLAIN_PERMISSIONS)[number]

/** The permissions after one was given or taken: administrators have all of them, and who shares also downloads. */
export function withPermission(perm: Permissions, name: Permission, on: boolean): Permissions {
  if (name === 'admin') return on ? ALL_PERMISSIONS : { ...perm, admin: false }
  const changed = { ...perm, [name]: on }
  if (name === 'share' && on) return { ...changed, download: true }
  if (name === 'download' && !on) return { ...changed, share: false }
  return changed
}

/** Whether another permission decides about this one, so that it cannot be changed by itself. */
export function isImplied(perm: Permissions, name: PlainPermission): boolean {
  return perm.admin || (name === 'download' && perm.share)
}
