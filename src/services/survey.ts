import { fail } from '../domain/errors.ts'
import { isInside, ROOT, type VirtualPath } from '../domain/virtual-path.ts'
import type { Visibility } from '../domain/visibility.ts'
import type { FileAccess } from './access.ts'

/** Nothing is left out: what is denied must be met, and hidden files travel along. */
export const EVERYTHING: Visibility = { rules: [], rulePrefix: ROOT, hideDotfiles: false }

export interface Surveyed {
  readonly bytes: number
  readonly files: number
}

/**
 * Looks at all beneath a folder before anything is done with it: rules must allow each entry where it is and where it would
 * come to be, or somebody could take along with a folder what is denied to him.
 *
 * @throws FORBIDDEN
 */
export async function surveyTree(
  files: FileAccess,
  from: VirtualPath,
  to?: VirtualPath,
  signal?: AbortSignal,
): Promise<Surveyed> {
  let [bytes, count] = [0, 0]
  for await (const { path, size, isDir } of files.scope.walk(from, EVERYTHING, signal)) {
    requirePermitted(files, path as VirtualPath)
    if (to !== undefined) requirePermitted(files, `${to}${path.slice(from.length)}` as VirtualPath)
    if (isDir) continue
    bytes += size
    count += 1
  }
  return { bytes, files: count }
}

/**
 * What `surveyTree` would be refused for, without looking at more than so many entries.
 *
 * @returns the first entry that is denied; `complete` is false when there was more to look at
 */
export async function deniedIn(
  files: FileAccess,
  from: VirtualPath,
  most: number,
  signal?: AbortSignal,
): Promise<{ denied: VirtualPath | undefined; complete: boolean }> {
  let looked = 0
  for await (const { path } of files.scope.walk(from, EVERYTHING, signal)) {
    if (!isPermitted(files, path as VirtualPath)) return { denied: path as VirtualPath, complete: true }
    if ((looked += 1) === most) return { denied: undefined, complete: false }
  }
  return { denied: undefined, complete: true }
}

/** Of two ends of a transfer, neither the root nor one in the other. @throws FORBIDDEN, INVALID_INPUT */
export function requireTwoEnds(from: VirtualPath, to: VirtualPath): void {
  if (from === ROOT || to === ROOT) fail('FORBIDDEN', 'the root folder stays where it is')
  if (from !== to && isInside(from, to)) fail('INVALID_INPUT', 'source is parent')
}

function requirePermitted(files: FileAccess, path: VirtualPath): void {
  if (!isPermitted(files, path)) fail('FORBIDDEN', 'a rule denies something in this folder')
}

function isPermitted(files: FileAccess, path: VirtualPath): boolean {
  return !files.hasRules || files.permits(path)
}
