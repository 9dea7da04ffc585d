import type { BigIntStats } from 'node:fs'
import { fail, isFilemgrError, throwIfCancelled } from '../../../domain/errors.ts'
import { isBeneath } from '../../../platform/files/served-root.ts'
import { isStagedName, otherStagedName } from '../../reserved-names.ts'
import type { SkipReason, Work } from '../../storage.ts'
import type { Effects } from '../scope/effects.ts'
import { statsOrNothing } from '../system/disk.ts'
import { rename, rmdir, stat, unlink } from '../system/gated-calls.ts'
import { at, bytesOf, type Location, type Name } from '../system/handle.ts'
import { mountsIn, readTable } from '../system/mounts.ts'
import { errnoCode } from '../system/os-error.ts'
import { removeBeside, removeEntry } from '../write/place-entry.ts'
import type { Copied } from './copy-entry.ts'
import { Cursor, Entry, holdChild, type Visitor, walk } from './walk.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

/** Decides which entries stay, with their content. */
interface Keeper {
  /** Judges an entry before it is removed or entered. @returns why it stays */
  judge(entry: Entry): Promise<SkipReason | undefined>
  /** The same for a file, right before its removal. @param copy what is at `copyOf` */
  stays(present: BigIntStats, name: Name, copy?: BigIntStats): boolean
  /** Where the copy of the entry is without which it stays. */
  copyOf?(entry: Entry): Location
  /** Called for each folder whose content is visited, and at its end. */
  down?(folder: Entry): Promise<void>
  up?(): Promise<void>
}

/**
 * Removes a file, a link itself, or a folder with its content. Works from the leaves up: if it is interrupted, what remains is
 * still where it was.
 *
 * @throws CONFLICT before anything is removed if another disk is mounted inside
 */
export async function removeTree(location: Location, work: Work = {}): Promise<void> {
  const mounts = await mountsAt(location)
  if (mounts.size > 0)
    fail('CONFLICT', 'another disk is mounted in this folder: unmount it first', { reason: 'mounted' })
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
    await effects.requireRemovable(location)
    await removeTree(location, work)
    return
  }
  await removeEntry(effects.ofUsers, location, () => {
    throwIfCancelled(work.signal)
    work.accept?.()
  })
  work.advance?.(0, 1)
}

/** Like `removeTree`, but keeps mount points inside and reports them to `leftOut`. */
export async function removeAroundMounts(location: Location, work: Work): Promise<void> {
  const mounts = await mountsAt(location)
  const stays = ({ dev, ino }: BigIntStats) => mounts.has(`${dev} ${ino}`)
  const judge = async ({ stats }: Entry) => (stays(stats) ? 'changed' : undefined)
  await remove(location, work, new Removal(work, { judge, stays }))
}

/**
 * Removes only entries that were copied, have not changed since, and whose copies are there and complete. Reports the rest to
 * `leftOut`.
 *
 * @param copy where the copy of the location was put
 */
export async function removeCopied(
  effects: Effects,
  location: Location,
  copied: Copied,
  copy: Location,
  work: Work,
): Promise<void> {
  using keeper = new CopiedOnly(copied, copy)
  await remove(location, work, new Removal(work, keeper, effects))
}

/** Walks the copy beside the original: others may have removed a part of it, and then its original is all there is. */
class CopiedOnly implements Keeper, Disposable {
  readonly #copied: Copied
  readonly #topName: Name
  readonly #copies: Cursor
  #depth = 0

  constructor(copied: Copied, { folder, name }: Location) {
    this.#copied = copied
    this.#topName = name
    this.#copies = new Cursor(folder)
  }

  async judge(entry: Entry): Promise<SkipReason | undefined> {
    if (await this.#copied.isInUse(entry)) return 'inUse'
    if (!this.#copied.has(entry.stats, entry.name)) return 'changed'
    const { folder, name } = this.copyOf(entry)
    return isComplete(entry.stats, await statsOrNothing(at(folder, name))) ? undefined : 'copyGone'
  }

  /** Others may have taken the entry for a complete copy of its copy. */
  stays(present: BigIntStats, name: Name, copy?: BigIntStats): boolean {
    return !this.#copied.has(present, name) || !isComplete(present, copy)
  }

  copyOf(entry: Entry): Location {
    return { folder: this.#copies.here, name: this.#nameOf(entry) }
  }

  async down(folder: Entry): Promise<void> {
    await this.#copies.down(this.#nameOf(folder))
    this.#depth += 1
  }

  async up(): Promise<void> {
    this.#depth -= 1
    await this.#copies.up()
  }

  [Symbol.dispose](): void {
    this.#copies[Symbol.dispose]()
  }

  /** The top may have another name than its copy. */
  #nameOf({ name }: Entry): Name {
    return this.#depth === 0 ? this.#topName : name
  }
}

function isComplete(original: BigIntStats, copy: BigIntStats | undefined): boolean {
  if (copy === undefined) return false
  if (original.isFile()) return copy.isFile() && copy.size === original.size
  return original.isDirectory() ? copy.isDirectory() : copy.isSymbolicLink()
}

async function remove({ folder, name }: Location, work: Work, removal: Removal): Promise<void> {
  throwIfCancelled(work.signal)
  const stats = await statsOrNothing(at(folder, name))
  if (stats === undefined) return
  const top = new Entry(folder, bytesOf(name), stats, '')
  if (!stats.isDirectory()) {
    await removal.file(top)
    return
  }
  using held = await holdChild(folder, top.name)
  if (held === undefined || !(await removal.enter(top))) return
  await walk(held, removal, { work })
  await removal.leave(top)
}

/** How often the rest is removed from a folder that another operation is still filling. It fails once a folder in it is gone. */
const MAX_PASSES = 100
const FILLED = 'something was put into this folder meanwhile: delete it again'
/** Errors of opening a folder that was removed or replaced. */
const NO_FOLDER = new Set(['ENOENT', 'ENOTDIR', 'ELOOP'])

class Removal implements Visitor {
  readonly #work: Work
  readonly #keeper: Keeper | undefined
  readonly #effects: Effects | undefined
  #leftOut = 0
  /** The folders around the current entry, and the value of #leftOut when each was entered. */
  readonly #around: { readonly path: string; readonly leftOut: number }[] = []
  /** The folder in which something in use was reported last. */
  #inUse: string | undefined

  /**
   * @param effects if given, for a move: decides about each file under its lock, because others may write to it; keeps and reports
   *        entries that the system refuses to remove, instead of throwing; and leaves alone what other operations are writing
   */
  constructor(work: Work, keeper?: Keeper, effects?: Effects) {
    this.#work = work
    this.#keeper = keeper
    this.#effects = effects
  }

  async file(entry: Entry): Promise<void> {
    if (await this.#isKept(entry)) return
    const stays = (present: BigIntStats, copy?: BigIntStats) => {
      this.#work.accept?.()
      return this.#keeper?.stays(present, entry.name, copy) === true
    }
    const copy = this.#keeper?.copyOf?.(entry)
    const act = async () => {
      if (this.#effects !== undefined && copy !== undefined)
        return await removeBeside(this.#effects, entry, copy, stays)
      if (stays(entry.stats)) return false
      await unlink(at(entry.folder, entry.name))
      return true
    }
    if (await this.#tryRemove(entry, act)) this.#work.advance?.(0, 1)
  }

  async enter(entry: Entry): Promise<boolean> {
    if (await this.#isKept(entry)) return false
    if (this.#effects === undefined && this.#around.length > 0 && isStagedName(entry.text)) {
      await this.#takeAway(entry)
      return false
    }
    try {
      await this.#keeper?.down?.(entry)
    } catch (error) {
      if (!NO_FOLDER.has(errnoCode(error) ?? '')) throw error
      this.#notify(entry.path, 'copyGone')
      return false
    }
    this.#around.push({ path: entry.path, leftOut: this.#leftOut })
    return true
  }

  async leave(entry: Entry): Promise<void> {
    await this.#keeper?.up?.()
    const hasLeftOut = this.#around.pop()?.leftOut !== this.#leftOut
    // An entry inside was kept and reported, so the folder stays.
    if (hasLeftOut) return
    await this.#tryRemove(entry, async () => {
      this.#work.accept?.()
      // rmdir() follows no link and removes only empty folders, so nothing is lost if the name was swapped meanwhile.
      await rmdir(at(entry.folder, entry.name))
      return true
    })
  }

  /**
   * Removes a folder that another operation may still be filling. Renames it first, so that the operation fails: otherwise it
   * could put half a folder in place and then remove the originals. Nobody would remove the rest later, so this cannot be cancelled.
   */
  async #takeAway({ folder, name, text }: Entry): Promise<void> {
    const taken = { folder, name: otherStagedName(text) }
    this.#work.accept?.()
    try {
      await rename(at(folder, name), at(folder, taken.name))
    } catch (error) {
      // The operation has put it in place.
      if (isErrno(error, 'ENOENT')) return
      throw error
    }
    for (let passes = 1; ; passes += 1) {
      try {
        await remove(taken, {}, new Removal({}, this.#keeper))
        return
      } catch (error) {
        // The operation, which has not noticed yet, created another file.
        if (!isFilemgrError(error, 'CONFLICT') || passes === MAX_PASSES) throw error
      }
    }
  }

  async #isKept(entry: Entry): Promise<boolean> {
    const reason = await this.#keeper?.judge(entry)
    if (reason === undefined) return false
    const around = this.#around.at(-1)?.path ?? entry.path
    if (reason !== 'inUse') this.#notify(entry.path, reason)
    else if (around === this.#inUse) this.#leftOut += 1
    else this.#notify((this.#inUse = around), reason)
    return true
  }

  async #tryRemove(entry: Entry, act: () => Promise<boolean>): Promise<boolean> {
    try {
      if (await act()) return true
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return true
      if (this.#effects === undefined && isErrno(error, 'ENOTEMPTY')) fail('CONFLICT', FILLED, { reason: 'changed' })
      if (this.#effects === undefined || errnoCode(error) === undefined) throw error
    }
    this.#notify(entry.path, 'changed')
    return false
  }

  #notify(path: string, reason: SkipReason): void {
    this.#leftOut += 1
    this.#work.leftOut?.(path, reason)
  }
}

/** Mount points at a name or inside it, each as "device inode" of the mounted root. */
async function mountsAt({ folder, name }: Location): Promise<Set<string>> {
  const top = `${folder.realPath}/${bytesOf(name).toString('latin1')}`
  const found = new Set<string>()
  for (const { mountPoint } of mountsIn(readTable())) {
    if (!isBeneath(top, mountPoint)) continue
    const { dev, ino } = await stat(Buffer.from(mountPoint, 'latin1'), { bigint: true })
    found.add(`${dev} ${ino}`)
  }
  return found
}
