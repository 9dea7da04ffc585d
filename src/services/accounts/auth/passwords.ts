import { composed } from '../../../domain/text/fold.ts'
import { fail } from '../../../domain/errors.ts'
import { isPredictable } from '../../../domain/accounts/predictable-password.ts'
import type { CommonPasswords } from '../../../platform/security/common-passwords.ts'
import type { PasswordHasher } from '../../../platform/security/password-hasher.ts'
import { type Actor, requireSignedIn } from '../../../domain/accounts/actor.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import type { Throttle } from './throttle.ts'

export interface PasswordPolicyDeps {
  /** In bytes of UTF-8, of the composed form. */
  readonly minimumLength: () => number
  readonly isCommon: CommonPasswords
}

export function createPasswordPolicy({ minimumLength, isCommon }: PasswordPolicyDeps) {
  return {
    /** @throws INVALID_INPUT with a message that clients show */
    async require(password: string): Promise<void> {
      const minimum = minimumLength()
      if (Buffer.byteLength(composed(password)) < minimum) {
        fail('INVALID_INPUT', `password is too short, minimum length is ${minimum}`, { field: 'password', minimum })
      }
      if (isPredictable(password) || (await isCommon(password))) {
        fail('INVALID_INPUT', 'password is too easy', { field: 'password' })
      }
    },
  }
}

export type PasswordPolicy = ReturnType<typeof createPasswordPolicy>

/** A password in clear text, or a hash. */
export interface NewPassword {
  readonly password?: string | undefined
  readonly passwordHash?: string | undefined
}

/** Checks a password against the policy, or a hash for its format, before any hashing. @throws INVALID_INPUT */
export async function requireUsable(
  { password, passwordHash }: NewPassword,
  { hasher, policy }: { readonly hasher: PasswordHasher; readonly policy: PasswordPolicy },
): Promise<void> {
  if (password !== undefined) await policy.require(password)
  if (passwordHash !== undefined && !hasher.recognises(passwordHash)) {
    fail('INVALID_INPUT', 'this is not a supported password hash', { field: 'passwordHash' })
  }
}

/** The hash to store; undefined if there is no new password, or it is the current one. */
export async function hashOf(
  { password, passwordHash }: NewPassword,
  hasher: PasswordHasher,
  current?: string,
): Promise<string | undefined> {
  if (passwordHash !== undefined) return passwordHash === current ? undefined : passwordHash
  if (password === undefined) return undefined
  const isSame = current !== undefined && (await hasher.verify(password, current))
  return isSame ? undefined : await hasher.hash(password)
}

export interface CurrentPasswordDeps {
  readonly store: Store<StoreDocument>
  readonly hasher: PasswordHasher
  readonly throttle: Throttle
  readonly options: Pick<ServerOptions, 'noAuth'>
}

/** @throws INVALID_INPUT, RATE_LIMITED; FORBIDDEN for an API token, which is no proof that a person is there */
export type ConfirmPassword = (actor: Actor, password: string | undefined) => Promise<void>

/** Whether an account has a password that we could check: people of other sign-in methods and of providers have none. */
export function createAsksPassword({ store, options }: Pick<CurrentPasswordDeps, 'store' | 'options'>) {
  return ({ passwordHash }: Pick<User, 'passwordHash'>): boolean =>
    !options.noAuth && store.snapshot().settings.authMethod === 'json' && passwordHash !== ''
}

/**
 * Checks that callers who change an account know their own password, unlike an attacker at an unlocked screen or with a stolen
 * token. Failures are limited for each session.
 */
export function createConfirmPassword(deps: CurrentPasswordDeps): ConfirmPassword {
  const { hasher, throttle } = deps
  const asksPassword = createAsksPassword(deps)
  return async (actor, password) => {
    if (actor.kind === 'operator') return
    requireSignedIn(actor)
    const user = actor.user()
    if (!asksPassword(user)) return
    const { passwordHash } = user
    const isCorrect =
      password !== undefined &&
      password !== '' &&
      (await throttle.attempt({ session: actor.session.family }, async () =>
        (await hasher.verify(password, passwordHash)) ? true : undefined,
      ))
    if (isCorrect !== true) fail('INVALID_INPUT', 'the current password is incorrect', { field: 'current_password' })
  }
}
