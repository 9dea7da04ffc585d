import { isFilemgrError } from '../domain/errors.ts'
import type { Logger } from '../platform/logger.ts'

/** Work that recurs while the daemon runs. */
export interface Chore {
  /** For the log. */
  readonly name: string
  run(signal: AbortSignal): Promise<unknown>
}

export interface UpkeepDeps {
  readonly chores: readonly Chore[]
  readonly log: Logger
  /** Milliseconds from one time to the next. */
  readonly interval?: number
}

export interface Upkeep {
  /** All chores at once and then each hour, one after the other. Disposing ends it when the one under way has let go. */
  start(): AsyncDisposable
}

const HOUR = 60 * 60 * 1000

/** Sweeping: what has expired goes. A chore that fails is logged and has its turn again the next time. */
export function createUpkeep({ chores, log, interval = HOUR }: UpkeepDeps): Upkeep {
  const runAll = async (signal: AbortSignal): Promise<void> => {
    for (const { name, run } of chores) {
      if (signal.aborted) return
      try {
        await run(signal)
      } catch (error) {
        // It was stopped in the middle.
        if (isFilemgrError(error, 'CANCELLED')) return
        log.error({ err: error, chore: name }, 'a recurring chore failed')
      }
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
