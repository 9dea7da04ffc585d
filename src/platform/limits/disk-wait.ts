import { AsyncLocalStorage } from 'node:async_hooks'
import { FilemgrError, isFilemgrError } from '../../domain/errors.ts'

/** Milliseconds that a request waits for a disk that does not respond. */
export const DISK_TIMEOUT = 10_000

const current = new AsyncLocalStorage<DiskWait>()

const STALLED = 'does not respond: try again in a moment'

/** The error for a disk that does not respond. @param disk once it is known which */
export function diskStalled(disk = 'the disk', options?: ErrorOptions): FilemgrError {
  return new FilemgrError('BUSY', `${disk} ${STALLED}`, { retryAfter: 10 }, options)
}

/** Whether an error is that of a disk that does not respond, and does not say yet which. */
export function isUnnamedStall(error: unknown): boolean {
  return isFilemgrError(error, 'BUSY') && error.message === `the disk ${STALLED}`
}

/**
 * Lets a request fail while its disk is stalled. The system call itself cannot be cancelled: work that is stuck in it keeps its
 * descriptors and buffers, and cleans up when the disk responds again.
 */
export class DiskWait {
  #reject: ((error: unknown) => void) | undefined
  #isReleased = false

  /** The wait that the calling code runs in; undefined outside of `run`, or once that has returned. */
  static get current(): DiskWait | undefined {
    const wait = current.getStore()
    return wait !== undefined && wait.#reject !== undefined ? wait : undefined
  }

  get isReleased(): boolean {
    return this.#isReleased
  }

  /** Runs one piece of work at a time. @throws BUSY once released */
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

  /** Makes `run` reject. Call when the disk is stalled. */
  release(): void {
    if (this.#reject === undefined) return
    this.#isReleased = true
    this.#reject(diskStalled())
  }
}
