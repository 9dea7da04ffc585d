import { fail } from '../errors.ts'

/** The eight permissions of a user, independent of each other: an admin without `create` cannot upload. */
export const PERMISSIONS = ['admin', 'execute', 'create', 'rename', 'modify', 'delete', 'share', 'download'] as const
export type Permission = (typeof PERMISSIONS)[number]

/** What a group can give, and what an account can be denied. Not `admin`: who administers the server is said by name. */
export const GROUP_PERMISSIONS = ['execute', 'create', 'rename', 'modify', 'delete', 'share', 'download'] as const
export type GroupPermission = (typeof GROUP_PERMISSIONS)[number]

export type Permissions = Record<Permission, boolean>

export const ALL_PERMISSIONS: Permissions = allSet(true)
export const NO_PERMISSIONS: Permissions = allSet(false)

function allSet(value: boolean): Permissions {
  return Object.fromEntries(PERMISSIONS.map((permission) => [permission, value])) as Permissions
}

/**
 * The only place that says which operation needs which permission.
 * Reading content is a right of its own wherever content can leak: in the JSON of a file, as a checksum, as raw bytes.
 */
const RIGHTS = {
  'files.list': [],
  'files.content': ['download'],
  'files.checksum': ['download'],
  'files.create': ['create'],
  'files.overwrite': ['create', 'modify'],
  'files.save': ['modify'],
  'files.remove': ['delete'],
  'files.copy': ['create'],
  /** At the source, if its content is readable at the target. */
  'files.take': ['download'],
  'files.rename': ['rename'],
  'trash.list': ['delete'],
  'trash.restore': ['create'],
  'trash.remove': ['delete'],
  'uploads.begin': ['create'],
  'downloads.raw': ['download'],
  'archives.read': ['download'],
  'archives.extract': ['download', 'create'],
  'archives.compress': ['download', 'create'],
  'shares.manage': ['share', 'download'],
  'pictures.edit': ['download', 'create'],
  'previews.get': ['download'],
  'subtitles.get': ['download'],
  'terminal.run': ['execute'],
} as const satisfies Record<string, readonly Permission[]>

/** What only administrators may do. Not in the table, which is part of the page. */
type AdministrativeRight =
  | 'administration'
  | 'backup.manage'
  | 'cache.manage'
  | 'jobs.manage'
  | 'quotas.manage'
  | 'sessions.manage'
  | 'settings.manage'
  | 'shares.manageAll'
  | 'uploads.manage'
  | 'users.manage'

export type Right = keyof typeof RIGHTS | AdministrativeRight

/** All permissions that an operation needs. */
export function neededFor(right: Right): readonly Permission[] {
  const needed: Partial<Record<Right, readonly Permission[]>> = RIGHTS
  return needed[right] ?? ['admin']
}

export function mayDo(permissions: Permissions, right: Right): boolean {
  return neededFor(right).every((permission) => permissions[permission])
}

export function missingFor(permissions: Permissions, right: Right): readonly Permission[] {
  return neededFor(right).filter((permission) => !permissions[permission])
}

/** What somebody may do at a path at most: what rules decide there, within the limits; elsewhere what they may do anyway. */
export function permissionsWith(
  otherwise: Permissions,
  most: Permissions,
  decided: Readonly<Partial<Record<Permission, { readonly has: boolean }>>>,
): Permissions {
  const changed = PERMISSIONS.flatMap((permission) => {
    const has = decided[permission]?.has
    return has === undefined ? [] : [[permission, has && most[permission]]]
  })
  return changed.length === 0 ? otherwise : { ...otherwise, ...(Object.fromEntries(changed) as Partial<Permissions>) }
}

export function isSame(one: Permissions, other: Permissions): boolean {
  return one === other || PERMISSIONS.every((permission) => one[permission] === other[permission])
}

/** @throws FORBIDDEN; NOT_PERMITTED_HERE for reading content, for which old clients expect a different status */
export function requireRight(permissions: Permissions, right: Right): void {
  if (mayDo(permissions, right)) return
  const isReading = right !== 'files.take' && neededFor(right).every((permission) => permission === 'download')
  fail(isReading ? 'NOT_PERMITTED_HERE' : 'FORBIDDEN', 'you do not have the permission for this')
}
