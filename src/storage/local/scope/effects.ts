import { fail } from '../../../domain/errors.ts'
import type { NameLocks } from '../../../platform/limits/name-locks.ts'
import { type Location, textOf } from '../system/handle.ts'

/** The moment at which an operation takes effect. Dispose of it when that is done. */
export interface Effect extends Disposable {
  /**
   * Call last before the change, and before `accept`, after which nothing may be awaited.
   *
   * @throws STORE_BUSY if other daemons may change the same; UNAVAILABLE if another disk is served by now
   */
  confirm(): Promise<void>
}

/**
 * Every change of an entry goes through here. Holds the lock of each name that it changes, in this daemon and in all that serve
 * the same disk, and refuses changes beneath a disk that was mounted over the served folder since it was opened.
 */
export class Effects {
  /** How many folders were moved within the disk, since the daemon serves it. */
  foldersMoved = 0
  readonly #locks: NameLocks
  /** Refuses if the folder that was opened is no longer the served one. @throws UNAVAILABLE */
  readonly requireServed: () => Promise<void>

  constructor(locks: NameLocks, requireServed: () => Promise<void>) {
    this.#locks = locks
    this.requireServed = requireServed
  }

  /** Waits for the locks of names. @throws BUSY, STORE_BUSY as `NameLocks.acquire` */
  async begin(...locations: readonly Location[]): Promise<Effect> {
    const held = await this.#locks.acquire(await Promise.all(locations.map(lockName)))
    return {
      confirm: async () => {
        await this.requireServed()
        await held.confirm()
      },
      [Symbol.dispose]: () => held[Symbol.dispose](),
    }
  }

  /**
   * For moving an entry by copying, which takes long: of two who did so, both would have a copy. Does not lock the entry.
   *
   * @throws CONFLICT
   */
  async claim(location: Location): Promise<Disposable> {
    const claim = await this.#locks.tryAcquire(`move ${await lockName(location)}`)
    return claim ?? fail('CONFLICT', 'this is being moved already')
  }
}

/**
 * The same by whatever path a folder was reached, and on each machine that serves the disk. Without the number of the device,
 * which is another one on each machine: two disks may share a lock, and then one operation waits for a moment.
 */
async function lockName({ folder, name }: Location): Promise<string> {
  const { ino } = await folder.identity()
  return `${ino} ${folded(name)}`
}

/** Maps names that some file system treats as equal to one text. Waiting needlessly costs less than asking the file system. */
function folded(name: Location['name']): string {
  return textOf(name).normalize('NFKD').toUpperCase().toLowerCase()
}
