import { setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '../../../platform/clock.ts'
import type { Facts, SharedFacts } from '../../../store/store.ts'

/** Milliseconds after the first failure until the free attempts return, and after the last one until the penalty ends. */
const FAILURE_MEMORY = 10 * 60_000
/** How long (ms) failures of others do not delay a client that has succeeded. */
const SUCCESS_MEMORY = 24 * 60 * 60_000
/** Milliseconds. If an attempt has not ended by then, its daemon has died. */
const LONGEST_ATTEMPT = 60_000
/** Seconds. */
const MAX_DELAY = 60
/** The same for codes of a few digits, of which somebody could try all within months otherwise. */
const SLOW = { memory: 24 * 60 * 60_000, delay: 15 * 60 }
/** Milliseconds between two checks for attempts of other daemons. */
const POLL = 100
const MAX_REFUSED = 10_000

/** A rate limit for one kind of attempt. */
export interface Limit {
  /** Attempts with the same key count together. Begins with its kind and a slash, like all keys of facts. */
  readonly key: string
  /** Failures before the first delay, and attempts that may run at the same time. */
  readonly free: number
  /** A success resets the failures. */
  readonly isLifted?: boolean
  /** Failures are remembered for a day, and the delay grows to a quarter of an hour. */
  readonly isSlow?: boolean
  /** The key under which a success of this client is remembered, so that failures of others do not delay it. */
  readonly knownBy?: string
}

interface Bucket {
  readonly failures: number
  readonly firstAt: number
  readonly lastAt: number
  readonly underWay: number
  /** When the last attempt began. */
  readonly begunAt: number
}

const EMPTY: Bucket = { failures: 0, firstAt: 0, lastAt: 0, underWay: 0, begunAt: 0 }

/** Whether another attempt may start: now, after a running one has ended, or in this many seconds. */
type Verdict = 'go' | 'wait' | number

/**
 * Counts failed attempts by key. After the free ones, each failure is followed by a delay of 1, 2, 4 … 60 seconds.
 *
 * @param facts all daemons count together
 */
export function createFailureBuckets(deps: { readonly facts: SharedFacts; readonly clock: Clock }) {
  const { facts: shared, clock } = deps
  /** Resolved when an attempt of this daemon ends. By key, only those that other attempts wait for. */
  const ended = new Map<string, PromiseWithResolvers<void>>()
  /** When the delay of a limit that no success lifts ends. Kept here, so that a flood of attempts does not reach the database. */
  const refused = new Map<string, number>()

  const refusedFor = (limits: readonly Limit[]): number => {
    const delays = limits.map(({ key }) => Math.ceil(((refused.get(key) ?? 0) - clock.now()) / 1000))
    return Math.max(0, ...delays.filter((seconds) => seconds <= MAX_DELAY))
  }

  const refuse = (limits: readonly Limit[], verdicts: readonly Verdict[]): number => {
    if (refused.size > MAX_REFUSED) refused.clear()
    const seconds = verdicts.map((verdict) => (typeof verdict === 'number' ? verdict : 0))
    for (const [index, { key, isLifted }] of limits.entries()) {
      const delayed = seconds[index] ?? 0
      if (delayed > 0 && isLifted !== true) refused.set(key, clock.now() + delayed * 1000)
    }
    return Math.max(...seconds)
  }

  return {
    /**
     * Begins an attempt if no limit forbids it, perhaps after others have ended.
     *
     * @returns 0 if it has begun, or the seconds to wait
     * @throws STORE_BUSY
     */
    async begin(limits: readonly Limit[]): Promise<number> {
      for (;;) {
        const known = refusedFor(limits)
        if (known > 0) return known
        const verdicts = await shared.change(keysOf(limits), (facts) => {
          const found = limits.map((limit) => judge(limit, facts))
          if (found.every((verdict) => verdict === 'go')) for (const limit of limits) begin(limit, facts)
          return found
        })
        const full = limits[verdicts.indexOf('wait')]
        const seconds = refuse(limits, verdicts)
        if (seconds > 0 || full === undefined) return seconds
        const turn = ended.get(full.key) ?? Promise.withResolvers<void>()
        ended.set(full.key, turn)
        await Promise.race([turn.promise, delay(POLL)])
      }
    },

    /** @param success undefined for an attempt that does not count. @throws STORE_BUSY */
    async end(limits: readonly Limit[], success: boolean | undefined): Promise<void> {
      try {
        await shared.change(keysOf(limits), (facts) => {
          for (const limit of limits) end(limit, facts, success)
        })
      } finally {
        for (const { key } of limits) {
          ended.get(key)?.resolve()
          ended.delete(key)
        }
      }
    },
  }
}

function keysOf(limits: readonly Limit[]): string[] {
  return limits.flatMap(({ key, knownBy }) => (knownBy === undefined ? [key] : [key, knownBy]))
}

function memoryOf({ isSlow }: Limit): number {
  return isSlow === true ? SLOW.memory : FAILURE_MEMORY
}

function bucketOf(limit: Limit, facts: Facts): Bucket {
  const { key, free } = limit
  const found = (facts.get(key) as Bucket | undefined) ?? EMPTY
  const { now } = facts
  const since = found.failures < free ? found.firstAt : found.lastAt
  // Also reset if the clock was set back, which would extend the delay.
  const isOver = now - since >= memoryOf(limit) || now < found.lastAt
  const isAbandoned = now - found.begunAt >= LONGEST_ATTEMPT
  return { ...found, ...(isOver && { failures: 0 }), ...(isAbandoned && { underWay: 0 }) }
}

/** Running attempts count as failures. Otherwise a burst of attempts would pass before the first one fails. */
function judge(limit: Limit, facts: Facts): Verdict {
  const { free, knownBy, isSlow } = limit
  const { failures, lastAt, underWay } = bucketOf(limit, facts)
  // Clients that know the secret must not fill the queue for hashing either.
  if (knownBy !== undefined && facts.get(knownBy) !== undefined) return underWay < free ? 'go' : 'wait'
  if (failures < free) return failures + underWay < free ? 'go' : 'wait'
  const wait = Math.min(isSlow === true ? SLOW.delay : MAX_DELAY, 2 ** (failures - free)) * 1000
  const remaining = lastAt + wait - facts.now
  return remaining <= 0 && underWay === 0 ? 'go' : Math.max(1, Math.ceil(remaining / 1000))
}

function begin(limit: Limit, facts: Facts): void {
  const bucket = bucketOf(limit, facts)
  keep(limit, facts, { ...bucket, underWay: bucket.underWay + 1, begunAt: facts.now })
}

function end(limit: Limit, facts: Facts, success: boolean | undefined): void {
  const { now } = facts
  const bucket = bucketOf(limit, facts)
  const failures = success === true && limit.isLifted === true ? 0 : bucket.failures
  const failed = { failures: failures + 1, firstAt: failures === 0 ? now : bucket.firstAt, lastAt: now }
  const underWay = Math.max(0, bucket.underWay - 1)
  keep(limit, facts, { ...bucket, failures, ...(success === false && failed), underWay })
  if (success === true && limit.knownBy !== undefined) facts.set(limit.knownBy, { at: now }, SUCCESS_MEMORY)
}

/** Invented names must not evict real penalties. */
function keep(limit: Limit, facts: Facts, bucket: Bucket): void {
  const { key, free } = limit
  const { failures, underWay } = bucket
  if (failures === 0 && underWay === 0) facts.remove(key)
  else facts.set(key, bucket, memoryOf(limit), failures < free && underWay === 0)
}
