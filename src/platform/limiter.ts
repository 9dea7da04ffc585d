import { fail, FilemgrError } from '../domain/errors.ts'

export interface LimiterOptions {
  /** So many run at once. */
  readonly concurrent: number
  /** So many wait; whoever comes then is sent away. */
  readonly waiting: number
}

/** Runs work a few at a time, in the order it came. */
export interface Limiter {
  /**
   * @param signal takes the work out of the queue; once it runs, it looks after itself
   * @throws BUSY when too many wait already, CANCELLED
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Lets so many run at once and so many wait; one more is BUSY. */
export function createLimiter({ concurrent, waiting }: LimiterOptions): Limiter {
  const queue: (() => void)[] = []
  let running = 0

  const enter = async (signal: AbortSignal | undefined): Promise<void> => {
    if (signal?.aborted === true) throw cancelled()
    if (running < concurrent) {
      running += 1
      return
    }
    if (queue.length >= waiting) fail('BUSY', 'too many requests at once; try again in a moment', { retryAfter: 2 })
    // Whoever leaves hands the place over, so `running` does not change.
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const onAbort = () => {
      queue.splice(queue.indexOf(enterNow), 1)
      reject(cancelled())
    }
    const enterNow = () => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }
    queue.push(enterNow)
    signal?.addEventListener('abort', onAbort, { once: true })
    await promise
  }

  const leave = (): void => {
    const next = queue.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return {
    async run(work, signal) {
      await enter(signal)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

function cancelled(): FilemgrError {
  return new FilemgrError('CANCELLED', 'this was cancelled')
}
