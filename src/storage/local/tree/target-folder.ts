import { fail } from '../../../domain/errors.ts'
import { isBeneath, type ScopeRoot } from '../scope-root.ts'
import { ensureFolder } from '../make-folder.ts'
import { errnoCode } from '../os-error.ts'
import type { Handle } from '../handle.ts'
import { holdFolder } from '../resolve.ts'

/**
 * The folder that shall hold a target, made with its missing parents.
 *
 * @param source a folder that is to be copied or moved there: not into itself, on whatever way
 */
export async function ensureTargetFolder(
  scopeRoot: ScopeRoot,
  segments: readonly string[],
  mode: number,
  source: Handle | undefined,
): Promise<Handle> {
  if (source !== undefined) {
    using nearest = await nearestFolder(scopeRoot, segments)
    requireOutside(source, nearest)
  }
  return await ensureFolder(scopeRoot, segments, mode)
}

/** By where they really are: links may lead from the one into the other. @throws INVALID_INPUT */
export function requireOutside(source: Handle, folder: Handle): void {
  if (isBeneath(source.realPath, folder.realPath)) fail('INVALID_INPUT', 'source is parent')
}

async function nearestFolder(scopeRoot: ScopeRoot, segments: readonly string[]): Promise<Handle> {
  for (let count = segments.length; count > 0; count -= 1) {
    try {
      return await holdFolder(scopeRoot, segments.slice(0, count))
    } catch (error) {
      if (errnoCode(error) !== 'ENOENT') throw error
    }
  }
  return scopeRoot.folder.retain()
}
