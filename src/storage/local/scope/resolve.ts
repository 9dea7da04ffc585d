import type { BigIntStats } from 'node:fs'
import { isFilemgrError } from '../../../domain/errors.ts'
import { below, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { statsOf, statsOrNothing } from '../system/disk.ts'
import { at, beneath, Handle, hold, HOLD_ENTRY, HOLD_FOLDER, HOLD_TARGET, type Name } from '../system/handle.ts'
import { destinationOf, FoundLocation } from './destination.ts'
import {
  inside,
  requireAccess,
  requireEntryAccess,
  expectedRealPath,
  realPathOf,
  type ScopeRoot,
} from './scope-root.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

/** Opens a folder by its whole path, or reuses an open one, and then checks its real path. */
export async function holdFolder(scopeRoot: ScopeRoot, segments: readonly string[]): Promise<Handle> {
  if (segments.length === 0) return scopeRoot.folder.retain()
  const realPath = expectedRealPath(scopeRoot, segments)
  const kept = scopeRoot.kept?.at(realPath)
  if (kept instanceof Handle) return inside(scopeRoot, kept.retain(), realPath)
  const folder = inside(scopeRoot, await hold(beneath(scopeRoot.folder, segments), HOLD_FOLDER))
  scopeRoot.kept?.add(realPath, folder)
  return folder
}

/** Opens the target of a link. @throws ENOENT if it is missing; FORBIDDEN if it is, or would be, outside */
export async function holdTarget(scopeRoot: ScopeRoot, folder: Handle, name: Name): Promise<Handle> {
  try {
    return inside(scopeRoot, await hold(at(folder, name), HOLD_TARGET))
  } catch (error) {
    if (isErrno(error, 'ENOENT')) (await destinationOf(scopeRoot, folder, name))[Symbol.dispose]()
    throw error
  }
}

/** The path with all links resolved, as the rules see it, whether or not it exists. Undefined if the rules do not cover it. */
export async function whereIs(scopeRoot: ScopeRoot, segments: readonly string[]): Promise<VirtualPath | undefined> {
  for (let count = segments.length; ; count -= 1) {
    try {
      using nearest = inside(scopeRoot, await hold(beneath(scopeRoot.folder, segments.slice(0, count)), HOLD_TARGET))
      const real = realPathOf(scopeRoot, nearest.realPath)
      const rest = segments.slice(count).join('/')
      return real && below(real, `/${rest}` as VirtualPath)
    } catch (error) {
      if (count === 0 || (!isErrno(error, 'ENOENT') && !isErrno(error, 'ENOTDIR'))) throw error
    }
  }
}

/** An entry and the target of its link; without a link both are the same. */
export class HeldEntry implements Disposable {
  readonly handle: Handle
  readonly stats: BigIntStats
  readonly target: Handle
  readonly targetStats: BigIntStats

  constructor(handle: Handle, stats: BigIntStats, target: Handle, targetStats: BigIntStats) {
    this.handle = handle
    this.stats = stats
    this.target = target
    this.targetStats = targetStats
  }

  get isLink(): boolean {
    return this.target !== this.handle
  }

  [Symbol.dispose](): void {
    this.handle[Symbol.dispose]()
    this.target[Symbol.dispose]()
  }
}

/** @throws NOT_FOUND, also for a broken link; FORBIDDEN for a link that leads out or in circles */
export async function holdEntry(scopeRoot: ScopeRoot, segments: readonly string[]): Promise<HeldEntry> {
  const name = segments.at(-1)
  if (name === undefined) return whole(scopeRoot.folder.retain(), await statsOf(scopeRoot.folder))
  using folder = await holdFolder(scopeRoot, segments.slice(0, -1))
  using handle = await hold(at(folder, name), HOLD_ENTRY)
  const stats = await statsOf(handle)
  requireEntryAccess(scopeRoot, folder, name, stats)
  if (!stats.isSymbolicLink()) return whole(handle.retain(), stats)
  using target = await holdTarget(scopeRoot, folder, name)
  requireAccess(scopeRoot, target)
  return new HeldEntry(handle.retain(), stats, target.retain(), await statsOf(target))
}

/**
 * Where to put a new entry: writing to a link changes its target. If nothing may be replaced, the link is not followed and the
 * caller finds the name taken.
 *
 * @throws FORBIDDEN
 */
export async function targetLocation(
  scopeRoot: ScopeRoot,
  folder: Handle,
  name: Name,
  replace: boolean,
): Promise<FoundLocation> {
  if (replace) return await destinationOf(scopeRoot, folder, name)
  requireEntryAccess(scopeRoot, folder, name, undefined)
  return await FoundLocation.look(folder, name)
}

/** Checks a name without following a link. @throws FORBIDDEN */
export async function checkedLocation(scopeRoot: ScopeRoot, folder: Handle, name: Name): Promise<FoundLocation> {
  const found = await statsOrNothing(at(folder, name))
  requireEntryAccess(scopeRoot, folder, name, found)
  return new FoundLocation(folder.retain(), name, found)
}

/**
 * For operations on a link itself: refuses links that lead out. Circles and broken links are harmless.
 *
 * @throws FORBIDDEN
 */
export async function requireNoWayOut(scopeRoot: ScopeRoot, folder: Handle, name: Name): Promise<void> {
  try {
    using target = await holdTarget(scopeRoot, folder, name)
    requireAccess(scopeRoot, target)
  } catch (error) {
    if (isFilemgrError(error, 'NOT_FOUND') || isErrno(error, 'ENOENT')) return
    if (!isErrno(error, 'ELOOP') && !isErrno(error, 'ENOTDIR')) throw error
    await requireHarmless(scopeRoot, folder, name)
  }
}

async function requireHarmless(scopeRoot: ScopeRoot, folder: Handle, name: Name): Promise<void> {
  try {
    using _destination = await destinationOf(scopeRoot, folder, name)
  } catch (error) {
    const isHarmless =
      isFilemgrError(error, 'NOT_FOUND') || (isFilemgrError(error) && error.details.reason === 'circle')
    if (!isHarmless) throw error
  }
}

function whole(handle: Handle, stats: BigIntStats): HeldEntry {
  return new HeldEntry(handle, stats, handle.retain(), stats)
}
