import { NO_PERMISSIONS, type Permissions } from '../../src/domain/access/permissions.ts'
import type { UserPatch } from '../../src/domain/accounts/user.ts'

/** An account of a test. What is not given is as in the defaults for new users. */
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

/** Accounts for tests: say only what the test is about. */
export const make = {
  /** "admin" with all permissions. */
  admin: ({ perm, ...fields }: AccountFields = {}): Account => ({
    username: 'admin',
    password: 'password of the admin',
    scope: '.',
    ...fields,
    perm: { ...EVERYDAY, admin: true, execute: true, ...perm },
  }),

  /** "bob", who may do everything with files. */
  user: ({ perm, ...fields }: AccountFields = {}): Account => {
    const username = fields.username ?? 'bob'
    return { password: `password of ${username}`, scope: '/', ...fields, username, perm: { ...EVERYDAY, ...perm } }
  },
}
