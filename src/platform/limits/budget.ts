import { setTimeout } from 'node:timers'
import { FilemgrError, cancelled } from '../../domain/errors.ts'

interface Waiting {
  readonly count: number
  readonly start: () => void
}

export interface BudgetOptions {
  readonly most: number
  /** Milliseconds for which one waits for others to give back; Infinity: for as long as it takes. */
  readonly timeout: number
  /** What those are told who waited in vain, and what to do. */
  readonly refusal: string
}

/** So much of something may be in use at once. Who wants more waits in line for a while, and is then told to try again. */
export class Budget {
  readonly #options: BudgetOptions
  readonly #line = new Set<Waiting>()
  #free: number

  constructor(options: BudgetOptions) {
    this.#options = options
    this.#free = options.most
  }

  /** @throws BUSY when not enough became free in time, CANCELLED */
  async take(count: number, signal?: AbortSignal): Promise<Lease> {
    const wanted = Math.min(count, this.#options.most)
    if (this.#line.size > 0 || this.#free < wanted) await this.#wait(wanted, signal)
    else this.#free -= wanted
    return new Lease(wanted, (given) => this.#giveBack(given))
  }

  async #wait(count: number, signal: AbortSignal | undefined): Promise<void> {
    const { timeout, refusal } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    const waiting: Waiting = { count, start: () => resolve(undefined) }
    this.#line.add(waiting)
    const leave = (reason: FilemgrError) => {
      this.#line.delete(waiting)
      reject(reason)
      // Those behind may want less.
      this.#giveBack(0)
    }
    const busy = () => leave(new FilemgrError('BUSY', refusal, { retryAfter: 5 }))
    const timer = timeout === Infinity ? undefined : setTimeout(busy, timeout)
    const stop = () => leave(cancelled())
    if (signal?.aborted === true) stop()
    signal?.addEventListener('abort', stop)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }

  #giveBack(count: number): void {
    this.#free += count
    for (const waiting of this.#line) {
      if (waiting.count > this.#free) return
      this.#line.delete(waiting)
      this.#free -= waiting.count
      waiting.start()
    }
  }
}

/** A part of a budget. */
export class Lease implements Disposable {
  #count: number
  readonly #giveBack: (count: number) => void

  constructor(count: number, giveBack: (count: number) => void) {
    this.#count = count
    this.#giveBack = giveBack
  }

  /** Keeps this many for longer. */
  split(count: number): Lease {
    const kept = Math.min(count, this.#count)
    this.#count -= kept
    return new Lease(kept, this.#giveBack)
  }

  [Symbol.dispose](): void {
    this.#giveBack(this.#count)
    this.#count = 0
  }
}
