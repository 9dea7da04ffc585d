import type { SessionFamily, UserId } from '../../../domain/ids.ts'
import type { Assertion, Attestation, PasskeyOptions } from '../../../domain/accounts/passkey-messages.ts'
import { challengeIn } from '../../../platform/security/passkeys.ts'
import { digestOf } from '../../../platform/security/tokens.ts'
import type { SharedFacts } from '../../../store/store.ts'

/** Milliseconds. */
const LIFETIME = 5 * 60_000

/** What a browser was asked to sign for. An answer to one question is none to another. */
export type PasskeyQuestion =
  | { readonly kind: 'sign-in' }
  /** @param step the sign-in whose second step it is */
  | { readonly kind: 'second step'; readonly step: string }
  | { readonly kind: 'confirm'; readonly session: SessionFamily }
  | { readonly kind: 'add'; readonly session: SessionFamily; readonly userId: UserId; readonly handle: string }

/** The questions that browsers were asked. Each is answered once, at any daemon of the store. */
export function createPasskeyChallenges({ facts: shared }: { readonly facts: SharedFacts }) {
  const keyOf = (challenge: string) => `passkey/${digestOf(challenge)}`
  return {
    async asked(question: PasskeyQuestion, options: PasskeyOptions): Promise<PasskeyOptions> {
      const key = keyOf(options.challenge)
      // Everyone may ask to sign in: a flood of questions must not evict others.
      await shared.change([key], (facts) => facts.set(key, question, LIFETIME, question.kind === 'sign-in'))
      return options
    },

    /** The question that was answered and its challenge; undefined if it was not asked, or is answered or too old. */
    async answered<K extends PasskeyQuestion['kind']>(
      kind: K,
      answer: Assertion | Attestation,
    ): Promise<{ question: Extract<PasskeyQuestion, { kind: K }>; challenge: string } | undefined> {
      const challenge = challengeIn(answer)
      if (challenge === undefined) return undefined
      const key = keyOf(challenge)
      return await shared.change([key], (facts) => {
        const question = facts.get(key) as PasskeyQuestion | undefined
        if (question?.kind !== kind) return undefined
        facts.remove(key)
        return { question: question as Extract<PasskeyQuestion, { kind: K }>, challenge }
      })
    },
  }
}

export type PasskeyChallenges = ReturnType<typeof createPasskeyChallenges>
