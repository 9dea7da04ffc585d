import { Type, type Static } from 'typebox'

/** The eight permissions of a user, independent of each other: an admin without `create` cannot upload. */
export const PERMISSIONS = ['admin', 'execute', 'create', 'rename', 'modify', 'delete', 'share', 'download'] as const
export type Permission = (typeof PERMISSIONS)[number]

export const Permissions = Type.Object(
  {
    admin: Type.Boolean({ default: false, title: 'Administrator', description: 'May manage users and settings' }),
    execute: Type.Boolean({ default: false, title: 'Execute commands', description: 'Amounts to a shell on the host' }),
    create: Type.Boolean({ default: true, title: 'Create files and folders' }),
    rename: Type.Boolean({ default: true, title: 'Rename or move files and folders' }),
    modify: Type.Boolean({ default: true, title: 'Edit files' }),
    delete: Type.Boolean({ default: true, title: 'Delete files and folders' }),
    share: Type.Boolean({ default: true, title: 'Share files', description: 'Requires the permission to download' }),
    download: Type.Boolean({ default: true, title: 'Download' }),
  },
  { title: 'Permissions' },
)
export type Permissions = Static<typeof Permissions>

export const ALL_PERMISSIONS: Permissions = allSet(true)
export const NO_PERMISSIONS: Permissions = allSet(false)

function allSet(value: boolean): Permissions {
  return Object.fromEntries(PERMISSIONS.map((permission) => [permission, value])) as Permissions
}
