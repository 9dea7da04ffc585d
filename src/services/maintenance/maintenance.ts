import { isFilemgrError } from '../../domain/errors.ts'
import type { MaintenanceRun } from '../../domain/maintenance.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Records } from '../../store/store.ts'

/** Work that recurs while the daemon runs. */
export interface Chore {
  /** For the log. */
  readonly name: string
  run(signal: AbortSignal): Promise<unknown>
}

export interface MaintenanceDeps {
  readonly chores: readonly Chore[]
  readonly runs: Pick<Records<MaintenanceRun>, 'list' | 'put'>
  readonly clock: Clock
  readonly log: Logger
  /** Milliseconds from one time to the next. */
  readonly interval?: number
}

export interface Maintenance {
  /** All chores at once and then each hour, one after the other. Disposing ends it when the one under way has let go. */
  start(): AsyncDisposable
}

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
/** A later time than this after the last one is doubted: a wrong clock would make everything look old. */
const LONGEST_GAP = 30 * DAY
/** A clock that goes on from a doubted time for so long is believed: the daemon had not run for months. */
const PROBATION = 3 * DAY

/** Sweeping: what has expired goes. A chore that fails is logged and has its turn again the next time. */
export function createMaintenance({ chores, runs, clock, log, interval = HOUR }: MaintenanceDeps): Maintenance {
  /** Notes the time, unless it does not follow from the last one. */
  const believesClock = async (): Promise<boolean> => {
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
        `the clock has jumped from ${from} to ${to}: trash, uploads and links are not swept; correct it, or they are when it has gone on for 3 days`,
      )
    }
    await runs.put({ id: 'last', at: last.at, doubted: since })
    return false
  }

  const attempt = async <T>(chore: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      // What was stopped in the middle did not fail.
      if (!isFilemgrError(error, 'CANCELLED')) log.error({ err: error, chore }, 'a recurring chore failed')
      return undefined
    }
  }

  const runAll = async (signal: AbortSignal): Promise<void> => {
    if ((await attempt('clock', believesClock)) !== true) return
    for (const { name, run } of chores) {
      if (signal.aborted) return
      await attempt(name, async () => await run(signal))
    }
  }

  return {
    start() {
      const abort = new AbortController()
      let running = runAll(abort.signal)
      const timer = setInterval(() => {
        running = running.then(async () => await runAll(abort.signal))
      }, interval).unref()
      return {
        async [Symbol.asyncDispose]() {
          clearInterval(timer)
          abort.abort()
          await running
        },
      }
    },
  }
}

/** A few minutes backwards are a clock that was set right. */
function follows(now: number, before: number): boolean {
  return now >= before - HOUR && now <= before + LONGEST_GAP
}

/**
 * Sweeps one after the other and counts what went. One that cannot be swept keeps none of the others from its turn.
 *
 * @throws CANCELLED at once; at the end an AggregateError of all that failed
 */
export async function sweepEach<T>(things: Iterable<T>, sweep: (thing: T) => Promise<number>): Promise<number> {
  const failures: unknown[] = []
  let swept = 0
  for (const thing of things) {
    try {
      swept += await sweep(thing)
    } catch (error) {
      if (isFilemgrError(error, 'CANCELLED')) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} could not be swept`)
  return swept
}
