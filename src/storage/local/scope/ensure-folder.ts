import { fail } from '../../../domain/errors.ts'
import { requireNewText } from '../../../domain/files/virtual-path.ts'
import type { Acceptance } from '../../storage.ts'
import { isBeneath } from '../../../platform/files/served-root.ts'
import { statsOf, statsOrNothing, syncFolder } from '../system/disk.ts'
import { at, type Handle, hold, HOLD_ENTRY } from '../system/handle.ts'
import { createFolder } from '../system/new-entry.ts'
import { holdFolder, holdTarget } from './resolve.ts'
import { inside, requireNewFoldersAccess, type ScopeRoot } from './scope-root.ts'
import { isErrno, unlessErrno } from '../../../platform/files/error-code.ts'

export interface NewFolders extends Acceptance {
  /** Restoring creates folders under the names that they had, even if those are not UTF-8. */
  readonly formerNames?: boolean
}

/** Opens a folder. Creates it and its missing parents if necessary, each through the handle of its parent. */
export async function ensureFolder(
  scopeRoot: ScopeRoot,
  segments: readonly string[],
  mode: number,
  work: NewFolders = {},
): Promise<Handle> {
  return await ensure(scopeRoot, segments, [], mode, work)
}

/** @param beneath names of the folders that will be created in it */
async function ensure(
  scopeRoot: ScopeRoot,
  segments: readonly string[],
  beneath: readonly string[],
  mode: number,
  work: NewFolders,
): Promise<Handle> {
  const existing = await unlessErrno(holdFolder(scopeRoot, segments), 'ENOENT', 'ENOTDIR')
  const name = segments.at(-1)
  if (existing !== undefined || name === undefined) return existing ?? scopeRoot.folder.retain()
  const names = [name, ...beneath] as const
  using parent = await ensure(scopeRoot, segments.slice(0, -1), names, mode, work)
  return await enter(scopeRoot, parent, names, mode, work)
}

async function enter(
  scopeRoot: ScopeRoot,
  parent: Handle,
  names: readonly [string, ...string[]],
  mode: number,
  { accept, admitFolder, formerNames }: NewFolders,
): Promise<Handle> {
  const [name] = names
  if ((await statsOrNothing(at(parent, name))) === undefined) {
    if (formerNames !== true) names.forEach(requireNewText)
    requireNewFoldersAccess(scopeRoot, parent, names)
    await scopeRoot.effects.requireServed()
    accept?.()
    admitFolder?.(1)
    using made = await unlessErrno(createFolder({ folder: parent, name }, mode), 'EEXIST')
    if (made === undefined) admitFolder?.(-1)
    else {
      await syncFolder(parent)
      return inside(scopeRoot, made.retain())
    }
  }
  using entry = await hold(at(parent, name), HOLD_ENTRY)
  if ((await statsOf(entry)).isDirectory()) return inside(scopeRoot, entry.retain())
  using target = await holdTarget(scopeRoot, parent, name)
  if (!(await statsOf(target)).isDirectory())
    fail('CONFLICT', 'a file is in the way of the folder', { reason: 'fileInWay' })
  return target.retain()
}

/**
 * Opens the parent folder of a target, and creates it and its missing parents if necessary.
 *
 * @param source the folder to copy or move, which must not end up inside itself, not even by a link
 */
export async function ensureTargetFolder(
  scopeRoot: ScopeRoot,
  segments: readonly string[],
  mode: number,
  source: Handle | undefined,
  work: NewFolders = {},
): Promise<Handle> {
  if (source !== undefined) {
    using nearest = await nearestFolder(scopeRoot, segments)
    requireOutside(source, nearest)
  }
  return await ensureFolder(scopeRoot, segments, mode, work)
}

/** Compares real paths, because links may lead from one folder into the other. @throws INVALID_INPUT */
export function requireOutside(source: Handle, folder: Handle): void {
  if (isBeneath(source.realPath, folder.realPath)) fail('INVALID_INPUT', 'source is parent')
}

async function nearestFolder(scopeRoot: ScopeRoot, segments: readonly string[]): Promise<Handle> {
  for (let count = segments.length; count > 0; count -= 1) {
    try {
      return await holdFolder(scopeRoot, segments.slice(0, count))
    } catch (error) {
      if (!isErrno(error, 'ENOENT')) throw error
    }
  }
  return scopeRoot.folder.retain()
}
