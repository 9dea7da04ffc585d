import { constants, type BigIntStats } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import type { TransferMode, Work } from '../../storage.ts'
import { access } from '../gated-calls.ts'
import { statsOrNothing } from '../entry-stats.ts'
import { requireSpace } from '../free-space.ts'
import { requireNothingClosedIn, type ScopeRoot } from '../scope-root.ts'
import { at, type Handle } from '../handle.ts'
import { holdEntry, targetLocation } from '../resolve.ts'
import { syncFolder } from '../staged-file.ts'
import { copyEntry, holdIfThere, holdOriginal, MOST_LANES, type Copying, type Original } from './copy-entry.ts'
import { Lanes } from './lanes.ts'
import type { Location } from './location.ts'
import { mergeTrees, requireSameKind, type Merge } from './merge-trees.ts'
import { StagedEntry } from './staged-entry.ts'
import { ensureTargetFolder, requireOutside } from './target-folder.ts'
import type { Entry } from './walk.ts'

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
    await requireNothingClosedIn(scopeRoot, old)
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
  // The rename asks only for rights on the folder; a file that is read-only stays as it is.
  if (old?.isFile() === true) await access(at(target.folder, target.name), constants.W_OK)
  await using staged = new StagedEntry(copying.scopeRoot, target.folder, copying.work)
  if (!(await copyEntry(copying, original, staged))) return false
  await staged.place(target, { isFolder: original.stats.isDirectory(), replace: old !== undefined })
  return true
}

/**
 * Each file appears by itself when it is whole.
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
    isClosed: ({ folder, name, stats }) => copying.scopeRoot.closed.hasName(folder, name, stats),
    meet: ({ stats, name }) => copying.copied?.add(stats, name),
    async leave(folder) {
      await lanes.settle()
      await syncFolder(folder)
    },
  }
  await mergeTrees(source, target, merge, { work: copying.work, withOwn: copying.copied !== undefined })
}
