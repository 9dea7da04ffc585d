import { fail } from '../../domain/errors.ts'
import { statsOrNothing } from './entry-stats.ts'
import { mkdir } from './gated-calls.ts'
import { inside, judgeNewFolders, type ScopeRoot } from './scope-root.ts'
import { errnoCode } from './os-error.ts'
import { at, hold, HOLD_ENTRY, type Handle } from './handle.ts'
import { holdFolder, holdTarget, statsOf } from './resolve.ts'
import { syncFolder } from './staged-file.ts'

/** Holds a folder, made with its missing parents, one held folder after the other. */
export async function ensureFolder(scopeRoot: ScopeRoot, segments: readonly string[], mode: number): Promise<Handle> {
  try {
    return await holdFolder(scopeRoot, segments)
  } catch (error) {
    if (errnoCode(error) !== 'ENOENT' && errnoCode(error) !== 'ENOTDIR') throw error
  }
  let here = scopeRoot.folder.retain()
  for (const [index, name] of segments.entries()) {
    using parent = here
    here = await enter(scopeRoot, parent, [name, ...segments.slice(index + 1)], mode)
  }
  return here
}

async function enter(
  scopeRoot: ScopeRoot,
  parent: Handle,
  way: readonly [string, ...string[]],
  mode: number,
): Promise<Handle> {
  const [name] = way
  if ((await statsOrNothing(at(parent, name))) === undefined) {
    judgeNewFolders(scopeRoot, parent, way)
    if (await isMade(parent, name, mode)) await syncFolder(parent)
  }
  using entry = await hold(at(parent, name), HOLD_ENTRY)
  const stats = await statsOf(entry)
  if (stats.isDirectory()) return inside(scopeRoot, entry.retain())
  if (!stats.isSymbolicLink()) fail('CONFLICT', 'a file is in the way of the folder')
  using target = await holdTarget(scopeRoot, parent, name)
  if (!(await statsOf(target)).isDirectory()) fail('CONFLICT', 'a file is in the way of the folder')
  return target.retain()
}

async function isMade(parent: Handle, name: string, mode: number): Promise<boolean> {
  try {
    await mkdir(at(parent, name), mode)
    return true
  } catch (error) {
    if (errnoCode(error) === 'EEXIST') return false
    throw error
  }
}
