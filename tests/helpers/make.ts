import { NO_PERMISSIONS, type Permissions } from '../../src/domain/access/permissions.ts'
import type { UserPatch } from '../../src/domain/accounts/user.ts'

/** A test account. Missing fields have the defaults for new users. */
export interface Account extends Omit<UserPatch, 'perm' | 'username' | 'password'> {
  readonly username: string
  readonly password: string
  readonly perm: Permissions
}

export type AccountFields = Omit<UserPatch, 'perm'> & { readonly perm?: Partial<Permissions> }

const EVERYDAY: Permissions = {
  ...NO_PERMISSIONS,
  create: true,
  rename: true,
  modify: true,
  delete: true,
  share: true,
  download: true,
}

/** Creates test accounts; pass only the fields that matter to the test. */
export const make = {
  /** "admin" with all permissions. */
  admin: ({ perm, ...fields }: AccountFields = {}): Account => ({
    username: 'admin',
    password: 'password of the admin',
    scope: '.',
    ...fields,
    perm: { ...EVERYDAY, admin: true, execute: true, ...perm },
  }),

  /** "bob", with all file permissions. */
  user: ({ perm, ...fields }: AccountFields = {}): Account => {
    const username = fields.username ?? 'bob'
    return { password: `password of ${username}`, scope: '/', ...fields, username, perm: { ...EVERYDAY, ...perm } }
  },
}
