import { createHash } from 'node:crypto'
import type { UserId } from '../../../domain/ids.ts'
import type { Random } from '../../../platform/security/random.ts'
import type { Facts, SharedFacts } from '../../../store/store.ts'

const LIFETIME = 15 * 60_000
const KEY = 'sign-in-codes/all'

/** By digest, so that the time of a lookup reveals nothing about a code. */
type Codes = Readonly<Record<string, { readonly userId: UserId; readonly issuedAt: number }>>

/** One-time codes, such as those of the first start. Each can be used once, at any daemon of the store. */
export function createSignInCodes(deps: { readonly facts: SharedFacts; readonly random: Random }) {
  const { facts: shared, random } = deps
  const digestOf = (code: string) => createHash('sha256').update(code).digest('base64')

  return {
    async issue(userId: UserId): Promise<string> {
      const code = random.token(24)
      await shared.change([KEY], (facts) =>
        facts.set(KEY, { ...validCodes(facts), [digestOf(code)]: { userId, issuedAt: facts.now } }, LIFETIME),
      )
      return code
    },

    /** The user of a valid code, which is then used up. */
    async redeem(code: string): Promise<UserId | undefined> {
      const digest = digestOf(code)
      return await shared.change([KEY], (facts) => {
        const { [digest]: found, ...others } = validCodes(facts)
        if (found !== undefined) facts.set(KEY, others, LIFETIME)
        return found?.userId
      })
    },

    /** Invalidates all codes: an administrator has signed in, so they are no longer needed. */
    clear: async (): Promise<void> => await shared.change([KEY], (facts) => facts.remove(KEY)),
  }
}

export type SignInCodes = ReturnType<typeof createSignInCodes>

function validCodes(facts: Facts): Codes {
  const all = Object.entries((facts.get(KEY) as Codes | undefined) ?? {})
  const isValid = (age: number) => age >= 0 && age < LIFETIME
  return Object.fromEntries(all.filter(([, { issuedAt }]) => isValid(facts.now - issuedAt)))
}
