import { type Factor, type Factors, holderOf, type Passkey } from '../../../domain/accounts/factors.ts'
import type { Assertion } from '../../../domain/accounts/passkey-messages.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { Clock } from '../../../platform/clock.ts'
import { askForAssertion, checkAssertion, type PasskeySite } from '../../../platform/security/passkeys.ts'
import { findRecoveryHash, hashRecoveryCode } from '../../../platform/security/recovery-codes.ts'
import { totpStep } from '../../../platform/security/totp.ts'
import type { PasskeyOptions } from '../../../domain/accounts/passkey-messages.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import { replaceUser } from '../../stored-users.ts'
import type { PasskeyChallenges, PasskeyQuestion } from './passkey-challenges.ts'

export interface Proof {
  readonly code?: string | undefined
  readonly recovery?: string | undefined
  readonly passkey?: Assertion | undefined
}

/** The factor that was shown; or that it was not, because the code was used before. */
export type FactorResult = Factor | 'used' | undefined

export interface FactorCheckDeps {
  readonly store: Store<StoreDocument>
  readonly challenges: PasskeyChallenges
  readonly clock: Clock
}

/**
 * Checks second factors. What works once is used up in the same write that finds it unused, so that of two daemons that get the
 * same code at the same time one refuses it.
 */
export function createFactorCheck({ store, challenges, clock }: FactorCheckDeps) {
  /** @param use the factors after it, or why it is refused; by the account as it is stored now */
  const use = async <T extends string | undefined>(
    id: UserId,
    use: (factors: Factors) => Factors | T,
  ): Promise<T | 'done' | undefined> =>
    await store.update((draft, now) => {
      const stored = now.users.find((user) => user.id === id)
      if (stored?.factors === undefined) return undefined
      const used = use(stored.factors)
      if (typeof used !== 'object') return used
      replaceUser(draft, now, stored, { ...stored, factors: used })
      return 'done'
    })

  const byCode = async ({ id, factors }: User, code: string): Promise<FactorResult> => {
    const secret = factors?.totp?.secret
    const step = secret === undefined ? undefined : await totpStep(secret, code, clock.now())
    if (step === undefined) return undefined
    const result = await use(id, (now) => {
      if (now.totp?.secret !== secret) return undefined
      return step > (now.totp?.lastStep ?? 0) ? withStep(now, step) : 'used'
    })
    return result === 'done' ? 'totp' : result
  }

  const byRecovery = async ({ id, factors }: User, code: string): Promise<FactorResult> => {
    if (factors === undefined || factors.recovery.length === 0) return undefined
    const hash = await hashRecoveryCode(code, factors.handle)
    const result = await use(id, (now) => {
      const at = findRecoveryHash(now.recovery, hash)
      return at < 0 ? undefined : { ...now, recovery: now.recovery.toSpliced(at, 1) }
    })
    return result === 'done' ? 'recovery' : undefined
  }

  const signedBy = async (
    { id, factors }: User,
    assertion: Assertion,
    challenge: string,
    site: PasskeySite,
    isAlone: boolean,
  ): Promise<FactorResult> => {
    const passkey = factors?.passkeys.find((each) => each.id === assertion.id)
    if (passkey === undefined) return undefined
    const counter = await checkAssertion(site, challenge, passkey, assertion, isAlone)
    if (counter === undefined) return undefined
    const result = await use(id, (now) => {
      const known = now.passkeys.find((each) => each.id === passkey.id && each.publicKey === passkey.publicKey)
      // A lower number comes from a copy of the passkey.
      if (known === undefined || (counter <= known.counter && counter + known.counter > 0)) return undefined
      return withPasskey(now, { ...known, counter, lastUsedAt: clock.now() })
    })
    return result === 'done' ? 'passkey' : undefined
  }

  return {
    byCode,
    byRecovery,

    /** @param isAnswered whether the question is the expected one */
    async byPasskey<K extends 'confirm' | 'second step'>(
      kind: K,
      user: User,
      assertion: Assertion,
      site: PasskeySite,
      isAnswered: (question: Extract<PasskeyQuestion, { kind: K }>) => boolean,
    ): Promise<FactorResult> {
      const answered = await challenges.answered(kind, assertion)
      if (answered === undefined || !isAnswered(answered.question)) return undefined
      return await signedBy(user, assertion, answered.challenge, site, false)
    },

    /** The account that a passkey alone signs in to: the device has checked the person. */
    async byPasskeyAlone(assertion: Assertion, site: PasskeySite): Promise<User | undefined> {
      const answered = await challenges.answered('sign-in', assertion)
      const handle = assertion.response.userHandle
      if (answered === undefined || handle === undefined) return undefined
      const user = holderOf(store.snapshot().users, handle)
      if (user === undefined) return undefined
      return (await signedBy(user, assertion, answered.challenge, site, true)) === 'passkey' ? user : undefined
    },

    /** What a browser signs to show a passkey of this account; of any account without one. */
    async ask(question: PasskeyQuestion, site: PasskeySite, user?: User): Promise<PasskeyOptions> {
      const options = await askForAssertion(site, user?.factors?.passkeys ?? [], user === undefined)
      return await challenges.asked(question, options)
    },
  }
}

export type FactorCheck = ReturnType<typeof createFactorCheck>

function withStep(factors: Factors, lastStep: number): Factors {
  return factors.totp === undefined ? factors : { ...factors, totp: { ...factors.totp, lastStep } }
}

/** With this passkey in the place of the one with the same id. */
export function withPasskey(factors: Factors, passkey: Passkey): Factors {
  return { ...factors, passkeys: factors.passkeys.map((each) => (each.id === passkey.id ? passkey : each)) }
}
