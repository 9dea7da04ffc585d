import { setTimeout } from 'node:timers'
import { FilemgrError, cancelled } from '../../domain/errors.ts'

interface Waiting {
  readonly count: number
  readonly start: () => void
}

export interface BudgetOptions {
  readonly max: number
  /** Milliseconds to wait for others to release their share; Infinity waits without limit. */
  readonly timeout: number
  /** Message of the BUSY error after the timeout; says what to do. */
  readonly refusal: string
  /** Called when the last share has been released. */
  readonly onAllFree?: () => void
}

/** Limits how much of a resource is in use at a time. Requests for more wait in order. */
export class Budget {
  readonly #options: BudgetOptions
  readonly #queue = new Set<Waiting>()
  #free: number

  constructor(options: BudgetOptions) {
    this.#options = options
    this.#free = options.max
  }

  get free(): number {
    return this.#free
  }

  /** Whether someone waits. */
  get isWanted(): boolean {
    return this.#queue.size > 0
  }

  /** Undefined if it is not free, or others wait for it. */
  tryAcquire(count: number): Permit | undefined {
    const granted = Math.min(count, this.#options.max)
    if (this.isWanted || this.#free < granted) return undefined
    this.#free -= granted
    return this.#permit(granted)
  }

  /** @throws BUSY if too little becomes free in time; CANCELLED */
  async acquire(count: number, signal?: AbortSignal): Promise<Permit> {
    const acquired = this.tryAcquire(count)
    if (acquired !== undefined) return acquired
    const granted = Math.min(count, this.#options.max)
    await this.#wait(granted, signal)
    return this.#permit(granted)
  }

  #permit(granted: number): Permit {
    return new Permit(granted, (released) => this.#release(released))
  }

  async #wait(count: number, signal: AbortSignal | undefined): Promise<void> {
    const { timeout, refusal } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    const waiting: Waiting = { count, start: () => resolve(undefined) }
    this.#queue.add(waiting)
    const leave = (reason: FilemgrError) => {
      this.#queue.delete(waiting)
      reject(reason)
      // The next request may be smaller, and fit.
      this.#release(0)
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

  #release(count: number): void {
    this.#free += count
    for (const waiting of this.#queue) {
      if (waiting.count > this.#free) return
      this.#queue.delete(waiting)
      this.#free -= waiting.count
      waiting.start()
    }
    if (count > 0 && this.#free === this.#options.max) this.#options.onAllFree?.()
  }
}

/** A part of a budget, until it is disposed of. */
export class Permit implements Disposable {
  #count: number
  readonly #release: (count: number) => void

  constructor(count: number, release: (count: number) => void) {
    this.#count = count
    this.#release = release
  }

  /** Moves part of the permit to a new one, which can be kept longer. */
  split(count: number): Permit {
    const kept = Math.min(count, this.#count)
    this.#count -= kept
    return new Permit(kept, this.#release)
  }

  [Symbol.dispose](): void {
    this.#release(this.#count)
    this.#count = 0
  }
}
