import { clearTimeout, setTimeout } from 'node:timers'
import { DiskWait } from './disk-wait.ts'

interface Group {
  /** Settles with the run that is under way, and never rejects. */
  readonly over: Promise<void>
  next: Promise<void> | undefined
}

/**
 * Shares runs of work that covers all that was done before it began, such as a sync. A run that is under way may miss what is
 * new since, so those who ask meanwhile share the next one.
 */
export class GroupedRuns<K extends WeakKey> {
  readonly #groups = new WeakMap<K, Group>()
  readonly #timeout: number

  /** @param timeout milliseconds after which a request no longer waits: another's run has only that one's patience */
  constructor(timeout: number) {
    this.#timeout = timeout
  }

  /** @throws what the run throws that covers the caller */
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
