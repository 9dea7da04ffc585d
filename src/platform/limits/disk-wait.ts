import { AsyncLocalStorage } from 'node:async_hooks'
import { FilemgrError } from '../../domain/errors.ts'

/** Milliseconds that a request waits for a disk that does not answer. */
export const DISK_TIMEOUT = 10_000

const current = new AsyncLocalStorage<DiskWait>()

/** The error for a disk that does not answer. */
export function diskStalled(): FilemgrError {
  return new FilemgrError('BUSY', 'the disk does not answer: try again in a moment', { retryAfter: 10 })
}

/**
 * A request that waits for the disk, and can be released when the disk stalls. A system call cannot be cancelled: the work
 * that is stuck in it keeps its descriptors and buffers, and cleans up when the disk answers again.
 */
export class DiskWait {
  #reject: ((error: unknown) => void) | undefined
  #isReleased = false

  /** That of the calling code; undefined if no request waits for it, or if it may take any time. */
  static get current(): DiskWait | undefined {
    const wait = current.getStore()
    return wait !== undefined && wait.#reject !== undefined ? wait : undefined
  }

  get isReleased(): boolean {
    return this.#isReleased
  }

  /** One piece of work at a time. @throws BUSY once released */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    this.#reject = reject
    current.run(this, work).then(resolve, reject)
    try {
      return await promise
    } finally {
      this.#reject = undefined
    }
  }

  /** Called when the disk turns out to be stalled. */
  release(): void {
    if (this.#reject === undefined) return
    this.#isReleased = true
    this.#reject(diskStalled())
  }
}
