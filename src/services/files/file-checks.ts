import { fail } from '../../domain/errors.ts'
import { below, isInside, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Visibility } from '../../domain/access/rule-check.ts'
import type { FileAccess } from '../access/access.ts'

/** Includes everything: denied entries must be found, and hidden files are moved too. */
export const EVERYTHING: Visibility = { rules: [], rulePrefix: ROOT, hideDotfiles: false }

export interface TreeSize {
  readonly bytes: number
  readonly files: number
}

/**
 * Looks at all beneath a folder before anything is done with it: rules must allow each entry where it is and where it would
 * come to be, or users could take along with a folder what is denied to them.
 *
 * @throws FORBIDDEN
 */
export async function checkTree(
  files: FileAccess,
  from: VirtualPath,
  to?: VirtualPath,
  signal?: AbortSignal,
): Promise<TreeSize> {
  let [bytes, count] = [0, 0]
  const tops = [...(await namesOf(files, from)), ...(to === undefined ? [] : await namesOf(files, to))]
  for await (const { path, size, isDir } of files.scope.walk(from, EVERYTHING, signal)) {
    if (!isPermitted(files, tops, beneath(from, path))) fail('FORBIDDEN', 'a rule denies something in this folder')
    if (isDir) continue
    bytes += size
    count += 1
  }
  return { bytes, files: count }
}

/**
 * The first entry for which `checkTree` would fail, looking at a limited number of entries.
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
  const tops = await namesOf(files, from)
  for await (const { path } of files.scope.walk(from, EVERYTHING, signal)) {
    if (!isPermitted(files, tops, beneath(from, path))) return { denied: path as VirtualPath, complete: true }
    if ((looked += 1) === most) return { denied: undefined, complete: false }
  }
  return { denied: undefined, complete: true }
}

/** Neither end of a transfer may be the root, nor inside the other. @throws FORBIDDEN, INVALID_INPUT */
export function requireTwoEnds(from: VirtualPath, to: VirtualPath): void {
  if (from === ROOT || to === ROOT) fail('FORBIDDEN', 'the root folder stays where it is')
  if (from !== to && isInside(from, to)) fail('INVALID_INPUT', 'source is parent')
}

/** The path itself, and where links on the way lead: rules count for both. */
async function namesOf(files: FileAccess, path: VirtualPath): Promise<VirtualPath[]> {
  const real = files.hasRules ? await files.scope.whereIs(path) : undefined
  return real === undefined || real === path ? [path] : [path, real]
}

/** The path of an entry as seen from the folder that holds it. */
function beneath(folder: VirtualPath, path: string): VirtualPath {
  return (folder === ROOT ? path : path.slice(folder.length)) as VirtualPath
}

function isPermitted(files: FileAccess, tops: readonly VirtualPath[], rest: VirtualPath): boolean {
  return !files.hasRules || tops.every((top) => files.permits(below(top, rest)))
}

export const TAKEN = 'there is something of this name already'

/**
 * Checked when a write begins and again when the file takes its name: users who may only create files must not replace one that
 * was created meanwhile.
 *
 * @throws CONFLICT, FORBIDDEN
 */
export function requireMayReplace(files: Pick<FileAccess, 'require'>, override: boolean): void {
  if (!override) fail('CONFLICT', TAKEN)
  files.require('files.overwrite')
}
