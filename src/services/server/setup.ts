import { fail } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { ALL_PERMISSIONS } from '../../domain/access/permissions.ts'
import { defaultsOf } from '../../domain/schema/schema-tools.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import { Settings } from '../../domain/settings/settings.ts'
import type { User } from '../../domain/accounts/user.ts'
import type { Clock } from '../../platform/clock.ts'
import { ROOT } from '../../domain/files/virtual-path.ts'
import { createCommonPasswords } from '../../platform/security/common-passwords.ts'
import type { PasswordHasher } from '../../platform/security/password-hasher.ts'
import { compilePattern } from '../../platform/validation/pattern.ts'
import { type Random, systemRandom } from '../../platform/security/random.ts'
import { STORE_VERSION, type StoreDocument } from '../../store/document.ts'
import { draftAccount } from '../accounts/users/new-account.ts'
import { createPasswordPolicy, hashOf, type NewPassword, requireUsable } from '../accounts/auth/passwords.ts'

const PASSWORD_BYTES = 12
const KEY_BYTES = 64

export interface FirstAdministratorInput extends NewPassword {
  /** "admin" unless given. */
  readonly username?: string | undefined
  /** The defaults unless given. */
  readonly settings?: Settings
}

export interface FirstAdministratorDeps {
  readonly hasher: PasswordHasher
  readonly clock: Clock
  readonly random?: Random
}

export interface FirstAdministrator {
  readonly user: User
  /** Only if it was generated here, to show it once. */
  readonly generatedPassword?: string
}

/**
 * The first user: an administrator with all permissions who sees the whole served folder.
 *
 * @throws INVALID_INPUT when the name, the password or the hash cannot be used
 */
export async function firstAdministrator(
  { username = 'admin', password, passwordHash, settings = freshSettings() }: FirstAdministratorInput,
  { hasher, clock, random = systemRandom }: FirstAdministratorDeps,
): Promise<FirstAdministrator> {
  const policy = createPasswordPolicy({
    minimumLength: () => settings.minimumPasswordLength,
    isCommon: createCommonPasswords(),
  })
  const generated = password === undefined && passwordHash === undefined ? random.token(PASSWORD_BYTES) : undefined
  await requireUsable({ password, passwordHash }, { hasher, policy })
  const fields = { username, perm: ALL_PERMISSIONS, commands: [], scope: ROOT }
  const drafting = { compile: compilePattern, now: clock.now() }
  const { account } = draftAccount({ by: 'administrator', fields }, { settings }, drafting)
  const hash = await hashOf({ password: password ?? generated, passwordHash }, hasher)
  const user: User = {
    ...account,
    id: 1 as UserId,
    // Written as in File Browser, whose clients read it.
    scope: '.',
    passwordHash: hash ?? fail('INTERNAL', 'no password was made for the administrator'),
  }
  return generated === undefined ? { user } : { user, generatedPassword: generated }
}

/** The settings of a new instance, in all ways to create one. */
export function freshSettings(): Settings {
  return defaultsOf(Settings)
}

export interface InitialDocumentInput {
  readonly settings?: Settings
  /** Start-up values to save. */
  readonly server?: Partial<ServerOptions>
  /** No user unless given. */
  readonly admin?: User
  readonly random?: Random
}

/** The store of a new instance with its first user. */
export function initialDocument(input: InitialDocumentInput): StoreDocument {
  const { settings = freshSettings(), server = {}, admin, random = systemRandom } = input
  return {
    version: STORE_VERSION,
    settings,
    server,
    roots: [],
    users: admin === undefined ? [] : [admin],
    groups: [],
    shares: [],
    webhooks: [],
    reservedSlugs: [],
    grants: [],
    tokens: [],
    providers: [],
    nextUserId: ((admin?.id ?? 0) + 1) as UserId,
    secrets: { tokenKey: random.token(KEY_BYTES) },
  }
}
