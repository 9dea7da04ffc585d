import { type BigIntStats, constants } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import type { Work } from '../../storage.ts'
import { isBeneath } from '../scope/scope-root.ts'
import { statsOrNothing } from '../system/disk.ts'
import { rmdir, stat, unlink } from '../system/gated-calls.ts'
import { at, hold, HOLD_FOLDER, type Location, type Name } from '../system/handle.ts'
import { mountsIn, readTable } from '../system/mounts.ts'
import { errnoCode } from '../system/os-error.ts'
import { removeUnless } from '../write/place-entry.ts'
import type { Copied } from './copy-entry.ts'
import { Entry, throwIfAborted, type Visitor, walk } from './walk.ts'

/** Which entries to keep, with their content. */
type Stays = (stats: BigIntStats, name: Name) => boolean

/**
 * Removes a file, a link, or a folder with all in it; what links lead to stays. It goes from the leaves to the top: what is not
 * removed when this breaks off is where it was.
 *
 * @throws CONFLICT before anything is removed, where another disk is mounted in it
 */
export async function removeTree(location: Location, work: Work = {}): Promise<void> {
  const mounts = await mountsAt(location)
  if (mounts.size > 0) fail('CONFLICT', 'another disk is mounted in this folder: unmount it first')
  await remove(location, work, new Removal(work))
}

/** Keeps mount points beneath it, and reports them as left out. */
export async function removeAroundMounts(location: Location, work: Work): Promise<void> {
  const mounts = await mountsAt(location)
  await remove(location, work, new Removal(work, (stats) => mounts.has(`${stats.dev} ${stats.ino}`)))
}

/** Removes only what was copied and is unchanged. The rest stays and is reported as left out. */
export async function removeCopied(location: Location, copied: Copied, work: Work): Promise<void> {
  await remove(location, work, new Removal(work, (stats, name) => !copied.has(stats, name), true))
}

async function remove({ folder, name }: Location, work: Work, removal: Removal): Promise<void> {
  throwIfAborted(work)
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
    await walk(held, removal, { work, withOwn: true })
  }
  await removal.leave(top)
}

class Removal implements Visitor {
  readonly #work: Work
  readonly #stays: Stays | undefined
  readonly #isRefusalTold: boolean
  #told = 0
  /** How many entries were left out when each folder was entered. */
  readonly #toldBefore: number[] = []

  /** @param isRefusalTold what the system refuses to remove stays, too, and does not break it off */
  constructor(work: Work, stays?: Stays, isRefusalTold = false) {
    this.#work = work
    this.#stays = stays
    this.#isRefusalTold = isRefusalTold
  }

  async file(entry: Entry): Promise<void> {
    const stays = this.#stays
    const act = async () => {
      if (stays === undefined) await unlink(at(entry.folder, entry.name))
      return stays === undefined || (await removeUnless(entry, (present) => stays(present, entry.name)))
    }
    if (await this.#isGone(entry, act)) this.#work.advance?.(0, 1)
  }

  async enter(entry: Entry): Promise<boolean> {
    if (this.#stays?.(entry.stats, entry.name) === true) {
      this.#notify(entry)
      return false
    }
    this.#toldBefore.push(this.#told)
    return true
  }

  async leave(entry: Entry): Promise<void> {
    const isAllTold = this.#toldBefore.pop() !== this.#told
    // Entries that stay have been reported, and keep the folder.
    if (isAllTold) return
    await this.#isGone(entry, async () => {
      // Follows no link and takes only an empty folder: whatever stands there by now, nothing else is lost.
      await rmdir(at(entry.folder, entry.name))
      return true
    })
  }

  async #isGone(entry: Entry, act: () => Promise<boolean>): Promise<boolean> {
    try {
      if (await act()) return true
    } catch (error) {
      if (errnoCode(error) === 'ENOENT') return true
      if (!this.#isRefusalTold || errnoCode(error) === undefined) throw error
    }
    this.#notify(entry)
    return false
  }

  #notify(entry: Entry): void {
    this.#told += 1
    this.#work.leftOut?.(entry.path)
  }
}

/** What other disks are mounted at a name or beneath it: "device inode" of what shows there. */
async function mountsAt({ folder, name }: Location): Promise<Set<string>> {
  const top = Buffer.concat([folder.realPath, Buffer.from('/'), Buffer.from(name)])
  const found = new Set<string>()
  for (const mount of mountsIn(readTable())) {
    const place = Buffer.from(mount.place, 'latin1')
    if (!isBeneath(top, place)) continue
    const { dev, ino } = await stat(place, { bigint: true })
    found.add(`${dev} ${ino}`)
  }
  return found
}
