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
  'files.replace': ['modify'],
  'files.save': ['modify'],
  'files.remove': ['delete'],
  'files.copy': ['create'],
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
  'shares.manageAll': ['admin'],
  'pictures.edit': ['download', 'create'],
  'previews.get': ['download'],
  'subtitles.get': ['download'],
  'terminal.run': ['execute'],
  'usage.get': [],
  'search.run': [],
  administration: ['admin'],
  'users.manage': ['admin'],
  'settings.manage': ['admin'],
  'backup.manage': ['admin'],
  'sessions.manage': ['admin'],
  'uploads.manage': ['admin'],
  'jobs.manage': ['admin'],
  'cache.manage': ['admin'],
  'quotas.manage': ['admin'],
} as const satisfies Record<string, readonly Permission[]>

export type Right = keyof typeof RIGHTS

/** All permissions that an operation needs. */
export function neededFor(right: Right): readonly Permission[] {
  return RIGHTS[right]
}

export function mayDo(permissions: Permissions, right: Right): boolean {
  return missingFor(permissions, right).length === 0
}

export function missingFor(permissions: Permissions, right: Right): readonly Permission[] {
  return neededFor(right).filter((permission) => !permissions[permission])
}

/** @throws FORBIDDEN; NOT_PERMITTED_HERE for reading content, for which old clients expect a different status */
export function requireRight(permissions: Permissions, right: Right): void {
  if (mayDo(permissions, right)) return
  fail(
    neededFor(right).every((permission) => permission === 'download') ? 'NOT_PERMITTED_HERE' : 'FORBIDDEN',
    'you do not have the permission for this',
  )
}
