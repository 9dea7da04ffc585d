import type { Clock } from '../../platform/clock.ts'

/** So long after the first failure the free tries are back, and so long after the last one a penalty is forgotten. */
const MEMORY_OF_FAILURES = 10 * 60_000
const LONGEST_DELAY = 60
const MOST_BUCKETS = 10_000

/** Whether one more try may start: now, when one that is under way has ended, or after that many seconds. */
export type Verdict = 'go' | 'wait' | number

export interface Bucket {
  failures: number
  firstAt: number
  lastAt: number
  underWay: number
  /** Resolves when a try that is under way has ended. */
  ended: PromiseWithResolvers<void>
}

export interface FailureBuckets {
  of(key: string): Bucket
  judge(bucket: Bucket): Verdict
  addFailure(bucket: Bucket): void
}

export interface BucketOptions {
  readonly clock: Clock
  /** Wrong tries before the first delay. */
  readonly free: number
}

/** Counts wrong tries by key. After the free ones each costs a delay of 1, 2, 4 ... 60 seconds. */
export function createFailureBuckets({ clock, free }: BucketOptions): FailureBuckets {
  const buckets = new Map<string, Bucket>()

  /** Tries that are under way count as wrong ones, or a burst of them would all pass before the first has failed. */
  const judge = (bucket: Bucket): Verdict => {
    const now = clock.now()
    const since = bucket.failures < free ? bucket.firstAt : bucket.lastAt
    // A clock that was set back would keep the penalty for as long as the step.
    if (now - since >= MEMORY_OF_FAILURES || now < bucket.lastAt) bucket.failures = 0
    if (bucket.failures < free) return bucket.failures + bucket.underWay < free ? 'go' : 'wait'
    const delay = Math.min(LONGEST_DELAY, 2 ** (bucket.failures - free)) * 1000
    const left = bucket.lastAt + delay - now
    return left <= 0 && bucket.underWay === 0 ? 'go' : Math.max(1, Math.ceil(left / 1000))
  }

  return {
    judge,

    of(key) {
      const bucket = buckets.get(key) ?? emptyBucket()
      // The map keeps its order: whoever failed last is forgotten last.
      buckets.delete(key)
      buckets.set(key, bucket)
      if (buckets.size > MOST_BUCKETS) forgetOldest(buckets)
      return bucket
    },

    addFailure(bucket) {
      const now = clock.now()
      if (bucket.failures === 0) bucket.firstAt = now
      bucket.failures += 1
      bucket.lastAt = now
    },
  }
}

function emptyBucket(): Bucket {
  return { failures: 0, firstAt: 0, lastAt: 0, underWay: 0, ended: Promise.withResolvers() }
}

/** Memory must not grow with the names that somebody tries. */
function forgetOldest(buckets: Map<string, Bucket>): void {
  for (const [key, bucket] of buckets) {
    if (bucket.underWay > 0) continue
    buckets.delete(key)
    return
  }
}
