import type { Actor } from '../../domain/actor.ts'
import { fail } from '../../domain/errors.ts'
import type { ServerOptions } from '../../domain/server-options.ts'
import type { PasswordHasher } from '../../platform/password-hasher.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { Throttle } from './throttle.ts'

export interface CurrentPasswordDeps {
  readonly store: Store<StoreDocument>
  readonly hasher: PasswordHasher
  readonly throttle: Throttle
  readonly options: Pick<ServerOptions, 'noAuth'>
}

/** @throws INVALID_INPUT, RATE_LIMITED */
export type ConfirmPassword = (actor: Actor, password: string | undefined) => Promise<void>

/**
 * Makes the check that whoever changes an account knows his own password: somebody at a screen left unlocked, or with
 * a stolen token, does not. Wrong ones count for this session.
 */
export function createConfirmPassword({ store, hasher, throttle, options }: CurrentPasswordDeps): ConfirmPassword {
  return async (actor, password) => {
    if (actor.kind === 'operator') return
    // Where nobody signs in with a password of ours, nobody can be asked for one.
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
