import type { Clock } from '../../../platform/clock.ts'

/** How long after the first failure the free attempts return, and how long after the last one the penalty ends. */
const MEMORY_OF_FAILURES = 10 * 60_000
const LONGEST_DELAY = 60
const MOST_BUCKETS = 10_000

/** What one kind of try may cost. */
export interface Limit {
  /** Whose tries count together. */
  readonly key: string
  /** Wrong attempts before the first delay, and the most that run at once. */
  readonly free: number
  /** A right try gives the free ones back. */
  readonly isLifted?: boolean
  /** Wrong tries of others do not count here. */
  readonly isKnown?: boolean
}

/** Whether another attempt may start: now, when a running one has ended, or after that many seconds. */
export type Verdict = 'go' | 'wait' | number

export interface FailureBuckets {
  judge(limit: Limit): Verdict
  begin(limit: Limit): void
  /** @param right undefined for an attempt that does not count */
  end(limit: Limit, right: boolean | undefined): void
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

/** Counts wrong attempts by key. After the free ones, each is followed by a delay of 1, 2, 4 … 60 seconds. */
export function createFailureBuckets({ clock }: { readonly clock: Clock }): FailureBuckets {
  const buckets = new Map<string, Bucket>()

  /** Running attempts count as wrong, or a burst of them would all pass before the first has failed. */
  const judge = ({ key, free, isKnown }: Limit): Verdict => {
    const bucket = buckets.get(key)
    if (bucket === undefined) return 'go'
    // Those who know the secret must not fill the queue of hashes either.
    if (isKnown === true) return bucket.underWay < free ? 'go' : 'wait'
    const now = clock.now()
    const since = bucket.failures < free ? bucket.firstAt : bucket.lastAt
    // A clock that was set back would keep the penalty for as long as the step.
    if (now - since >= MEMORY_OF_FAILURES || now < bucket.lastAt) bucket.failures = 0
    if (bucket.failures < free) return bucket.failures + bucket.underWay < free ? 'go' : 'wait'
    const delay = Math.min(LONGEST_DELAY, 2 ** (bucket.failures - free)) * 1000
    const left = bucket.lastAt + delay - now
    return left <= 0 && bucket.underWay === 0 ? 'go' : Math.max(1, Math.ceil(left / 1000))
  }

  /** Against a flood of invented names: memory stays bounded, and the flood does not evict real penalties. */
  const makeRoom = (): void => {
    if (buckets.size <= MOST_BUCKETS) return
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

    end(limit, right) {
      const bucket = bucketOf(limit)
      const now = clock.now()
      bucket.underWay -= 1
      bucket.ended.resolve()
      bucket.ended = Promise.withResolvers()
      if (right === true && limit.isLifted === true) bucket.failures = 0
      // The map is in insertion order: the latest failure is evicted last.
      buckets.delete(limit.key)
      if (right === false) {
        if (bucket.failures === 0) bucket.firstAt = now
        bucket.failures += 1
        bucket.lastAt = now
      }
      if (bucket.failures > 0 || bucket.underWay > 0) buckets.set(limit.key, bucket)
    },

    ended: async (limit) => await buckets.get(limit.key)?.ended.promise,
  }
}
