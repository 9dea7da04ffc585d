import { type Actor, requireSignedIn } from '../../../domain/accounts/actor.ts'
import { factorsOf } from '../../../domain/accounts/factors.ts'
import type { Confirmation, PasskeyOptions } from '../../../domain/accounts/passkey-messages.ts'
import { fail } from '../../../domain/errors.ts'
import type { PasskeySite } from '../../../platform/security/passkeys.ts'
import type { ConfirmPassword } from '../auth/passwords.ts'
import type { Throttle } from '../auth/throttle.ts'
import type { FactorCheck } from './factor-check.ts'

export interface ConfirmChangeDeps {
  readonly confirm: ConfirmPassword
  /** Whether `confirm` asks this account for a password. */
  readonly asksPassword: (user: { readonly passwordHash: string }) => boolean
  readonly check: FactorCheck
  readonly throttle: Throttle
}

/**
 * Confirms that the owner of the account is there, before its factors change: by the password or by a factor. Wrong codes are
 * limited for the session, so that a thief of one does not lock out the owner.
 */
export function createConfirmChange({ confirm, asksPassword, check, throttle }: ConfirmChangeDeps) {
  return {
    /** What may be asked. */
    ways: (user: Parameters<typeof factorsOf>[0] & { readonly passwordHash: string }) => [
      ...(asksPassword(user) ? (['password'] as const) : []),
      ...factorsOf(user),
    ],

    /** What a passkey of the caller must sign. */
    async ask(actor: Actor, site: PasskeySite): Promise<PasskeyOptions> {
      requireSignedIn(actor)
      if (actor.kind === 'operator') return fail('FORBIDDEN', 'the operator has no passkeys')
      return await check.ask({ kind: 'confirm', session: actor.session.family }, site, actor.user())
    },

    /** @throws INVALID_INPUT for a wrong password or factor; RATE_LIMITED; FORBIDDEN for an API token */
    async require(
      actor: Actor,
      { current_password: password, code, recovery, passkey }: Confirmation,
      site: PasskeySite,
    ): Promise<void> {
      if (actor.kind === 'operator') return
      requireSignedIn(actor)
      const user = actor.user()
      const isByFactor = code !== undefined || recovery !== undefined || passkey !== undefined
      if (!isByFactor && (asksPassword(user) || user.factors === undefined)) {
        await confirm(actor, password)
        return
      }
      const { family: session } = actor.session
      const shown = await throttle.attempt({ factorOf: user.id, session }, async () => {
        let result: string | undefined
        if (code !== undefined) result = await check.byCode(user, code)
        else if (recovery !== undefined) result = await check.byRecovery(user, recovery)
        else if (passkey !== undefined)
          result = await check.byPasskey('confirm', user, passkey, site, (question) => question.session === session)
        return result === undefined || result === 'used' ? undefined : true
      })
      if (shown !== true) fail('INVALID_INPUT', 'the code or the passkey is wrong', { field: 'code' })
    },
  }
}

export type ConfirmChange = ReturnType<typeof createConfirmChange>
