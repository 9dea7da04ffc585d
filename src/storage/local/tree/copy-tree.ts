import { type BigIntStats, constants } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import { STOPPING } from '../../../platform/limits/job-queue.ts'
import type { TransferMode, Work } from '../../storage.ts'
import { ensureTargetFolder, requireOutside } from '../scope/ensure-folder.ts'
import type { StagedNames } from '../scope/reserved-names.ts'
import { holdEntry, targetLocation } from '../scope/resolve.ts'
import { requireNothingProtectedIn, type ScopeRoot } from '../scope/scope-root.ts'
import { requireSpace, statsOrNothing, syncFolder } from '../system/disk.ts'
import { access } from '../system/gated-calls.ts'
import { at, type Handle, type Location } from '../system/handle.ts'
import { placeFile, placeFolder, placeOver } from '../write/place-entry.ts'
import { copyEntry, type Copying, holdIfThere, holdOriginal, Lanes, MOST_LANES, type Original } from './copy-entry.ts'
import { removeTree } from './remove-tree.ts'
import { Cursor, type Entry, walk, type WalkOptions } from './walk.ts'

/**
 * Copies what a path leads to. The copy appears by one rename when it is whole; only where folders are merged, each file
 * does so by itself.
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
  const folderMode = isFolder ? Number(stats.mode) & 0o777 : mode.folderMode
  using folder = await ensureTargetFolder(scopeRoot, to.slice(0, -1), folderMode, isFolder ? handle : undefined)
  using place = await targetLocation(scopeRoot, folder, name, mode.replace)
  if (isFolder) requireOutside(handle, place.folder)
  await requireSpace(place.folder, mode.length)

  const original: Original = { handle, stats, location: place, path: '' }
  const old = await statsOrNothing(at(place.folder, place.name))
  if (old !== undefined) {
    if (!mode.replace) fail('CONFLICT', 'something with this name is already there')
    requireSameKind(stats, old)
    await requireNothingProtectedIn(scopeRoot, old)
  }
  if (old !== undefined && isFolder) {
    using met = await holdOriginal(place)
    requireOutside(handle, met.handle)
    await mergeCopy({ scopeRoot, work }, handle, met.handle)
  } else await copyIntoPlace({ scopeRoot, work }, original, place, old)
  await syncFolder(place.folder)
}

/** @param old what will be replaced @returns false when it was left out */
export async function copyIntoPlace(
  copying: Copying,
  original: Original,
  target: Location,
  old: BigIntStats | undefined,
): Promise<boolean> {
  // A rename needs permissions on the folder only, but a read-only file must not be replaced.
  if (old?.isFile() === true) await access(at(target.folder, target.name), constants.W_OK)
  await using staged = new StagedEntry(copying.scopeRoot, target.folder, copying.work)
  if (!(await copyEntry(copying, original, staged))) return false
  await staged.place(target, { isFolder: original.stats.isDirectory(), replace: old !== undefined })
  return true
}

/**
 * Each file appears once it is complete.
 *
 * @param isRenamed brings an entry without copying it, where that can be done
 */
export async function mergeCopy(
  copying: Copying,
  source: Handle,
  target: Handle,
  isRenamed: (entry: Entry, to: Location, old: BigIntStats | undefined) => Promise<boolean> = async () => false,
): Promise<void> {
  await using lanes = new Lanes(MOST_LANES)
  const copy = async (entry: Entry, { folder, name }: Location, old: BigIntStats | undefined) => {
    using _from = entry.folder.retain()
    using to = folder.retain()
    using original = await holdIfThere(entry)
    if (original !== undefined) await copyIntoPlace(copying, original, { folder: to, name }, old)
  }
  const merge: Merge = {
    async carry(entry, to, old) {
      if (await isRenamed(entry, to, old)) return
      // A folder has lanes of its own.
      if (entry.stats.isDirectory()) await copy(entry, to, old)
      else await lanes.add(async () => await copy(entry, to, old))
    },
    isProtected: ({ folder, name, stats }) => copying.scopeRoot.protectedPaths.hasName(folder, name, stats),
    meet: ({ stats, name }) => copying.copied?.add(stats, name),
    async leave(folder) {
      await lanes.settle()
      await syncFolder(folder)
    },
  }
  await mergeTrees(source, target, merge, { work: copying.work, withOwn: copying.copied !== undefined })
}

interface Merge {
  /** Entries that `carry` leaves out, with their content. */
  readonly isProtected?: ((entry: Entry) => boolean) | undefined
  /** Transfers an entry that is not a folder on both sides. @param old what it replaces */
  carry(entry: Entry, to: Location, old: BigIntStats | undefined): Promise<void>
  /** This one is a folder in both. */
  meet?(folder: Entry): void
  /** Called when all content of an existing folder has been merged. */
  leave?(folder: Handle): Promise<void>
}

/** A file never replaces a folder, nor the other way round. @throws CONFLICT */
export function requireSameKind(source: BigIntStats, target: BigIntStats): void {
  if (source.isDirectory() && !target.isDirectory()) fail('CONFLICT', 'a file is in the way of the folder')
  if (!source.isDirectory() && target.isDirectory()) fail('CONFLICT', 'a folder is in the way')
}

/**
 * Puts what is in one folder into another: what is a folder in both is merged, the rest is brought by `carry`.
 *
 * @throws CONFLICT before anything is done, where a file and a folder would meet
 */
async function mergeTrees(source: Handle, target: Handle, merge: Merge, options: WalkOptions): Promise<void> {
  await walkBoth(source, target, { carry: async () => undefined, isProtected: merge.isProtected }, options)
  await walkBoth(source, target, merge, options)
}

async function walkBoth(
  source: Handle,
  target: Handle,
  { carry, isProtected, meet, leave }: Merge,
  options: WalkOptions,
): Promise<void> {
  using into = new Cursor(target)
  const bring = async (entry: Entry): Promise<boolean> => {
    const to = { folder: into.here, name: entry.name }
    const old = await statsOrNothing(at(to.folder, to.name))
    const isCarried = isProtected?.(entry) === true
    if (old !== undefined && !isCarried) requireSameKind(entry.stats, old)
    if (isCarried || old?.isDirectory() !== true) {
      await carry(entry, to, old)
      return false
    }
    await into.down(entry.name)
    meet?.(entry)
    return true
  }
  const up = async () => {
    await leave?.(into.here)
    await into.up()
  }
  const file = async (entry: Entry) => {
    await bring(entry)
  }
  await walk(source, { file, enter: bring, leave: up }, options)
  await leave?.(into.here)
}

/** A hidden name beside the target, for a file or a whole tree. Disposing removes what is still there. */
class StagedEntry implements AsyncDisposable, Location {
  readonly folder: Handle
  readonly name: string
  readonly #names: StagedNames
  readonly #signal: AbortSignal | undefined

  constructor({ staged }: Pick<ScopeRoot, 'staged'>, folder: Handle, { signal }: Work) {
    this.folder = folder
    this.#signal = signal
    this.#names = staged
    this.name = staged.next()
  }

  async place(target: Location, how: { readonly isFolder: boolean; readonly replace: boolean }): Promise<void> {
    if (how.isFolder) await placeFolder(this, target)
    else await (how.replace ? placeOver : placeFile)(this, target)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Left to the sweep of the next run: removing a large partial copy would delay the end for minutes.
    const isLeft = this.#signal?.reason === STOPPING && this.#names.stager !== undefined
    try {
      if ((await statsOrNothing(at(this.folder, this.name))) === undefined) return
      if (isLeft) this.#names.leaveBehind()
      else await removeTree(this)
    } catch (error) {
      this.#names.leaveBehind()
      throw error
    }
  }
}
