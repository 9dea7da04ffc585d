import { type BigIntStats, constants } from 'node:fs'
import { DiskWait, DISK_TIMEOUT, diskStalled } from '../../../platform/limits/disk-wait.ts'
import { statsOrNothing } from '../system/disk.ts'
import { close, link, mkdir, open, rename, rmdir, unlink } from '../system/gated-calls.ts'
import { at, type Location } from '../system/handle.ts'
import { errnoCode } from '../system/os-error.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants

/** One at a time for each name in a folder, whatever path led there. */
class TargetLocks {
  readonly #last = new Map<string, Promise<void>>()

  /** Waits for its turn. Dispose of the result to let the next one in. @throws BUSY when the disk of the one before is stuck */
  async hold({ folder, name }: Location): Promise<Disposable> {
    const { dev, ino } = await folder.identity()
    const key = `${dev} ${ino} ${folded(name)}`
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const before = this.#last.get(key)
    this.#last.set(key, over)
    const turn = {
      [Symbol.dispose]: () => {
        if (this.#last.get(key) === over) this.#last.delete(key)
        resolve()
      },
    }
    const diskWait = DiskWait.current
    const overdue = setTimeout(() => diskWait?.release(), DISK_TIMEOUT)
    await before
    clearTimeout(overdue)
    if (diskWait?.isReleased !== true) return turn
    turn[Symbol.dispose]()
    throw diskStalled()
  }
}

/** Names that some disk takes for one wait for each other on every disk: that costs a moment, and asking the disk would cost more. */
function folded(name: Location['name']): string {
  return name.toString().normalize('NFKD').toUpperCase().toLowerCase()
}

/** Of this process: every way to put something under a name goes through here. */
const locks = new TargetLocks()

/**
 * Puts a file where `decide` permits it. What is there is read, judged and replaced under one lock, so that of two who expect
 * the same old file only one replaces it.
 *
 * @param decide throws to refuse
 */
export async function takePlace(
  from: Location,
  to: Location,
  decide: (present: BigIntStats | undefined) => Promise<void>,
): Promise<void> {
  using _turn = await locks.hold(to)
  const present = await statsOrNothing(at(to.folder, to.name))
  await decide(present)
  // Where nothing was, nothing is replaced: another program may have come meanwhile.
  await (present === undefined ? linkFile : renameOver)(from, to)
}

/** Over a file or link, never over a folder: rename() itself refuses that. */
export async function placeOver(from: Location, to: Location): Promise<void> {
  using _turn = await locks.hold(to)
  await renameOver(from, to)
}

/** Puts a file or a link under a name that is free. */
export async function placeFile(from: Location, to: Location): Promise<void> {
  using _turn = await locks.hold(to)
  await linkFile(from, to)
}

/** rename() replaces an empty folder silently, so the name is taken first: mkdir() fails when anything is there. */
export async function placeFolder(from: Location, to: Location): Promise<void> {
  using _turn = await locks.hold(to)
  const target = at(to.folder, to.name)
  await mkdir(target, 0o700)
  await orGiveBack(
    async () => await renameOver(from, to),
    async () => await rmdir(target),
  )
}

/** Removes a file or a link unless it stays, which is judged under the lock: a save that comes in between is not lost. */
export async function removeUnless(
  { folder, name }: Location,
  stays: (present: BigIntStats) => boolean,
): Promise<boolean> {
  using _turn = await locks.hold({ folder, name })
  const present = await statsOrNothing(at(folder, name))
  if (present !== undefined && stays(present)) return false
  await unlink(at(folder, name))
  return true
}

async function renameOver(from: Location, to: Location): Promise<void> {
  await rename(at(from.folder, from.name), at(to.folder, to.name))
}

/** Node lacks the rename that refuses to replace; link() refuses as well. */
async function linkFile(from: Location, to: Location): Promise<void> {
  const target = at(to.folder, to.name)
  try {
    await link(at(from.folder, from.name), target)
  } catch (error) {
    if (!isWithoutLinks(error)) throw error
    await close(await open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600))
    await orGiveBack(
      async () => await renameOver(from, to),
      async () => await unlink(target),
    )
    return
  }
  await unlink(at(from.folder, from.name))
}

/** The name that was taken is free again when nothing came to it. */
async function orGiveBack(place: () => Promise<void>, giveBack: () => Promise<void>): Promise<void> {
  try {
    await place()
  } catch (error) {
    await giveBack()
    throw error
  }
}

/** Disks that know no hard links, as FAT; the system refuses them for files of others, too. */
function isWithoutLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS'].includes(errnoCode(error) ?? '')
}
