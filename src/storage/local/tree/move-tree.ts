import type { BigIntStats } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import type { Acceptance, TransferMode, Work } from '../../storage.ts'
import { FoundLocation, type HeldLocation } from '../scope/destination.ts'
import { ensureTargetFolder, type NewFolders } from '../scope/ensure-folder.ts'
import { checkedLocation, holdFolder, requireNoWayOut } from '../scope/resolve.ts'
import { requireNothingProtectedIn, type ScopeRoot, targetRoot } from '../scope/scope-root.ts'
import { isSameFile, statsOf, statsOrNothing, syncFolder } from '../system/disk.ts'
import { at, bytesOf, type Handle, type Location, identityOf } from '../system/handle.ts'
import { errnoCode } from '../system/os-error.ts'
import { placeFile, placeFolder, placeInOurs, placeOver, removeOtherName } from '../write/place-entry.ts'
import { Copied, type CopyingToMove, holdOriginal, type Original } from './copy-entry.ts'
import { copyIntoPlace, mergeCopy, orFolderGone, requireSameKind } from './copy-tree.ts'
import { removeCopied } from './remove-tree.ts'
import { addCopied, lookAtTarget } from './earlier-run.ts'
import { type Entry, holdChild, namesIn, walk } from './walk.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

/** Opens the target folder. A folder to move is passed in, so that it is not moved into itself. */
export type FindTarget = (source: Handle | undefined) => Promise<FoundLocation>

/** The target at a path. Creates missing parents. */
export function targetAt(
  scopeRoot: ScopeRoot,
  segments: readonly string[],
  { folderMode }: Pick<TransferMode, 'folderMode'>,
  parents: NewFolders = {},
): FindTarget {
  const name = segments.at(-1)
  if (name === undefined) fail('FORBIDDEN', 'the root folder cannot be replaced')
  return async (source) => {
    using folder = await ensureTargetFolder(scopeRoot, segments.slice(0, -1), folderMode, source, parents)
    return await checkedLocation(scopeRoot, folder, name)
  }
}

/** The source at a path. Does not follow a link. */
export async function sourceAt(scopeRoot: ScopeRoot, segments: readonly string[]): Promise<FoundLocation> {
  const name = segments.at(-1)
  if (name === undefined) fail('FORBIDDEN', 'the root folder cannot be moved or removed')
  using folder = await holdFolder(scopeRoot, segments.slice(0, -1))
  return await checkedLocation(scopeRoot, folder, name)
}

/** Whether something is, or contains, a link: one that is harmless in its scope may lead out of another one, or into its secrets. */
export async function hasLinksAt(scopeRoot: ScopeRoot, segments: readonly string[], work: Work): Promise<boolean> {
  using source = await sourceAt(scopeRoot, segments)
  if (source.found?.isDirectory() !== true) return source.found?.isSymbolicLink() === true
  using folder = await holdChild(source.folder, bytesOf(source.name))
  const found = new AbortController()
  const file = async ({ stats }: Entry) => {
    if (stats.isSymbolicLink()) found.abort()
  }
  const enter = async () => !found.signal.aborted
  if (folder !== undefined) await walk(folder, { file, enter }, { work, ignores: () => found.signal.aborted })
  return found.signal.aborted
}

interface RenameMode extends TransferMode {
  /** Only this operation puts anything into the folder of the target. */
  readonly isOurs?: boolean
}

/**
 * Moves by one rename. Does not follow a link.
 *
 * @returns false if that is impossible (another disk, folders to merge, an earlier run has placed it); nothing has moved
 */
export async function renameEntry(
  scopeRoot: ScopeRoot,
  from: Location,
  findTarget: FindTarget,
  mode: RenameMode,
  { accept, placing }: Pick<Work, 'accept' | 'placing'>,
): Promise<boolean> {
  using source = await sourceOf(from)
  using ends = await moveEnds(scopeRoot, from, source, findTarget, mode)
  const { to, old, isOtherLink, isPlaced } = ends
  if (isPlaced) return false
  await placing?.(identityOf(source.stats))
  const isFolder = source.stats.isDirectory()
  const effects = scopeRoot.effects.ofUsers
  try {
    // rename() does nothing if both names are hard links of one file.
    if (isOtherLink) await removeOtherName(effects, from, to, accept)
    else if (mode.isOurs === true) await placeInOurs(effects, from, to, isFolder, accept)
    else if (old === undefined) await (isFolder ? placeFolder : placeFile)(effects, from, to, accept)
    else await placeOver(effects, from, to, accept)
  } catch (error) {
    const word = errnoCode(error)
    const isMerge = isFolder && old !== undefined && (word === 'ENOTEMPTY' || word === 'EEXIST')
    if (word === 'EXDEV' || isMerge) return false
    throw error
  }
  await syncFolder(to.folder)
  if (!isSameFile(await from.folder.identity(), await to.folder.identity())) await syncFolder(from.folder)
  return true
}

/**
 * Moves by copying, to another disk or to merge folders. Then removes each source entry that was copied and has not changed; the
 * others stay, and are reported to `leftOut`.
 */
export async function moveTree(
  scopeRoot: ScopeRoot,
  from: Location,
  findTarget: FindTarget,
  mode: TransferMode,
  work: Work,
): Promise<void> {
  using claim = await scopeRoot.effects.claim(from)
  using source = await holdOriginal(from)
  using ends = await moveEnds(scopeRoot, from, source, findTarget, mode)
  const { to, old, isPlaced } = ends
  const copied = new Copied(await scopeRoot.staged.living(), claim)
  // Skipped entries stay at the source, where removeCopied() reports them.
  const leftOut: Work['leftOut'] = (name, reason) => reason === 'attributes' && work.leftOut?.(name, reason)
  const into = targetRoot(scopeRoot, mode)
  const copying: CopyingToMove = { scopeRoot, into, work: { ...work, leftOut }, copied }
  if (isPlaced) await addCopied(copying, copied, source, to)
  else if (source.stats.isDirectory() && old !== undefined) {
    using existing = await holdOriginal(to)
    await work.placing?.(undefined)
    copied.add(source.stats, from.name)
    const ownWork = { ...copying.work, placing: undefined }
    const merging = mergeCopy(
      { ...copying, work: ownWork },
      source.handle,
      existing.handle,
      mode,
      async (entry, location, replaced) => {
        if (into !== scopeRoot && !entry.stats.isFile()) return false
        if (!(await tryRename(scopeRoot, entry, location, replaced !== undefined, work))) return false
        work.advance?.(Number(entry.stats.size), 1)
        return true
      },
    )
    await orFolderGone(merging)
  } else await orFolderGone(copyIntoPlace(copying, source, to, old))
  await syncFolder(to.folder)
  await removeCopied(scopeRoot.effects, from, copied, to, { ...work, advance: undefined })
  await syncFolder(from.folder)
}

async function tryRename(
  { effects }: ScopeRoot,
  entry: Entry,
  to: Location,
  replace: boolean,
  { accept }: Acceptance,
): Promise<boolean> {
  try {
    await (replace ? placeOver : entry.stats.isDirectory() ? placeFolder : placeFile)(effects, entry, to, accept)
    return true
  } catch (error) {
    if (isErrno(error, 'EXDEV')) return false
    // The entry was removed meanwhile.
    if (isErrno(error, 'ENOENT') && (await statsOrNothing(at(entry.folder, entry.name))) === undefined) return true
    throw error
  }
}

/** What is moved. A folder is open, so that it is not moved into itself. */
type Source = Pick<Original, 'stats'> & Partial<Pick<Original, 'handle'>>

async function sourceOf(from: Location): Promise<Source & Disposable> {
  const found = from instanceof FoundLocation ? from.found : undefined
  if (found === undefined || found.isDirectory()) return await holdOriginal(from)
  return { stats: found, [Symbol.dispose]: () => undefined }
}

/** Where a move leads to, open, with both ends checked. */
interface MoveEnds extends Disposable {
  readonly to: HeldLocation
  /** The existing entry at the target. */
  readonly old: BigIntStats | undefined
  /** True if `old` is another hard link of the source. */
  readonly isOtherLink: boolean
  /** True if `old` is what an earlier run has put there. */
  readonly isPlaced: boolean
}

async function moveEnds(
  scopeRoot: ScopeRoot,
  from: Location,
  source: Source,
  findTarget: FindTarget,
  mode: TransferMode,
): Promise<MoveEnds> {
  if (source.stats.isSymbolicLink()) await requireNoWayOut(scopeRoot, from.folder, from.name)
  await requireNothingProtectedIn(scopeRoot, source.stats)
  using held = new DisposableStack()
  const to = held.use(await findTarget(source.stats.isDirectory() ? source.handle : undefined))
  const { old, isPlaced } = await lookAtTarget(to, source.stats.isDirectory(), mode)
  const isOther =
    old !== undefined &&
    !isPlaced &&
    !(await isOneName(
      { folder: from.folder, name: from.name, stats: source.stats },
      { folder: to.folder, name: to.name, stats: old },
    ))
  if (isOther) {
    if (!mode.replace) fail('CONFLICT', 'something with this name is already there')
    requireSameKind(source.stats, old)
    await requireNothingProtectedIn(targetRoot(scopeRoot, mode), old)
    if (old.isSymbolicLink()) await requireNoWayOut(targetRoot(scopeRoot, mode), to.folder, to.name)
  }
  const moved = held.move()
  const isOtherLink = isOther && isSameFile(old, source.stats)
  return { to, old, isOtherLink, isPlaced, [Symbol.dispose]: () => moved.dispose() }
}

/** True for two spellings of one name. False for two hard links, which are both listed in their folders. */
export async function isOneName(one: EntryWithStats, other: EntryWithStats): Promise<boolean> {
  if (!isSameFile(one.stats, other.stats)) return false
  if (one.stats.nlink < 2n || one.stats.isDirectory()) return true
  if (!isSameFile(await statsOf(one.folder), await statsOf(other.folder))) return false
  const [name, otherName] = [bytesOf(one.name), bytesOf(other.name)]
  const listed = (await namesIn(one.folder)).filter((found) => found.equals(name) || found.equals(otherName))
  return listed.length < 2
}

interface EntryWithStats extends Location {
  readonly stats: BigIntStats
}
