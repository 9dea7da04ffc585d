import { type BigIntStats, constants } from 'node:fs'
import { DiskWait, DISK_TIMEOUT, diskStalled } from '../../../platform/limits/disk-wait.ts'
import { statsOrNothing } from '../system/disk.ts'
import { close, link, mkdir, open, rename, rmdir, unlink } from '../system/gated-calls.ts'
import { at, type Location } from '../system/handle.ts'
import { errnoCode } from '../system/os-error.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants

/** One lock for each name in a folder, by whatever path the folder was reached. */
class TargetLocks {
  readonly #last = new Map<string, Promise<void>>()

  /** Waits for the lock; dispose the result to release it. @throws BUSY if the holder waits for a disk that does not answer */
  async acquire({ folder, name }: Location): Promise<Disposable> {
    const { dev, ino } = await folder.identity()
    const key = `${dev} ${ino} ${folded(name)}`
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const before = this.#last.get(key)
    this.#last.set(key, over)
    const lock = {
      [Symbol.dispose]: () => {
        if (this.#last.get(key) === over) this.#last.delete(key)
        resolve()
      },
    }
    const diskWait = DiskWait.current
    const overdue = setTimeout(() => diskWait?.release(), DISK_TIMEOUT)
    await before
    clearTimeout(overdue)
    if (diskWait?.isReleased !== true) return lock
    lock[Symbol.dispose]()
    throw diskStalled()
  }
}

/** Maps names that some file system treats as equal to one text. Waiting needlessly costs less than asking the file system. */
function folded(name: Location['name']): string {
  return name.toString().normalize('NFKD').toUpperCase().toLowerCase()
}

/** One set for the process: every function that puts an entry under a name uses these locks. */
const locks = new TargetLocks()

/**
 * Puts a file in place if `decide` permits it. Reads, checks and replaces the present file under one lock: of two writers that
 * expect the same old file, only one replaces it.
 *
 * @param decide throws to refuse
 * @param accept the same, without anything to wait for between it and the change
 */
export async function placeIfAccepted(
  from: Location,
  to: Location,
  decide: (present: BigIntStats | undefined) => Promise<void>,
  accept: (present: BigIntStats | undefined) => void,
): Promise<void> {
  using _lock = await locks.acquire(to)
  const present = await statsOrNothing(at(to.folder, to.name))
  await decide(present)
  accept(present)
  // If the name was free, a file that another program has created since is not replaced.
  await (present === undefined ? linkFile : renameOver)(from, to)
}

/** Replaces a file or link; rename() itself refuses to replace a folder. @param accept throws to refuse; as for the others here */
export async function placeOver(from: Location, to: Location, accept?: () => void): Promise<void> {
  using _lock = await locks.acquire(to)
  accept?.()
  await renameOver(from, to)
}

/** Puts a file or a link under a free name. */
export async function placeFile(from: Location, to: Location, accept?: () => void): Promise<void> {
  using _lock = await locks.acquire(to)
  accept?.()
  await linkFile(from, to)
}

/** Reserves the name with mkdir(), which fails if it exists, because rename() silently replaces an empty folder. */
export async function placeFolder(from: Location, to: Location, accept?: () => void): Promise<void> {
  using _lock = await locks.acquire(to)
  const target = at(to.folder, to.name)
  await mkdir(target, 0o700)
  await orUndo(
    async () => {
      accept?.()
      await renameOver(from, to)
    },
    async () => await rmdir(target),
  )
}

/** Removes a file or a link unless `stays` returns true. Decides under the lock, so that a save in between is not lost. */
export async function removeUnless(
  { folder, name }: Location,
  stays: (present: BigIntStats) => boolean,
): Promise<boolean> {
  using _lock = await locks.acquire({ folder, name })
  const present = await statsOrNothing(at(folder, name))
  if (present !== undefined && stays(present)) return false
  await unlink(at(folder, name))
  return true
}

async function renameOver(from: Location, to: Location): Promise<void> {
  await rename(at(from.folder, from.name), at(to.folder, to.name))
}

/** Node has no rename that refuses to replace (RENAME_NOREPLACE), but link() does refuse. */
async function linkFile(from: Location, to: Location): Promise<void> {
  const target = at(to.folder, to.name)
  try {
    await link(at(from.folder, from.name), target)
  } catch (error) {
    if (!isWithoutLinks(error)) throw error
    await close(await open(target, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600))
    await orUndo(
      async () => await renameOver(from, to),
      async () => await unlink(target),
    )
    return
  }
  await unlink(at(from.folder, from.name))
}

/** Calls `undo`, which frees the reserved name, if `place` fails. */
async function orUndo(place: () => Promise<void>, undo: () => Promise<void>): Promise<void> {
  try {
    await place()
  } catch (error) {
    await undo()
    throw error
  }
}

/** True if the file system has no hard links, as FAT, or the kernel refuses a link to a file of another user. */
function isWithoutLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS'].includes(errnoCode(error) ?? '')
}
