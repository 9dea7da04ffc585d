import { fail } from '../../domain/errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { addressKey } from './address-key.ts'
import { createFailureBuckets, type Bucket } from './failure-buckets.ts'

const FREE_BY_ACCOUNT = 5
const FREE_BY_ADDRESS = 30
/** The owner of an account goes on signing in where he did, whatever others try against the account. */
const KNOWN_FOR = 24 * 60 * 60_000
const MOST_KNOWN = 10_000

export interface Try {
  /** Whose secret is tried; undefined where the secret itself tells. */
  readonly account?: string
  readonly address: string
}

/** Slows down whoever guesses secrets: by account, and by address for those who try many accounts. */
export interface Throttle {
  /**
   * Runs one try. `check` gives undefined for a wrong secret; what it throws counts neither way. A right one gives the
   * free tries back.
   *
   * @throws RATE_LIMITED with the seconds to wait, without running the check
   */
  attempt<T>(who: Try, check: () => Promise<T | undefined>): Promise<T | undefined>
}

export function createThrottle({ clock }: { readonly clock: Clock }): Throttle {
  const accounts = createFailureBuckets({ clock, free: FREE_BY_ACCOUNT })
  const addresses = createFailureBuckets({ clock, free: FREE_BY_ADDRESS })
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

  const enter = async (limits: readonly Limit[]): Promise<void> => {
    for (;;) {
      const verdicts = limits.map(({ judge }) => judge())
      const seconds = Math.max(0, ...verdicts.filter((verdict) => typeof verdict === 'number'))
      if (seconds > 0) {
        const message = `too many wrong tries; try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
        fail('RATE_LIMITED', message, { retryAfter: seconds })
      }
      const full = limits[verdicts.indexOf('wait')]
      if (full === undefined) break
      await full.bucket.ended.promise
    }
    for (const { bucket } of limits) bucket.underWay += 1
  }

  return {
    async attempt({ account, address }, check) {
      const client = addressKey(address)
      const pair = JSON.stringify([account, client])
      const byAddress = addresses.of(client)
      const limits: Limit[] = [{ bucket: byAddress, judge: () => addresses.judge(byAddress) }]
      const byAccount = account === undefined ? undefined : accounts.of(account)
      if (byAccount !== undefined && !isKnown(pair)) {
        limits.push({ bucket: byAccount, judge: () => accounts.judge(byAccount) })
      }
      await enter(limits)
      try {
        const found = await check()
        const right = found !== undefined
        if (right) remember(pair)
        count(right, byAddress, addresses.addFailure)
        if (byAccount !== undefined) count(right, byAccount, accounts.addFailure)
        return found
      } finally {
        for (const { bucket } of limits) leave(bucket)
      }
    },
  }
}

interface Limit {
  readonly bucket: Bucket
  readonly judge: () => 'go' | 'wait' | number
}

function count(right: boolean, bucket: Bucket, addFailure: (bucket: Bucket) => void): void {
  if (right) bucket.failures = 0
  else addFailure(bucket)
}

function leave(bucket: Bucket): void {
  bucket.underWay -= 1
  const { resolve } = bucket.ended
  bucket.ended = Promise.withResolvers()
  resolve()
}
