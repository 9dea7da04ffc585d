import { setTimeout as pause } from 'node:timers/promises'
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
  /** For longer work. Does not wait, and locks nothing: others see it. @returns undefined if it is claimed. @throws STORE_BUSY */
  claim(name: string): Promise<Claim | undefined>
}

export interface HeldNames extends Disposable {
  /** Call right before the effect. @throws STORE_BUSY if others may already hold the names */
  confirm(): Promise<void>
  /** @returns undefined if nothing is claimed. @throws STORE_BUSY */
  claims(): Promise<IsClaimed | undefined>
}

/** Whether a name was claimed by anybody when this was asked. */
export type IsClaimed = (name: string) => boolean

export interface Claim extends Disposable {
  /**
   * Waits until all names are free that were held when this was claimed: those operations may not have seen the claim, later ones do.
   *
   * @returns what others have claimed by then; undefined if that is nothing. @throws STORE_BUSY
   */
  others(): Promise<IsClaimed | undefined>
}

/** Each name once, in the order in which everybody takes them: so two holders never wait for each other. */
export function inOrder(names: readonly string[]): readonly string[] {
  return names.length === 1 ? names : [...new Set(names)].toSorted()
}

/** Locks of this process. */
export class ProcessLocks implements NameLocks {
  /** For each name, when its latest holder, or the latest that waits, releases it. */
  readonly #last = new Map<string, Promise<void>>()
  readonly #claimed = new Set<string>()

  async acquire(names: readonly string[]): Promise<HeldNames> {
    using held = new DisposableStack()
    for (const name of inOrder(names)) {
      const before = this.#last.get(name)
      this.#hold(name, held)
      if (before !== undefined) await released(before)
    }
    const all = held.move()
    return {
      confirm: async () => undefined,
      claims: async () => this.#claims(),
      [Symbol.dispose]: () => all.dispose(),
    }
  }

  async claim(name: string): Promise<Claim | undefined> {
    if (this.#claimed.has(name)) return undefined
    this.#claimed.add(name)
    const before = Promise.all(this.#last.values())
    return {
      others: async () => {
        await soon(before)
        return this.#claims(name)
      },
      [Symbol.dispose]: () => this.#claimed.delete(name),
    }
  }

  #claims(own?: string): IsClaimed | undefined {
    const claimed = new Set(this.#claimed)
    if (own !== undefined) claimed.delete(own)
    return claimed.size === 0 ? undefined : (name) => claimed.has(name)
  }

  #hold(name: string, held: DisposableStack): void {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    this.#last.set(name, over)
    held.defer(() => {
      if (this.#last.get(name) === over) this.#last.delete(name)
      resolve()
    })
  }
}

/** @throws BUSY */
async function released(before: Promise<void>): Promise<void> {
  const diskWait = DiskWait.current
  const overdue = setTimeout(() => diskWait?.release(), DISK_TIMEOUT)
  await before
  clearTimeout(overdue)
  if (diskWait?.isReleased === true) throw diskStalled()
}

/** Waits no longer for one who waits for a disk that does not answer: a move on that disk does not get on either. */
async function soon(over: Promise<unknown>): Promise<void> {
  const waiting = new AbortController()
  const { signal } = waiting
  await Promise.race([over, pause(DISK_TIMEOUT, undefined, { signal, ref: false }).catch(() => undefined)])
  waiting.abort()
}
