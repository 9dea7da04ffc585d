import { fail } from '../../domain/errors.ts'
import type { PasswordHasher } from '../../platform/password-hasher.ts'
import type { PasswordPolicy } from './password-policy.ts'

/** A password in clear text, or the hash of one that was chosen elsewhere. */
export interface NewPassword {
  readonly password?: string | undefined
  readonly passwordHash?: string | undefined
}

export interface NewPasswordDeps {
  readonly hasher: PasswordHasher
  readonly policy: PasswordPolicy
}

/** @throws INVALID_INPUT when the policy or the shape of the hash says no; nothing is worked out yet */
export async function requireUsable(
  { password, passwordHash }: NewPassword,
  { hasher, policy }: NewPasswordDeps,
): Promise<void> {
  if (password !== undefined) await policy.require(password)
  if (passwordHash !== undefined && !hasher.recognises(passwordHash)) {
    fail('INVALID_INPUT', 'this is not a hash of a password that can be checked here', { field: 'passwordHash' })
  }
}

/** The hash to store; undefined when no password is set, or the present one again: then nothing changes. */
export async function hashOf(
  { password, passwordHash }: NewPassword,
  hasher: PasswordHasher,
  present?: string,
): Promise<string | undefined> {
  if (passwordHash !== undefined) return passwordHash === present ? undefined : passwordHash
  if (password === undefined) return undefined
  const isSame = present !== undefined && (await hasher.verify(password, present))
  return isSame ? undefined : await hasher.hash(password)
}
