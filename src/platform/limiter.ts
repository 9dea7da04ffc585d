import { fail } from '../domain/errors.ts'

export interface LimiterOptions {
  /** So many run at once. */
  readonly concurrent: number
  /** So many wait; whoever comes then is sent away. */
  readonly waiting: number
}

/** Runs work a few at a time, in the order it came. */
export interface Limiter {
  /** @throws BUSY when too many wait already */
  run<T>(work: () => Promise<T>): Promise<T>
}

export function createLimiter({ concurrent, waiting }: LimiterOptions): Limiter {
  const queue: (() => void)[] = []
  let running = 0

  const enter = async (): Promise<void> => {
    if (running < concurrent) {
      running += 1
      return
    }
    if (queue.length >= waiting) fail('BUSY', 'too many requests at once; try again in a moment', { retryAfter: 2 })
    // Whoever leaves hands the place over, so `running` does not change.
    await new Promise<void>((resolve) => queue.push(resolve))
  }

  const leave = (): void => {
    const next = queue.shift()
    if (next === undefined) running -= 1
    else next()
  }

  return {
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
