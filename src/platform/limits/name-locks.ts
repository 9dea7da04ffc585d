import { DISK_TIMEOUT, DiskWait, diskStalled } from './disk-wait.ts'

/** Locks for the moments at which operations take effect: nobody else changes what has one of these names meanwhile. */
export interface NameLocks {
  /**
   * Waits until nobody holds any of the names, and holds them until the result is disposed of. Not to be held while a client
   * sends, nor across another call.
   *
   * @throws BUSY if the holder waits for a disk that does not answer; STORE_BUSY while other daemons cannot be asked
   */
  acquire(names: readonly string[]): Promise<HeldNames>
  /** For longer work: does not wait. @returns undefined if somebody holds the name. @throws STORE_BUSY */
  tryAcquire(name: string): Promise<HeldNames | undefined>
}

export interface HeldNames extends Disposable {
  /** Call right before the effect. @throws STORE_BUSY if others may already hold the names */
  confirm(): Promise<void>
}

/** Each name once, in the order in which everybody takes them: so two holders never wait for each other. */
export function inOrder(names: readonly string[]): readonly string[] {
  return names.length === 1 ? names : [...new Set(names)].toSorted()
}

/** Locks of this process. */
export class ProcessLocks implements NameLocks {
  /** For each name, when its latest holder, or the latest that waits, releases it. */
  readonly #last = new Map<string, Promise<void>>()

  async acquire(names: readonly string[]): Promise<HeldNames> {
    using held = new DisposableStack()
    const diskWait = DiskWait.current
    const overdue = setTimeout(() => diskWait?.release(), DISK_TIMEOUT)
    for (const name of inOrder(names)) await this.#take(name, held)
    clearTimeout(overdue)
    if (diskWait?.isReleased === true) throw diskStalled()
    const all = held.move()
    return { confirm: async () => undefined, [Symbol.dispose]: () => all.dispose() }
  }

  async tryAcquire(name: string): Promise<HeldNames | undefined> {
    return this.#last.has(name) ? undefined : await this.acquire([name])
  }

  async #take(name: string, held: DisposableStack): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const before = this.#last.get(name)
    this.#last.set(name, over)
    held.defer(() => {
      if (this.#last.get(name) === over) this.#last.delete(name)
      resolve()
    })
    await before
  }
}
