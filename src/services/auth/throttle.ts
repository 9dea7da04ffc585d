import { fail } from '../../domain/errors.ts'
import type { SessionFamily, ShareHash } from '../../domain/ids.ts'
import type { Clock } from '../../platform/clock.ts'
import { addressKey } from './address-key.ts'
import { createFailureBuckets, type Limit } from './failure-buckets.ts'

const FREE_BY_ACCOUNT = 5
const FREE_BY_ADDRESS = 30
const FREE_BY_LINK = 10
/** The owner of an account goes on signing in where he did, whatever others try against the account. */
const KNOWN_FOR = 24 * 60 * 60_000
const MOST_KNOWN = 10_000

/** Who tries which secret. */
export type Try =
  | { readonly account: string; readonly address: string }
  /** The secret itself tells whose it is. */
  | { readonly address: string }
  /** The thief of a token must not keep its owner from signing in. */
  | { readonly session: SessionFamily }
  | { readonly link: ShareHash; readonly address: string }

/** Slows down whoever guesses secrets: by account, and by address for those who try many accounts. */
export interface Throttle {
  /**
   * Runs one try. `check` gives undefined for a wrong secret; what it throws counts neither way. A right one gives the free
   * tries of its account back, and never those of the address: others are tried from there, too.
   *
   * @throws RATE_LIMITED with the seconds to wait, without running the check
   */
  attempt<T>(who: Try, check: () => Promise<T | undefined>): Promise<T | undefined>
}

export function createThrottle({ clock }: { readonly clock: Clock }): Throttle {
  const buckets = createFailureBuckets({ clock })
  /** Account and address → time of the last success. */
  const known = new Map<string, number>()

  const isKnown = (pair: string): boolean => {
    const age = clock.now() - (known.get(pair) ?? -Infinity)
    return age >= 0 && age < KNOWN_FOR
  }

  const remember = (pair: string): void => {
    known.delete(pair)
    known.set(pair, clock.now())
    const oldest = known.size > MOST_KNOWN ? known.keys().next().value : undefined
    if (oldest !== undefined) known.delete(oldest)
  }

  const limitsOf = (who: Try): Limit[] => {
    if ('session' in who) return [{ key: keyOf('session', who.session), free: FREE_BY_ACCOUNT, isLifted: true }]
    const client = addressKey(who.address)
    if ('link' in who) return [{ key: keyOf('link', who.link, client), free: FREE_BY_LINK, isLifted: true }]
    const byAddress = { key: keyOf('address', client), free: FREE_BY_ADDRESS }
    if (!('account' in who)) return [byAddress]
    const pair = isKnown(keyOf(who.account, client))
    return [byAddress, { key: keyOf('account', who.account), free: FREE_BY_ACCOUNT, isLifted: true, isKnown: pair }]
  }

  const enter = async (limits: readonly Limit[]): Promise<void> => {
    for (;;) {
      const verdicts = limits.map(buckets.judge)
      const seconds = Math.max(0, ...verdicts.filter((verdict) => typeof verdict === 'number'))
      if (seconds > 0) {
        const message = `too many wrong tries; try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
        fail('RATE_LIMITED', message, { retryAfter: seconds })
      }
      const full = limits[verdicts.indexOf('wait')]
      if (full === undefined) break
      await buckets.ended(full)
    }
    for (const limit of limits) buckets.begin(limit)
  }

  return {
    async attempt(who, check) {
      const limits = limitsOf(who)
      await enter(limits)
      let right: boolean | undefined
      try {
        const found = await check()
        right = found !== undefined
        if (right && 'account' in who) remember(keyOf(who.account, addressKey(who.address)))
        return found
      } finally {
        for (const limit of limits) buckets.end(limit, right)
      }
    },
  }
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts)
}
