import type { BigIntStats } from 'node:fs'
import { fail } from '../../../domain/errors.ts'
import { type EarlierRun, isSameEntry } from '../../../domain/files/entry-identity.ts'
import type { TransferMode } from '../../storage.ts'
import type { FoundLocation } from '../scope/destination.ts'
import { statsOrNothing } from '../system/disk.ts'
import { settableTime } from '../system/file-times.ts'
import { readlink, rmdir } from '../system/gated-calls.ts'
import { identityOf, at, hold, HOLD_FOLDER, type Handle, type Location } from '../system/handle.ts'
import { type Copied, type Copying, type Original, walkOptionsOf } from './copy-entry.ts'
import { Cursor, type Entry, walk } from './walk.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

/** The clock of the kernel for files advances every few milliseconds, and may be behind ours by as much. */
const CLOCK_STEP_MS = 100
/** Disks may keep fewer digits of a time. */
const TIME_STEP_NS = 2000n

/** What is at the target of an operation. */
export interface AtTarget {
  readonly old: BigIntStats | undefined
  /** It is what an earlier run of this operation has put there. */
  readonly isPlaced: boolean
}

/**
 * Looks at the target. If the operation continues, nothing that has appeared since it began may be replaced, except for the empty
 * folder that a killed process leaves between reserving the name and the rename over it.
 *
 * @throws CONFLICT
 */
export async function lookAtTarget(
  to: FoundLocation,
  isFolder: boolean,
  { replace, earlier }: Pick<TransferMode, 'replace' | 'earlier'>,
): Promise<AtTarget> {
  const old = to.found
  if (old === undefined || earlier === undefined) return { old, isPlaced: false }
  if (earlier.placed !== undefined && isSameEntry(identityOf(old), earlier.placed)) return { old, isPlaced: true }
  if (!hasChangedSince(old, earlier)) return { old, isPlaced: false }
  if (isFolder && !replace && old.isDirectory() && (await removeIfEmpty(to))) return { old: undefined, isPlaced: false }
  if (!old.isDirectory())
    fail('CONFLICT', 'something with this name appeared while the operation was interrupted; nothing was replaced')
  return { old, isPlaced: false }
}

async function removeIfEmpty({ folder, name }: Location): Promise<boolean> {
  try {
    await rmdir(at(folder, name))
    return true
  } catch (error) {
    if (isErrno(error, 'ENOTEMPTY', 'EEXIST')) return false
    throw error
  }
}

/** True for what the operation itself, or somebody else, has put there since the operation began. */
export function hasChangedSince({ ctimeNs }: BigIntStats, { since }: EarlierRun): boolean {
  return ctimeNs >= BigInt(Math.max(0, since - CLOCK_STEP_MS)) * 1_000_000n
}

/** Whether the file or link at the target is a copy of the source, which a move makes with the same time. */
export async function isCopy(source: Entry | FoundSource, target: Location, stats: BigIntStats): Promise<boolean> {
  if (source.stats.isSymbolicLink() && stats.isSymbolicLink()) {
    const text = async ({ folder, name }: Location) => await readlink(at(folder, name), { encoding: 'buffer' })
    return (await text(source)).equals(await text(target))
  }
  if (!source.stats.isFile() || !stats.isFile() || source.stats.size !== stats.size) return false
  const difference = settableTime(source.stats.mtimeNs) - stats.mtimeNs
  return difference < TIME_STEP_NS && difference > -TIME_STEP_NS
}

interface FoundSource extends Location {
  readonly stats: BigIntStats
}

/** Adds what an earlier run of a move has copied and put in place: the entries that are the same at both ends. */
export async function addCopied(copying: Copying, copied: Copied, source: Original, to: Location): Promise<void> {
  const top = { ...source.location, stats: source.stats }
  if (!source.stats.isDirectory()) {
    await addIfCopied(copied, top, to)
    return
  }
  using target = await hold(at(to.folder, to.name), HOLD_FOLDER)
  copied.add(source.stats, source.location.name)
  await addTree(copying, copied, source.handle, target)
}

async function addTree(copying: Copying, copied: Copied, source: Handle, target: Handle): Promise<void> {
  using there = new Cursor(target)
  const file = async (entry: Entry) => await addIfCopied(copied, entry, { folder: there.here, name: entry.name })
  const enter = async (entry: Entry) => {
    const old = await statsOrNothing(at(there.here, entry.name))
    if (old?.isDirectory() !== true) return false
    await there.down(entry.name)
    copied.add(entry.stats, entry.name)
    return true
  }
  await walk(source, { file, enter, leave: async () => await there.up() }, walkOptionsOf(copying))
}

async function addIfCopied(copied: Copied, source: FoundSource, target: Location): Promise<void> {
  const found = await statsOrNothing(at(target.folder, target.name))
  if (found !== undefined && (await isCopy(source, target, found))) copied.add(source.stats, source.name)
}
