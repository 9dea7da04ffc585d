import { WorkerPool, type WorkerPoolOptions } from '../../../platform/workers/worker-pool.ts'
import { deviceOf } from './gated-calls.ts'

/** Worker threads per device, so that threads stuck on one disk do not block the others. */
export class DevicePools implements AsyncDisposable {
  readonly #options: WorkerPoolOptions
  readonly #pools = new Map<string, WorkerPool>()

  /** @param options of each device's pool */
  constructor(options: WorkerPoolOptions) {
    this.#options = options
  }

  /** The pool for the device of an open file or folder. */
  on(held: { readonly fd: number }): WorkerPool {
    const device = deviceOf(held.fd)
    const known = this.#pools.get(device)
    if (known) return known
    const pool = new WorkerPool(this.#options)
    this.#pools.set(device, pool)
    return pool
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#pools.values()].map(async (pool) => await pool[Symbol.asyncDispose]()))
  }
}
