import type { Clock } from '../../../platform/clock.ts'

/** How long after the first failure the free attempts return, and how long after the last one the penalty ends. */
const FAILURE_MEMORY = 10 * 60_000
/** Seconds. */
const MAX_DELAY = 60
const MAX_BUCKETS = 10_000

/** A rate limit for one kind of attempt. */
export interface Limit {
  /** Attempts with the same key count together. */
  readonly key: string
  /** Failures before the first delay, and attempts that may run at the same time. */
  readonly free: number
  /** A success resets the failures. */
  readonly isLifted?: boolean
  /** The client has succeeded before, so failures of others do not delay it. */
  readonly isKnown?: boolean
}

/** Whether another attempt may start: now, after a running one has ended, or in this many seconds. */
export type Verdict = 'go' | 'wait' | number

export interface FailureBuckets {
  judge(limit: Limit): Verdict
  begin(limit: Limit): void
  /** @param success undefined for an attempt that does not count */
  end(limit: Limit, success: boolean | undefined): void
  /** Resolves when a running attempt has ended. */
  ended(limit: Limit): Promise<void>
}

interface Bucket {
  readonly free: number
  failures: number
  firstAt: number
  lastAt: number
  underWay: number
  ended: PromiseWithResolvers<void>
}

/** Counts failed attempts by key. After the free ones, each failure is followed by a delay of 1, 2, 4 … 60 seconds. */
export function createFailureBuckets({ clock }: { readonly clock: Clock }): FailureBuckets {
  const buckets = new Map<string, Bucket>()

  /** Running attempts count as failures. Otherwise a burst of attempts would pass before the first one fails. */
  const judge = ({ key, free, isKnown }: Limit): Verdict => {
    const bucket = buckets.get(key)
    if (bucket === undefined) return 'go'
    // Clients that know the secret must not fill the queue for hashing either.
    if (isKnown === true) return bucket.underWay < free ? 'go' : 'wait'
    const now = clock.now()
    const since = bucket.failures < free ? bucket.firstAt : bucket.lastAt
    // Also reset if the clock was set back, which would extend the delay.
    if (now - since >= FAILURE_MEMORY || now < bucket.lastAt) bucket.failures = 0
    if (bucket.failures < free) return bucket.failures + bucket.underWay < free ? 'go' : 'wait'
    const delay = Math.min(MAX_DELAY, 2 ** (bucket.failures - free)) * 1000
    const left = bucket.lastAt + delay - now
    return left <= 0 && bucket.underWay === 0 ? 'go' : Math.max(1, Math.ceil(left / 1000))
  }

  /** Bounds the memory for a flood of invented names, which must not evict real penalties. */
  const makeRoom = (): void => {
    if (buckets.size <= MAX_BUCKETS) return
    let oldest: string | undefined
    for (const [key, { underWay, failures, free }] of buckets) {
      if (underWay > 0) continue
      oldest ??= key
      if (failures >= free) continue
      buckets.delete(key)
      return
    }
    if (oldest !== undefined) buckets.delete(oldest)
  }

  const bucketOf = ({ key, free }: Limit): Bucket => {
    const known = buckets.get(key)
    if (known !== undefined) return known
    const bucket = { free, failures: 0, firstAt: 0, lastAt: 0, underWay: 0, ended: Promise.withResolvers<void>() }
    buckets.set(key, bucket)
    return bucket
  }

  return {
    judge,

    begin(limit) {
      bucketOf(limit).underWay += 1
      makeRoom()
    },

    end(limit, success) {
      const bucket = bucketOf(limit)
      const now = clock.now()
      bucket.underWay -= 1
      bucket.ended.resolve()
      bucket.ended = Promise.withResolvers()
      if (success === true && limit.isLifted === true) bucket.failures = 0
      // Reinserted below, because eviction follows insertion order and the latest failure must be last.
      buckets.delete(limit.key)
      if (success === false) {
        if (bucket.failures === 0) bucket.firstAt = now
        bucket.failures += 1
        bucket.lastAt = now
      }
      if (bucket.failures > 0 || bucket.underWay > 0) buckets.set(limit.key, bucket)
    },

    ended: async (limit) => await buckets.get(limit.key)?.ended.promise,
  }
}
