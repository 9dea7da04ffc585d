import { fail } from '../../../domain/errors.ts'
import { factorsOf, type Factor } from '../../../domain/accounts/factors.ts'
import type { PasskeyOptions } from '../../../domain/accounts/passkey-messages.ts'
import type { SignInWay } from '../../../domain/accounts/session.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { PasskeySite } from '../../../platform/security/passkeys.ts'
import type { Random } from '../../../platform/security/random.ts'
import { digestOf } from '../../../platform/security/tokens.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { SharedFacts, Store } from '../../../store/store.ts'
import { noteAccount } from '../../activity-notes.ts'
import type { ClientInfo } from '../auth/sign-in-request.ts'
import type { Throttle } from '../auth/throttle.ts'
import type { FactorCheck, FactorResult, Proof } from './factor-check.ts'
import type { TrustedDevices } from './trusted-devices.ts'

/** Milliseconds from the password to the second factor. */
const LIFETIME = 5 * 60_000
/** Wrong codes until the password is asked again. */
const MAX_WRONG = 10

/** A sign-in that has passed its first step. */
interface Begun {
  readonly userId: UserId
  /** As it was then: a new password ends what was begun with the old one. */
  readonly credentialsVersion: number
  readonly way: SignInWay
  readonly wrong: number
}

export interface SecondStepDeps {
  readonly store: Store<StoreDocument>
  readonly facts: SharedFacts
  readonly check: FactorCheck
  readonly trusted: TrustedDevices
  readonly throttle: Throttle
  readonly random: Random
}

const OVER = 'this took too long or was tried too often; sign in again from the beginning'

/**
 * The second step of signing in. Who comes so far has shown the first factor, and learns that it was right and which factors there
 * are; wrong codes count for the account and the address, whatever the first step was.
 */
export function createSecondStep({ store, facts: shared, check, trusted, throttle, random }: SecondStepDeps) {
  const keyOf = (challenge: string) => `second-step/${digestOf(challenge)}`

  const begunWith = async (challenge: string): Promise<{ begun: Begun; user: User; key: string }> => {
    const key = keyOf(challenge)
    const begun = (await shared.change([key], (facts) => facts.get(key))) as Begun | undefined
    const user = begun && store.snapshot().users.find(({ id }) => id === begun.userId)
    if (begun === undefined || user?.credentialsVersion !== begun.credentialsVersion || user.factors === undefined)
      return over()
    return { begun, user, key }
  }

  const countWrong = async (key: string): Promise<void> =>
    await shared.change([key], (facts) => {
      const begun = facts.get(key) as Begun | undefined
      if (begun === undefined) return
      if (begun.wrong + 1 >= MAX_WRONG) facts.remove(key)
      else facts.set(key, { ...begun, wrong: begun.wrong + 1 }, LIFETIME, true)
    })

  /** Nothing else completes the same sign-in. */
  const complete = async (key: string): Promise<boolean> =>
    await shared.change([key], (facts) => {
      const isThere = facts.get(key) !== undefined
      facts.remove(key)
      return isThere
    })

  const tried = async (
    user: User,
    key: string,
    proof: Proof,
    site: PasskeySite,
    address: string,
  ): Promise<FactorResult> => {
    let result: FactorResult
    const attempt = async (): Promise<true | undefined> => {
      result = await shown(user, key, proof, site)
      return result === undefined || result === 'used' ? undefined : true
    }
    // A signature cannot be guessed, and somebody who guesses codes must not lock out the owner of the passkey.
    await throttle.attempt(proof.passkey === undefined ? { factorOf: user.id, address } : { address }, attempt)
    return result
  }

  const shown = async (user: User, key: string, { code, recovery, passkey }: Proof, site: PasskeySite) => {
    if (passkey !== undefined)
      return await check.byPasskey('second step', user, passkey, site, ({ step }) => step === key)
    if (recovery !== undefined) return await check.byRecovery(user, recovery)
    return code === undefined ? undefined : await check.byCode(user, code)
  }

  return {
    /**
     * Refuses the sign-in until the second factor is shown. Programs that only know the first step say what to do instead.
     *
     * @throws UNAUTHENTICATED with the challenge and the ways to answer it
     */
    async require(user: User, way: SignInWay): Promise<never> {
      const trustDays = trusted.days()
      const challenge = random.token(24)
      const { id: userId, credentialsVersion } = user
      const begun: Begun = { userId, credentialsVersion, way, wrong: 0 }
      const key = keyOf(challenge)
      await shared.change([key], (facts) => facts.set(key, begun, LIFETIME, true))
      const advice = 'sign in with a browser, or give the program an API token, which never asks for it'
      return fail('UNAUTHENTICATED', `this account has a second factor: ${advice}`, {
        reason: 'secondFactor',
        explained: true,
        challenge,
        username: user.username,
        ways: factorsOf(user),
        ...(trustDays > 0 && { trustDays }),
      })
    },

    /** What a passkey of the account must sign. @throws UNAUTHENTICATED if the challenge is over */
    async askPasskey(challenge: string, site: PasskeySite): Promise<PasskeyOptions> {
      const { user, key } = await begunWith(challenge)
      return await check.ask({ kind: 'second step', step: key }, site, user)
    },

    /**
     * The account, and how it signs in, once the second factor is shown.
     *
     * @throws UNAUTHENTICATED if the challenge is over; WRONG_CREDENTIALS; RATE_LIMITED
     */
    async complete(
      challenge: string,
      proof: Proof,
      site: PasskeySite,
      { address }: ClientInfo,
    ): Promise<{ user: User; way: SignInWay & { factor: Factor } }> {
      const { begun, user, key } = await begunWith(challenge)
      noteAccount(user.username)
      const result = await tried(user, key, proof, site, address)
      if (result === undefined || result === 'used') {
        await countWrong(key)
        return fail(
          'WRONG_CREDENTIALS',
          result === 'used' ? 'this code was used before; wait for the next one' : 'the code or the passkey is wrong',
          { reason: result === 'used' ? 'usedCode' : 'wrongFactor' },
        )
      }
      if (!(await complete(key))) return over()
      return { user, way: { ...begun.way, factor: result } }
    },
  }
}

export type SecondStep = ReturnType<typeof createSecondStep>

function over(): never {
  return fail('UNAUTHENTICATED', OVER, { reason: 'challengeOver', explained: true })
}
