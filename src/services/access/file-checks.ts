import { fail } from '../../domain/errors.ts'
import { mayDo } from '../../domain/access/permissions.ts'
import { below, isInside, relativeTo, ROOT, servedPathIn, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Visibility } from '../../domain/access/rule-check.ts'
import type { EntryKind } from '../../storage/storage.ts'
import type { Ends, FileAccess, PathIn } from './file-access.ts'

/** Includes denied entries, which checks must find, and hidden files, which are moved too. */
export const EVERYTHING: Visibility = { rules: [], rulePrefix: ROOT, hideDotfiles: false }

export interface TreeSize {
  readonly bytes: number
  readonly files: number
}

/**
 * Checks that rules allow every entry of a folder, at its current and its new path. The attack is copying, moving or deleting
 * denied files together with a folder.
 *
 * @param onEntry called with each file and folder, by its path in the folder
 * @throws FORBIDDEN
 */
export async function checkTree(
  files: FileAccess,
  from: VirtualPath,
  to?: PathIn,
  signal?: AbortSignal,
  onEntry?: (path: VirtualPath, bytes: number) => void,
): Promise<TreeSize> {
  let [bytes, count] = [0, 0]
  files.keepRulesOf(from)
  to?.files.keepRulesOf(to.path)
  const tops = [...(await namesOf(files, from)), ...(to === undefined ? [] : await namesOf(to.files, to.path))]
  for await (const batch of files.scope.walk(from, EVERYTHING, signal)) {
    for (const { path, size, isDir } of batch) {
      const relative = relativeTo(from, path as VirtualPath)
      if (!isPermitted(tops, relative)) fail('FORBIDDEN', 'a rule denies something in this folder')
      onEntry?.(relative, isDir ? 0 : size)
      if (isDir) continue
      bytes += size
      count += 1
    }
  }
  return { bytes, files: count }
}

/**
 * `checkTree` for work that needs no size: without rules, nothing is read. A rule that comes later ends the work in any case.
 *
 * @throws FORBIDDEN
 */
export async function requireTreeAllowed(
  files: FileAccess,
  from: VirtualPath,
  to?: PathIn,
  signal?: AbortSignal,
): Promise<void> {
  files.keepRulesOf(from)
  to?.files.keepRulesOf(to.path)
  if (files.hasRules || to?.files.hasRules === true) await checkTree(files, from, to, signal)
}

/**
 * What is at a path now. The attack is to put a denied file, or a folder with one, there while a hook runs or a job waits: call it
 * again then.
 *
 * @throws FORBIDDEN if a rule denies something in it
 */
export async function kindAllowed(
  files: FileAccess,
  from: VirtualPath,
  to?: PathIn,
  signal?: AbortSignal,
): Promise<EntryKind | undefined> {
  const kind = await files.scope.kindOf(from)
  if (kind === 'folder') await requireTreeAllowed(files, from, to, signal)
  return kind
}

/**
 * Like `checkTree`, for entries that do not exist yet.
 *
 * @param relativePaths paths of the entries, relative to `top`
 * @throws FORBIDDEN
 */
export async function checkNewTree(
  files: FileAccess,
  top: VirtualPath,
  relativePaths: readonly VirtualPath[],
): Promise<void> {
  files.keepRulesOf(top)
  const tops = await namesOf(files, top)
  if (!relativePaths.every((path) => isPermitted(tops, path)))
    fail('FORBIDDEN', 'a rule denies something in this folder')
}

/**
 * Finds the first entry for which `checkTree` would fail, among a limited number of entries.
 *
 * @returns the denied entry; `complete` is false if the limit was reached
 */
export async function deniedIn(
  files: FileAccess,
  from: VirtualPath,
  maxEntries: number,
  signal?: AbortSignal,
): Promise<{ denied: VirtualPath | undefined; complete: boolean }> {
  let count = 0
  const tops = await namesOf(files, from)
  for await (const batch of files.scope.walk(from, EVERYTHING, signal)) {
    for (const { path } of batch) {
      if (!isPermitted(tops, relativeTo(from, path as VirtualPath)))
        return { denied: path as VirtualPath, complete: true }
      if ((count += 1) === maxEntries) return { denied: undefined, complete: false }
    }
  }
  return { denied: undefined, complete: true }
}

/**
 * Refuses to copy or move the topmost folder, or a folder into itself, also where two places overlap. What somebody shares may be
 * copied as a whole.
 *
 * @throws FORBIDDEN, INVALID_INPUT, CONFLICT
 */
export function requireTransferable(
  { source, target }: Ends,
  from: VirtualPath,
  to: VirtualPath,
  isMove: boolean,
): void {
  const isKept = from === source.top && (isMove || from === ROOT || source === target)
  if (isKept || to === target.top) fail('FORBIDDEN', 'the root folder cannot be copied, moved or replaced')
  const [served, servedTo] = [servedPathIn(source.user.scope, from), servedPathIn(target.user.scope, to)]
  if (served !== servedTo && isInside(served, servedTo)) fail('INVALID_INPUT', 'source is parent')
  if (served === servedTo && source !== target) fail('CONFLICT', 'source and target are the same')
}

/**
 * For what is copied or moved to another place, where others may read it, or the actor may do more: it takes what a download takes,
 * and to move it, what deleting it does.
 *
 * @throws FORBIDDEN
 */
export function requireMayLeave({ source, target }: Ends, isMove: boolean): void {
  if (source === target) return
  const check = () => {
    if (source.given === 'view') fail('FORBIDDEN', 'this is shared with you only for viewing')
    if (!mayDo(source.permissions, 'downloads.raw')) fail('FORBIDDEN', 'you do not have the permission for this')
  }
  check()
  source.keep(check)
  if (isMove) source.require('files.remove')
}

/** The path itself, and the real path if links lead elsewhere: rules apply to both. */
async function namesOf(files: FileAccess, path: VirtualPath): Promise<PathIn[]> {
  const real = files.hasRules ? await files.scope.whereIs(path) : undefined
  return real === undefined || real === path
    ? [{ files, path }]
    : [
        { files, path },
        { files, path: real },
      ]
}

function isPermitted(tops: readonly PathIn[], relativePath: VirtualPath): boolean {
  return tops.every(({ files, path }) => !files.hasRules || files.permits(below(path, relativePath)))
}

export const NAME_TAKEN = 'there is something of this name already'

/**
 * Call it when a write begins, and again just before the rename: users who may only create files must not replace one that was
 * created meanwhile.
 *
 * @throws CONFLICT, FORBIDDEN
 */
export function requireMayReplace(files: Pick<FileAccess, 'require'>, override: boolean): void {
  if (!override) fail('CONFLICT', NAME_TAKEN)
  files.require('files.overwrite')
}
