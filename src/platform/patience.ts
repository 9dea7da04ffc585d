import { AsyncLocalStorage } from 'node:async_hooks'
import { FilemgrError } from '../domain/errors.ts'

/** Milliseconds that a request waits for a disk that does not answer. */
export const PATIENCE = 10_000

const current = new AsyncLocalStorage<Patience>()

/** The error for a disk that does not answer. */
export function stalled(): FilemgrError {
  return new FilemgrError('BUSY', 'the disk does not answer: try again in a moment', { retryAfter: 10 })
}

/**
 * Lets somebody go who waits for a stalled disk. A system call cannot be called off: the work that is stuck in it keeps its
 * descriptors and buffers, and cleans up when the disk answers again.
 */
export class Patience {
  #reject: ((error: unknown) => void) | undefined
  #isLost = false

  /** The patience of the calling work; undefined if no request waits for it, or if it may take any time. */
  static get current(): Patience | undefined {
    const patience = current.getStore()
    return patience !== undefined && patience.#reject !== undefined ? patience : undefined
  }

  get isLost(): boolean {
    return this.#isLost
  }

  /** One piece of work at a time. @throws BUSY once patience is lost */
  async wait<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#reject = reject
    current.run(this, work).then(resolve, reject)
    try {
      return await promise
    } finally {
      this.#reject = undefined
    }
  }

  /** Called by whatever finds that the disk does not answer. */
  lose(): void {
    if (this.#reject === undefined) return
    this.#isLost = true
    this.#reject(stalled())
  }
}
