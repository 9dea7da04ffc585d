import { isFilemgrError } from '../../../domain/errors.ts'
import type { ChoreRun } from '../../../domain/server/chores.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { Leases, Records } from '../../../store/store.ts'
import { pause, underLease } from './under-lease.ts'

/** Work that the daemon repeats. */
export interface Chore {
  /** For the log. */
  readonly name: string
  run(signal: AbortSignal): Promise<unknown>
}

export interface ChoresDeps {
  readonly chores: readonly Chore[]
  readonly leases: Pick<Leases, 'tryAcquire'>
  readonly runs: Pick<Records<ChoreRun>, 'list' | 'put'>
  /** During maintenance: an administrator may be moving the files. */
  readonly isPaused: () => boolean
  readonly clock: Clock
  readonly log: Logger
  /** Milliseconds between runs. */
  readonly interval?: number
}

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
/** After a longer gap since the last run, the clock may be wrong, and would make everything look expired. */
const MAX_GAP = 30 * DAY
/** If the clock then runs normally for this long, it is trusted: the daemon had not been running for months. */
const PROBATION = 3 * DAY

/** Removes what has expired. A chore that fails is logged, and runs again the next time. */
export function createChores({ chores, leases, runs, isPaused, clock, log, interval = HOUR }: ChoresDeps) {
  /** Checks that the clock has not jumped, and saves the time of this run. */
  const isClockTrusted = async (): Promise<boolean> => {
    const now = clock.now()
    const [last] = await runs.list()
    const doubted = last?.doubted
    const isProven = doubted !== undefined && follows(now, doubted) && now - doubted >= PROBATION
    if (last === undefined || follows(now, last.at) || isProven) {
      await runs.put({ id: 'last', at: now })
      return true
    }
    const since = doubted !== undefined && follows(now, doubted) ? doubted : now
    if (since !== doubted) {
      const [from, to] = [last.at, now].map((time) => new Date(time).toISOString())
      log.warn(
        `the clock has jumped from ${from} to ${to}: expired trash, uploads and links are not removed until it is ` +
          'corrected or has run for 3 days',
      )
    }
    await runs.put({ id: 'last', at: last.at, doubted: since })
    return false
  }

  const attempt = async <T>(chore: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      // Being cancelled is not a failure.
      if (!isFilemgrError(error, 'CANCELLED')) log.error({ err: error, chore }, 'a recurring chore failed')
      return undefined
    }
  }

  const runAll = async (signal: AbortSignal): Promise<void> => {
    if ((await attempt('clock', isClockTrusted)) !== true) return
    for (const { name, run } of chores) {
      if (signal.aborted || isPaused()) return
      await attempt(name, async () => await run(signal))
    }
  }

  return {
    /**
     * Runs all chores in order, at once and then every hour. Only one daemon runs them, and none while they are paused. Disposing
     * waits for the current one.
     */
    start(): AsyncDisposable {
      const abort = new AbortController()
      const running = underLease(leases, 'chores', abort.signal, async (signal) => {
        while (!signal.aborted) {
          await runAll(signal)
          await pause(interval, signal)
        }
      })
      return {
        async [Symbol.asyncDispose]() {
          abort.abort()
          await running
        },
      }
    },
  }
}

/** A small step back is a corrected clock, not a jump. */
function follows(now: number, before: number): boolean {
  return now >= before - HOUR && now <= before + MAX_GAP
}

/**
 * Sweeps one after the other and counts what was removed. A failure does not stop the others.
 *
 * @throws CANCELLED immediately; other errors together as an AggregateError at the end
 */
export async function sweepEach<T>(items: Iterable<T>, sweep: (item: T) => Promise<number>): Promise<number> {
  const failures: unknown[] = []
  let swept = 0
  for (const item of items) {
    try {
      swept += await sweep(item)
    } catch (error) {
      if (isFilemgrError(error, 'CANCELLED')) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} could not be swept`)
  return swept
}
