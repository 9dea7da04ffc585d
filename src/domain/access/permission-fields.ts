import { Type } from 'typebox'
import type { Permission } from './permissions.ts'

/** Apart from the rest, since few screens of the page need titles and descriptions. */
export const Permissions = Type.Object(
  {
    admin: Type.Boolean({
      default: false,
      title: 'Administrator',
      description: 'Manages users and settings, and has every other permission.',
    }),
    execute: Type.Boolean({
      default: false,
      title: 'Run commands',
      description: 'Only the listed programs. As powerful as a shell on the server.',
    }),
    create: Type.Boolean({ default: true, title: 'Create', description: 'Files, folders, uploads' }),
    rename: Type.Boolean({ default: true, title: 'Rename and move' }),
    modify: Type.Boolean({ default: true, title: 'Edit', description: 'Save changes to text files' }),
    delete: Type.Boolean({ default: true, title: 'Delete' }),
    share: Type.Boolean({ default: true, title: 'Share', description: 'Links for people without an account' }),
    download: Type.Boolean({ default: true, title: 'Download', description: 'Required for sharing' }),
  } satisfies Record<Permission, unknown>,
  { title: 'Permissions' },
)
