import type { Permission, Permissions } from '../../domain/permissions.ts'

const CHANGING: readonly Permission[] = ['create', 'rename', 'modify', 'delete', 'execute']

/** What a user may do on this server: one that is read-only takes away everything that changes files. */
export function effectivePermissions(permissions: Permissions, readOnly: boolean): Permissions {
  if (!readOnly) return permissions
  return { ...permissions, ...Object.fromEntries(CHANGING.map((permission) => [permission, false])) }
}
