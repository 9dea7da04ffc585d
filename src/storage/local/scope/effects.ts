import type { BigIntStats } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import type { HeldNames, NameLocks } from '../../../platform/limits/name-locks.ts'
import { type Location, at, hold, HOLD_FOLDER, textOf } from '../system/handle.ts'
import type { StagedNames } from '../../reserved-names.ts'
import { foldForDisks } from '../../../domain/text/fold.ts'

/** What is at names that an operation changes, as it was when it looked. */
export type Seen = readonly (BigIntStats | undefined)[]

export interface Change<S extends Seen, R> {
  /** Looks what is there. */
  look(): Promise<S>
  /** Throws to refuse. Called right before `make`, with nothing to wait for in between. */
  accept?(seen: S): void
  make(seen: S): Promise<R>
}

export interface Changing {
  /**
   * Makes one change under the locks of the names that it concerns.
   *
   * @throws BUSY, STORE_BUSY as `NameLocks.acquire`, and if other daemons may change the same; UNAVAILABLE if another disk is
   *         served by now; CONFLICT as `Effects.ofUsers`
   */
  change<const S extends Seen, R>(locations: readonly [Location, ...Location[]], change: Change<S, R>): Promise<R>
  /** To be called when a folder, or a hidden file, is moved. */
  countMoved(): void
  /** For what is taken away: it is judged once more under a hidden name before it is removed. */
  readonly staged: StagedNames
}

/** What is being moved by copying. Dispose of it when that is done. */
export interface MoveClaim extends Disposable {
  /** True if another operation moves this entry, which is in the folder, by copying. */
  isMovedByOthers(entry: Location): Promise<boolean> | false
}

const AROUND = 'this is in a folder that is being moved: try again when that is done'

/**
 * Every change of an entry goes through here. Holds the lock of each name that it changes, in this daemon and in all that serve
 * the same disk, and refuses changes beneath a disk that was mounted over the served folder since it was opened.
 */
export class Effects implements Changing {
  #moves = 0
  /** Of what else it changes. */
  #others: readonly Effects[] = []
  readonly #locks: NameLocks
  /** Refuses if the folder that was opened is no longer the served one. @throws UNAVAILABLE */
  readonly requireServed: () => Promise<void>
  readonly staged: StagedNames

  constructor(locks: NameLocks, staged: StagedNames, requireServed: () => Promise<void>) {
    this.#locks = locks
    this.staged = staged
    this.requireServed = requireServed
  }

  /** Grows when a folder or a hidden file is moved: a search for hidden files may miss it then. */
  get moves(): number {
    return this.#moves
  }

  countMoved(): void {
    this.#moves += 1
    for (const other of this.#others) other.countMoved()
  }

  /** For changes in two served folders, which have their locks in common. */
  and(other: Effects): Effects {
    const both = new Effects(this.#locks, this.staged, async () => {
      await this.requireServed()
      await other.requireServed()
    })
    both.#others = [this, other]
    return both
  }

  async change<const S extends Seen, R>(
    locations: readonly [Location, ...Location[]],
    change: Change<S, R>,
  ): Promise<R> {
    return await this.#change(locations, change, async () => undefined)
  }

  /**
   * For changes that take the first entry away from where users see it. Refuses if that entry, or a folder around it, is being
   * moved by copying: what was copied before would be there twice, or come back.
   */
  get ofUsers(): Changing {
    return {
      change: async (locations, change) =>
        await this.#change(locations, change, async (held) => {
          const isClaimed = await held.claims()
          if (isClaimed === undefined) return
          const [own = '', ...around] = await lockNamesAround(locations[0])
          if (isClaimed(own))
            fail('CONFLICT', 'this is being moved: try again when that is done', { reason: 'beingMoved' })
          if (around.some(isClaimed)) fail('CONFLICT', AROUND, { reason: 'beingMoved' })
        }),
      countMoved: () => this.countMoved(),
      staged: this.staged,
    }
  }

  /**
   * For moving an entry by copying, which takes long: until that is done, nobody else takes it away, nor anything in it. Does not
   * lock the entry. The changes of the move itself are made with `change`.
   *
   * @throws CONFLICT
   */
  async claim(location: Location): Promise<MoveClaim> {
    using held = new DisposableStack()
    const [own = '', ...around] = await lockNamesAround(location)
    const claim = held.use(
      (await this.#locks.claim(own)) ?? fail('CONFLICT', 'this is being moved already', { reason: 'beingMoved' }),
    )
    const isClaimed = await claim.others()
    if (isClaimed !== undefined && around.some(isClaimed)) fail('CONFLICT', AROUND, { reason: 'beingMoved' })
    const all = held.move()
    return {
      isMovedByOthers: (entry) => isClaimed !== undefined && lockName(entry).then(isClaimed),
      [Symbol.dispose]: () => all.dispose(),
    }
  }

  /** For removing a folder for a user: its entries are not locked. @throws as a change of `ofUsers` */
  async requireRemovable(location: Location): Promise<void> {
    await this.ofUsers.change([location], { look: async () => [], make: async () => undefined })
  }

  async #change<S extends Seen, R>(
    locations: readonly Location[],
    { look, accept, make }: Change<S, R>,
    judge: (held: HeldNames) => Promise<void>,
  ): Promise<R> {
    using held = await this.#locks.acquire(await Promise.all(locations.map(lockName)))
    const seen = await look()
    await this.requireServed()
    await judge(held)
    await held.confirm()
    accept?.(seen)
    return await make(seen)
  }
}

/**
 * The same by whatever path a folder was reached, and on each machine that serves the disk. Without the number of the device,
 * which is another one on each machine: two disks may share a lock, and then one operation waits for a moment.
 */
async function lockName({ folder, name }: Location): Promise<string> {
  const { ino } = await folder.identity()
  // Waiting needlessly costs less than asking the file system which names are one.
  return `${ino} ${foldForDisks(textOf(name))}`
}

/** Of a location and of each folder around it, from the inside out: also of those around the served folder. */
async function lockNamesAround({ folder, name }: Location): Promise<readonly string[]> {
  const names: string[] = []
  const around = folder.realPath.split('/').filter((each) => each !== '')
  let here = folder.retain()
  for (const each of [name, ...around.toReversed().map((bytes) => Buffer.from(bytes, 'latin1'))]) {
    using child = here
    names.push(await lockName({ folder: child, name: each }))
    here = await hold(`${at(child).toString()}/..`, HOLD_FOLDER)
  }
  here[Symbol.dispose]()
  return names
}
