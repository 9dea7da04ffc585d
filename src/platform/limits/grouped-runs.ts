import { clearTimeout, setTimeout } from 'node:timers'
import { DiskWait } from './disk-wait.ts'

interface Group {
  /** Resolves at the end of the current run, even if that fails. */
  readonly over: Promise<void>
  next: Promise<void> | undefined
}

/**
 * Shares runs of work that covers everything done before it starts, such as a sync. The current run may miss later changes, so
 * callers that arrive during it share the next one.
 */
export class GroupedRuns<K extends WeakKey> {
  readonly #groups = new WeakMap<K, Group>()
  readonly #timeout: number

  /** @param timeout milliseconds after which a caller stops waiting for a run that another one started */
  constructor(timeout: number) {
    this.#timeout = timeout
  }

  /** @throws what the run that covers the caller throws */
  async run(key: K, work: () => Promise<void>): Promise<void> {
    const group = this.#groups.get(key)
    if (group === undefined) {
      await this.#begin(key, work)
      return
    }
    group.next ??= group.over.then(async () => await this.#begin(key, work))
    const diskWait = DiskWait.current
    const overdue = setTimeout(() => diskWait?.release(), this.#timeout).unref()
    try {
      await group.next
    } finally {
      clearTimeout(overdue)
    }
  }

  async #begin(key: K, work: () => Promise<void>): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const group: Group = { over, next: undefined }
    this.#groups.set(key, group)
    try {
      await work()
    } finally {
      if (group.next === undefined) this.#groups.delete(key)
      resolve()
    }
  }
}
