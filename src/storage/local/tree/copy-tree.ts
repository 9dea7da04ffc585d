import { type BigIntStats, constants } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import { STOPPING } from '../../../platform/limits/job-queue.ts'
import type { TransferMode, Work } from '../../storage.ts'
import type { Effects } from '../scope/effects.ts'
import { HeldLocation } from '../scope/destination.ts'
import { ensureTargetFolder, requireOutside } from '../scope/ensure-folder.ts'
import { isStagedName, type StagedNames } from '../../reserved-names.ts'
import { holdEntry, targetLocation } from '../scope/resolve.ts'
import { requireNothingProtectedIn, type ScopeRoot, targetRoot } from '../scope/scope-root.ts'
import { requireSpace, statsOrNothing, syncFolder } from '../system/disk.ts'
import { access, lstat } from '../system/gated-calls.ts'
import { identityOf, at, type Handle, hold, HOLD_FOLDER, type Location } from '../system/handle.ts'
import { modeOfFolderCopy } from '../system/new-entry.ts'
import { placeIfFree, placeFolder, placeOver } from '../write/place-entry.ts'
import {
  copyEntry,
  type Copying,
  holdIfThere,
  holdOriginal,
  Lanes,
  MAX_LANES,
  type Original,
  walkOptionsOf,
} from './copy-entry.ts'
import { hasChangedSince, isCopy, lookAtTarget } from './earlier-run.ts'
import { removeTree } from './remove-tree.ts'
import { Cursor, type Entry, walk, type WalkOptions } from './walk.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

/**
 * Copies the target of a path. The copy appears by one rename once it is complete; if folders are merged, each file does.
 */
export async function copyTree(
  scopeRoot: ScopeRoot,
  from: readonly string[],
  to: readonly string[],
  mode: TransferMode,
  work: Work,
): Promise<void> {
  using held = await holdEntry(scopeRoot, from)
  const { target: handle, targetStats: stats } = held
  const isFolder = stats.isDirectory()
  if (!isFolder && !stats.isFile()) fail('FORBIDDEN', 'only files and folders can be copied')
  const name = to.at(-1)
  if (name === undefined) fail('FORBIDDEN', 'the root folder cannot be replaced')
  const { admitFolder } = work
  const into = targetRoot(scopeRoot, mode)
  const above = isFolder ? handle : undefined
  // Missing folders around a copied folder get its mode, as clients of the original expect.
  const folderMode = isFolder ? modeOfFolderCopy(stats, mode.folderMode) : mode.folderMode
  using folder = await ensureTargetFolder(into, to.slice(0, -1), folderMode, above, { admitFolder })
  using target = await targetLocation(into, folder, name, mode.replace)
  if (isFolder) requireOutside(handle, target.folder)
  await requireSpace(target.folder, mode.length)

  using source = await locationOf(handle)
  const original: Original = { handle, stats, location: source, path: '' }
  const { old, isPlaced } = await lookAtTarget(target, isFolder, mode)
  if (isPlaced) {
    await syncFolder(target.folder)
    return
  }
  if (old !== undefined) {
    if (!mode.replace) fail('CONFLICT', 'something with this name is already there')
    requireSameKind(stats, old)
    await requireNothingProtectedIn(into, old)
  }
  if (old !== undefined && isFolder) {
    using existing = await holdOriginal(target)
    requireOutside(handle, existing.handle)
    await work.placing?.(undefined)
    const copying = { scopeRoot, into, folderMode: mode.folderMode, work: { ...work, placing: undefined } }
    await orFolderGone(mergeCopy(copying, handle, existing.handle, mode))
  } else
    await orFolderGone(copyIntoPlace({ scopeRoot, into, folderMode: mode.folderMode, work }, original, target, old))
  await syncFolder(target.folder)
}

/** Where an open entry is by now: a link may have led to it. */
async function locationOf(handle: Handle): Promise<HeldLocation> {
  const path = Buffer.from(handle.realPath, 'latin1')
  const slash = path.lastIndexOf('/')
  return new HeldLocation(
    await hold(Buffer.concat([path.subarray(0, slash), Buffer.from('/')]), HOLD_FOLDER),
    path.subarray(slash + 1),
  )
}

/** Others may delete a folder into which something is copied or moved, with its staged half. Then nothing of that was removed. */
export async function orFolderGone<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    fail('CONFLICT', 'a folder of the target was removed meanwhile: what has not arrived is still in its old place', {
      reason: 'changed',
    })
  }
}

/** @param old the entry to replace @returns false if the original was skipped */
export async function copyIntoPlace(
  copying: Copying,
  original: Original,
  target: Location,
  old: BigIntStats | undefined,
): Promise<boolean> {
  // rename() only needs permission for the folder, but a read-only file must not be replaced.
  if (old?.isFile() === true) await access(at(target.folder, target.name), constants.W_OK)
  const work = old === undefined ? copying.work : replacing(copying.work, old)
  await using staged = new StagedEntry(copying.scopeRoot, target.folder, work)
  const replaced = old?.isFile() === true ? { location: target, stats: old } : undefined
  const own = copying.copied ? { ...copying, work } : { ...copying, work, replaced }
  if (!(await copyEntry(own, original, staged))) return false
  await work.placing?.(identityOf(await lstat(at(staged.folder, staged.name), { bigint: true })))
  const { accept } = work
  await staged.place(target, { isFolder: original.stats.isDirectory(), replace: old !== undefined, accept })
  return true
}

interface Replacing extends Work {
  readonly accept: (present?: BigIntStats) => void
}

/** @param old what is replaced, which is credited to the copy: it must not have shrunk by then */
function replacing(work: Work, old: BigIntStats): Replacing {
  const { admit, accept } = work
  return {
    ...work,
    admit: admit && ((bytes) => admit(bytes, Number(old.size))),
    accept(present) {
      accept?.()
      if (admit !== undefined && (present === undefined || present.size < old.size))
        fail('CONFLICT', 'a file that is replaced was changed meanwhile; try again', { reason: 'changed' })
    },
  }
}

/**
 * Merges a folder into another. Each file appears once it is complete.
 *
 * @param tryRename moves an entry by a rename instead; returns false if it must be copied
 */
export async function mergeCopy(
  copying: Copying,
  source: Handle,
  target: Handle,
  { earlier }: Pick<TransferMode, 'earlier'>,
  tryRename: (entry: Entry, to: Location, old: BigIntStats | undefined) => Promise<boolean> = async () => false,
): Promise<void> {
  await using lanes = new Lanes(MAX_LANES)
  const copy = async (entry: Entry, { folder, name }: Location, old: BigIntStats | undefined) => {
    using _from = entry.folder.retain()
    using to = folder.retain()
    using original = await holdIfThere(entry)
    if (original !== undefined) await copyIntoPlace(copying, original, { folder: to, name }, old)
  }
  const { effects } = copying.scopeRoot
  /** A sweep that looks for hidden files meanwhile may have seen the target before, and not this one. */
  const countHidden = ({ text }: Entry) => {
    if (isStagedName(text)) effects.countMoved()
  }
  const merge: Merge = {
    async transfer(entry, to, old) {
      countHidden(entry)
      using _counted = { [Symbol.dispose]: () => countHidden(entry) }
      if (old !== undefined && earlier !== undefined && hasChangedSince(old, earlier)) {
        await leaveAtTarget(copying, entry, to, old)
        return
      }
      if (await tryRename(entry, to, old)) return
      // Copying a folder starts its own lanes.
      if (entry.stats.isDirectory()) await copy(entry, to, old)
      else await lanes.add(async () => await copy(entry, to, old))
    },
    isProtected: ({ folder, name, stats }) => copying.scopeRoot.protectedPaths.hasName(folder, name, stats),
    onExistingFolder: ({ stats, name }) => copying.copied?.add(stats, name),
    async leave(folder) {
      await lanes.whenDone()
      await syncFolder(folder)
    },
  }
  await mergeTrees(source, target, merge, walkOptionsOf(copying))
}

/** What an earlier run has placed is done; what others have put there since is not replaced. */
async function leaveAtTarget({ work, copied }: Copying, entry: Entry, to: Location, old: BigIntStats): Promise<void> {
  const isDone = copied === undefined ? entry.stats.size === old.size : await isCopy(entry, to, old)
  if (!isDone) work.leftOut?.(entry.path, 'changed')
  // A source that is not recorded here stays, and `removeCopied` reports it.
  else copied?.add(entry.stats, entry.name)
}

interface Merge {
  /** True for entries that `transfer` skips, with their content. */
  readonly isProtected?: ((entry: Entry) => boolean) | undefined
  /** Transfers an entry that is not a folder on both sides. @param old the entry that it replaces */
  transfer(entry: Entry, to: Location, old: BigIntStats | undefined): Promise<void>
  /** Called for each folder that exists on both sides. */
  onExistingFolder?(folder: Entry): void
  /** Called when all content of an existing folder has been merged. */
  leave?(folder: Handle): Promise<void>
}

/** A file never replaces a folder, nor a folder a file. @throws CONFLICT */
export function requireSameKind(source: BigIntStats, target: BigIntStats): void {
  if (source.isDirectory() && !target.isDirectory())
    fail('CONFLICT', 'a file is in the way of the folder', { reason: 'fileInWay' })
  if (!source.isDirectory() && target.isDirectory())
    fail('CONFLICT', 'a folder is in the way', { reason: 'folderInWay' })
}

/**
 * Transfers the content of one folder to another: merges folders that exist in both, and calls `transfer` for the rest.
 *
 * @throws CONFLICT before any change if a file and a folder have the same name
 */
async function mergeTrees(source: Handle, target: Handle, merge: Merge, options: WalkOptions): Promise<void> {
  await walkBoth(source, target, { transfer: async () => undefined, isProtected: merge.isProtected }, options)
  await walkBoth(source, target, merge, options)
}

/** Looks at each entry of a folder beside the one with the same name in another. */
export async function walkBoth(
  source: Handle,
  target: Handle,
  { transfer, isProtected, onExistingFolder, leave }: Merge,
  options: WalkOptions,
): Promise<void> {
  using into = new Cursor(target)
  const transferOrEnter = async (entry: Entry): Promise<boolean> => {
    const to = { folder: into.here, name: entry.name }
    const old = await statsOrNothing(at(to.folder, to.name))
    const isSkipped = isProtected?.(entry) === true
    if (old !== undefined && !isSkipped) requireSameKind(entry.stats, old)
    if (isSkipped || old?.isDirectory() !== true) {
      await transfer(entry, to, old)
      return false
    }
    await into.down(entry.name)
    onExistingFolder?.(entry)
    return true
  }
  const up = async () => {
    await leave?.(into.here)
    await into.up()
  }
  const file = async (entry: Entry) => {
    await transferOrEnter(entry)
  }
  await walk(source, { file, enter: transferOrEnter, leave: up }, options)
  await leave?.(into.here)
}

interface Placement {
  readonly accept?: ((present?: BigIntStats) => void) | undefined
  readonly isFolder: boolean
  readonly replace: boolean
}

/** A file or a whole tree under a hidden name beside its target. Disposing removes it if it has not been put in place. */
export class StagedEntry implements AsyncDisposable, Location {
  readonly folder: Handle
  readonly name: string
  readonly #names: StagedNames
  readonly #effects: Effects
  readonly #signal: AbortSignal | undefined
  /** True while a removal would lose something. The next run must sweep it then. */
  isNeeded = false

  constructor({ staged, effects }: Pick<ScopeRoot, 'staged' | 'effects'>, folder: Handle, { signal }: Work) {
    this.folder = folder
    this.#signal = signal
    this.#names = staged
    this.#effects = effects
    this.name = staged.begin()
  }

  async place(target: Location, { isFolder, replace, accept }: Placement): Promise<void> {
    if (isFolder) await placeFolder(this.#effects, this, target, () => accept?.())
    else if (replace) await placeOver(this.#effects, this, target, (present) => accept?.(present))
    else if (!(await placeIfFree(this.#effects, this, target, () => accept?.())))
      fail('CONFLICT', 'something with this name is already there')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Removing a large partial copy could delay the shutdown for minutes, so the next run sweeps it.
    const isLeft = this.isNeeded || (this.#signal?.reason === STOPPING && this.#names.stager !== undefined)
    try {
      if ((await statsOrNothing(at(this.folder, this.name))) === undefined) return
      if (isLeft) this.#names.leaveBehind(this.name)
      else await removeTree(this)
    } catch (error) {
      this.#names.leaveBehind(this.name)
      throw error
    } finally {
      this.#names.end(this.name)
    }
  }
}
