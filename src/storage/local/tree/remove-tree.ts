import { type BigIntStats, constants } from 'node:fs'
import { fail, throwIfCancelled } from '../../../domain/errors.ts'
import { isBeneath } from '../../../platform/files/served-root.ts'
import type { Work } from '../../storage.ts'
import type { Effects } from '../scope/effects.ts'
import { statsOrNothing } from '../system/disk.ts'
import { rmdir, stat, unlink } from '../system/gated-calls.ts'
import { at, hold, HOLD_FOLDER, type Location, type Name } from '../system/handle.ts'
import { mountsIn, readTable } from '../system/mounts.ts'
import { errnoCode } from '../system/os-error.ts'
import { removeUnless } from '../write/place-entry.ts'
import type { Copied } from './copy-entry.ts'
import { Entry, type Visitor, walk } from './walk.ts'

/** True for entries to keep, with their content. */
type Stays = (stats: BigIntStats, name: Name) => boolean

/**
 * Removes a file, a link itself, or a folder with its content. Works from the leaves up: if it is interrupted, what remains is
 * still where it was.
 *
 * @throws CONFLICT before anything is removed if another disk is mounted inside
 */
export async function removeTree(location: Location, work: Work = {}): Promise<void> {
  await requireNoMounts(location)
  await remove(location, work, new Removal(work))
}

/** The same for what users see. Of several requests that remove or rename one file at the same moment, one succeeds. */
export async function removeForUser(
  effects: Effects,
  location: Location,
  isFolder: boolean,
  work: Work,
): Promise<void> {
  if (isFolder) {
    await effects.requireServed()
    await removeTree(location, work)
    return
  }
  await requireNoMounts(location)
  await removeUnless(effects, location, () => {
    throwIfCancelled(work.signal)
    work.accept?.()
    return false
  })
  work.advance?.(0, 1)
}

async function requireNoMounts(location: Location): Promise<void> {
  const mounts = await mountsAt(location)
  if (mounts.size > 0) fail('CONFLICT', 'another disk is mounted in this folder: unmount it first')
}

/** Like `removeTree`, but keeps mount points inside and reports them to `leftOut`. */
export async function removeAroundMounts(location: Location, work: Work): Promise<void> {
  const mounts = await mountsAt(location)
  await remove(location, work, new Removal(work, (stats) => mounts.has(`${stats.dev} ${stats.ino}`)))
}

/** Removes only entries that were copied and have not changed since. Reports the rest to `leftOut`. */
export async function removeCopied(effects: Effects, location: Location, copied: Copied, work: Work): Promise<void> {
  await remove(location, work, new Removal(work, (stats, name) => !copied.has(stats, name), effects))
}

async function remove({ folder, name }: Location, work: Work, removal: Removal): Promise<void> {
  throwIfCancelled(work.signal)
  const stats = await statsOrNothing(at(folder, name))
  if (stats === undefined) return
  const top = new Entry(folder, Buffer.from(name), stats, '')
  if (!stats.isDirectory()) {
    await removal.file(top)
    return
  }
  if (!(await removal.enter(top))) return
  {
    using held = await hold(at(folder, name), HOLD_FOLDER | constants.O_NOFOLLOW)
    await walk(held, removal, { work, includesReserved: true })
  }
  await removal.leave(top)
}

class Removal implements Visitor {
  readonly #work: Work
  readonly #stays: Stays | undefined
  readonly #effects: Effects | undefined
  #leftOut = 0
  /** The value of #leftOut when each folder was entered. */
  readonly #leftOutBefore: number[] = []

  /**
   * @param effects if given, decides about each file under its lock, because others may write to it; and keeps and reports
   *        entries that the system refuses to remove, instead of throwing
   */
  constructor(work: Work, stays?: Stays, effects?: Effects) {
    this.#work = work
    this.#stays = stays
    this.#effects = effects
  }

  async file(entry: Entry): Promise<void> {
    const stays = (present: BigIntStats) => {
      this.#work.accept?.()
      return this.#stays?.(present, entry.name) === true
    }
    const act = async () => {
      if (this.#effects !== undefined) return await removeUnless(this.#effects, entry, stays)
      if (stays(entry.stats)) return false
      await unlink(at(entry.folder, entry.name))
      return true
    }
    if (await this.#tryRemove(entry, act)) this.#work.advance?.(0, 1)
  }

  async enter(entry: Entry): Promise<boolean> {
    if (this.#stays?.(entry.stats, entry.name) === true) {
      this.#notify(entry)
      return false
    }
    this.#leftOutBefore.push(this.#leftOut)
    return true
  }

  async leave(entry: Entry): Promise<void> {
    const hasLeftOut = this.#leftOutBefore.pop() !== this.#leftOut
    // An entry inside was kept and reported, so the folder stays.
    if (hasLeftOut) return
    await this.#tryRemove(entry, async () => {
      this.#work.accept?.()
      // rmdir() follows no link and removes only empty folders, so nothing is lost if the name was swapped meanwhile.
      await rmdir(at(entry.folder, entry.name))
      return true
    })
  }

  async #tryRemove(entry: Entry, act: () => Promise<boolean>): Promise<boolean> {
    try {
      if (await act()) return true
    } catch (error) {
      if (errnoCode(error) === 'ENOENT') return true
      if (this.#effects === undefined || errnoCode(error) === undefined) throw error
    }
    this.#notify(entry)
    return false
  }

  #notify(entry: Entry): void {
    this.#leftOut += 1
    this.#work.leftOut?.(entry.path)
  }
}

/** Mount points at a name or inside it, each as "device inode" of the mounted root. */
async function mountsAt({ folder, name }: Location): Promise<Set<string>> {
  const top = `${folder.realPath}/${Buffer.from(name).toString('latin1')}`
  const found = new Set<string>()
  for (const { mountPoint } of mountsIn(readTable())) {
    if (!isBeneath(top, mountPoint)) continue
    const { dev, ino } = await stat(Buffer.from(mountPoint, 'latin1'), { bigint: true })
    found.add(`${dev} ${ino}`)
  }
  return found
}
