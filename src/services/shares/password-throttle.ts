import { fail } from '../../domain/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { addressKey } from '../auth/address-key.ts'

const MOST_WRONG = 10
const MINUTE = 60_000
const MOST_KEYS = 10_000

interface Tries {
  /** Times of the wrong ones, in milliseconds since 1970, the oldest first. */
  wrong: number[]
  underWay: number
}

/** Slows down whoever guesses passwords of shares: ten wrong ones a minute from one address for one share. */
export interface PasswordThrottle {
  /** @throws RATE_LIMITED with the seconds to wait, without running the check */
  attempt(hash: string, address: string, check: () => Promise<boolean>): Promise<boolean>
}

export function createPasswordThrottle({ clock }: { readonly clock: Clock }): PasswordThrottle {
  const byKey = new Map<string, Tries>()

  const triesOf = (key: string): Tries => {
    const tries = byKey.get(key) ?? { wrong: [], underWay: 0 }
    // The map keeps its order: whoever tried last is forgotten last.
    byKey.delete(key)
    byKey.set(key, tries)
    const now = clock.now()
    // Times to come are those of a clock that was set back.
    tries.wrong = tries.wrong.filter((time) => time <= now && now - time < MINUTE)
    return tries
  }

  const forgetOldest = (): void => {
    for (const [key, { underWay }] of byKey) {
      if (byKey.size <= MOST_KEYS) return
      if (underWay === 0) byKey.delete(key)
    }
  }

  return {
    async attempt(hash, address, check) {
      const tries = triesOf(JSON.stringify([hash, addressKey(address)]))
      forgetOldest()
      // Those under way count as wrong ones, or a burst of them would all pass before the first has failed.
      if (tries.wrong.length + tries.underWay >= MOST_WRONG) {
        const left = MINUTE - (clock.now() - (tries.wrong[0] ?? clock.now()))
        const retryAfter = Math.max(1, Math.ceil(left / 1000))
        fail('RATE_LIMITED', `too many wrong passwords; try again in ${retryAfter} seconds`, { retryAfter })
      }
      tries.underWay += 1
      try {
        const isRight = await check()
        if (!isRight) tries.wrong.push(clock.now())
        return isRight
      } finally {
        tries.underWay -= 1
      }
    },
  }
}
