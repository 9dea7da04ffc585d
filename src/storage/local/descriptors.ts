import { setTimeout } from 'node:timers'
import { fail } from '../../domain/errors.ts'

/** How long an operation waits for others to give descriptors back, in milliseconds. */
const PATIENCE = 5000

interface Waiting {
  readonly count: number
  readonly start: () => void
}

/**
 * So many descriptors may be open at once. Operations beyond wait in line for a while instead of meeting the limit of the
 * process in the middle of their work; those that come to nothing are told to try again.
 */
export class Descriptors {
  #free: number
  readonly #most: number
  readonly #patience: number
  readonly #line = new Set<Waiting>()

  constructor(most: number, patience = PATIENCE) {
    this.#patience = patience
    this.#most = most
    this.#free = most
  }

  /** @throws BUSY when none became free in time */
  async take(count: number): Promise<Lease> {
    const wanted = Math.min(count, this.#most)
    if (this.#line.size > 0 || this.#free < wanted) await this.#wait(wanted)
    else this.#free -= wanted
    return new Lease(wanted, (given) => this.#giveBack(given))
  }

  async #wait(count: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { count, start: resolve }
    this.#line.add(waiting)
    const timer = setTimeout(() => {
      this.#line.delete(waiting)
      reject(new Error('waited too long'))
      // Those behind may want less.
      this.#giveBack(0)
    }, this.#patience)
    await promise.catch(() => fail('BUSY', 'too many files are open: try again in a moment', { retryAfter: 5 }))
    clearTimeout(timer)
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

/** Descriptors that one operation may hold. */
export class Lease implements Disposable {
  #count: number
  readonly #giveBack: (count: number) => void

  constructor(count: number, giveBack: (count: number) => void) {
    this.#count = count
    this.#giveBack = giveBack
  }

  /** Keeps this many for longer than the operation. */
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
