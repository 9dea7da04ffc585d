import { fail } from '../../../domain/errors.ts'
import { isPredictable } from '../../../domain/accounts/predictable-password.ts'
import type { CommonPasswords } from '../../../platform/security/common-passwords.ts'
import type { PasswordHasher } from '../../../platform/security/password-hasher.ts'
import type { Actor } from '../../../domain/accounts/actor.ts'
import type { ServerOptions } from '../../../domain/settings/server-options.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import type { Throttle } from './throttle.ts'

export interface PasswordPolicy {
  /** @throws INVALID_INPUT with a message that clients show */
  require(password: string): Promise<void>
}

export interface PasswordPolicyDeps {
  /** In bytes of UTF-8. */
  readonly minimumLength: () => number
  readonly isCommon: CommonPasswords
}

export function createPasswordPolicy({ minimumLength, isCommon }: PasswordPolicyDeps): PasswordPolicy {
  return {
    async require(password) {
      const least = minimumLength()
      if (Buffer.byteLength(password) < least) {
        fail('INVALID_INPUT', `password is too short, minimum length is ${least}`, { field: 'password' })
      }
      if (isPredictable(password) || (await isCommon(password))) {
        fail('INVALID_INPUT', 'password is too easy', { field: 'password' })
      }
    },
  }
}

/** A password in clear text, or the hash of one that was chosen elsewhere. */
export interface NewPassword {
  readonly password?: string | undefined
  readonly passwordHash?: string | undefined
}

export interface NewPasswordDeps {
  readonly hasher: PasswordHasher
  readonly policy: PasswordPolicy
}

/** Checks policy and form only; nothing is hashed yet. @throws INVALID_INPUT */
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

export interface CurrentPasswordDeps {
  readonly store: Store<StoreDocument>
  readonly hasher: PasswordHasher
  readonly throttle: Throttle
  readonly options: Pick<ServerOptions, 'noAuth'>
}

/** @throws INVALID_INPUT, RATE_LIMITED */
export type ConfirmPassword = (actor: Actor, password: string | undefined) => Promise<void>

/**
 * Makes the check that callers who change an account know their own password: an attacker at an unlocked screen, or with
 * a stolen token, does not. Wrong ones count for this session.
 */
export function createConfirmPassword({ store, hasher, throttle, options }: CurrentPasswordDeps): ConfirmPassword {
  return async (actor, password) => {
    if (actor.kind === 'operator') return
    // Other sign-in methods have no password that we could check.
    if (options.noAuth || store.snapshot().settings.authMethod !== 'json') return
    const { passwordHash } = actor.user
    const isRight =
      password !== undefined &&
      password !== '' &&
      (await throttle.attempt({ session: actor.session.family }, async () =>
        (await hasher.verify(password, passwordHash)) ? true : undefined,
      ))
    if (isRight !== true) fail('INVALID_INPUT', 'the current password is incorrect', { field: 'current_password' })
  }
}
