import { fail } from '../../domain/errors.ts'
import { below, isInside, relativeTo, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Visibility } from '../../domain/access/rule-check.ts'
import type { EntryKind } from '../../storage/storage.ts'
import { type Deed, mayInside, namedDeeds } from './deeds.ts'
import type { FileAccess } from './file-access.ts'
import { mayDo, type Right } from '../../domain/access/permissions.ts'

/** Includes denied entries, which checks must find, and hidden files, which are moved too. */
export const EVERYTHING: Visibility = { rules: [], rulePrefix: ROOT, hideDotfiles: false }

export interface TreeSize {
  readonly bytes: number
  readonly files: number
}

/**
 * Checks that rules allow every entry of a folder, at its current and its new path, and permit what is done with it. The attack is
 * copying, moving or deleting denied files together with a folder.
 *
 * @param onEntry called with each file and folder, by its path in the folder
 * @throws FORBIDDEN
 */
export async function checkTree(
  files: FileAccess,
  deed: Deed,
  signal?: AbortSignal,
  onEntry?: (path: VirtualPath, bytes: number) => void,
): Promise<TreeSize> {
  const { from, to } = deed
  let [bytes, count] = [0, 0]
  files.keepRulesOf(from)
  if (to !== undefined) files.keepRulesOf(to)
  const tops = [...(await namesOf(files, from)), ...(to === undefined ? [] : await namesOf(files, to))]
  const deeds = await namedDeeds(files, deed)
  for await (const batch of files.scope.walk(from, EVERYTHING, signal)) {
    for (const { path, size, isDir } of batch) {
      const relative = relativeTo(from, path as VirtualPath)
      if (!isPermitted(files, tops, relative) || !mayInside(files, deeds, relative))
        fail('FORBIDDEN', 'a rule denies something in this folder')
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
export async function requireTreeAllowed(files: FileAccess, deed: Deed, signal?: AbortSignal): Promise<void> {
  files.keepRulesOf(deed.from)
  if (deed.to !== undefined) files.keepRulesOf(deed.to)
  if (files.hasRules) await checkTree(files, deed, signal)
}

/**
 * What is at a path now. The attack is to put a denied file, or a folder with one, there while a hook runs or a job waits: call it
 * again then.
 *
 * @throws FORBIDDEN if a rule denies something in it
 */
export async function kindAllowed(files: FileAccess, deed: Deed, signal?: AbortSignal): Promise<EntryKind | undefined> {
  const kind = await files.scope.kindOf(deed.from)
  if (kind === 'folder') await requireTreeAllowed(files, deed, signal)
  return kind
}

/**
 * Like `checkTree`, for entries that do not exist yet.
 *
 * @param right what creating each of them needs
 * @param relativePaths paths of the entries, relative to `top`
 * @throws FORBIDDEN
 */
export async function checkNewTree(
  files: FileAccess,
  right: Right,
  top: VirtualPath,
  relativePaths: readonly VirtualPath[],
): Promise<void> {
  files.keepRulesOf(top)
  const tops = await namesOf(files, top)
  if (!relativePaths.every((path) => isPermitted(files, tops, path) && mayAt(files, tops, path, right)))
    fail('FORBIDDEN', 'a rule denies something in this folder')
}

/**
 * Finds the first entry for which `checkTree` would fail, among a limited number of entries.
 *
 * @param right that is needed for each of them
 * @returns the denied entry; `complete` is false if the limit was reached
 */
export async function deniedIn(
  files: FileAccess,
  from: VirtualPath,
  right: Right,
  maxEntries: number,
  signal?: AbortSignal,
): Promise<{ denied: VirtualPath | undefined; complete: boolean }> {
  let count = 0
  const tops = await namesOf(files, from)
  for await (const batch of files.scope.walk(from, EVERYTHING, signal)) {
    for (const { path } of batch) {
      const relative = relativeTo(from, path as VirtualPath)
      if (!isPermitted(files, tops, relative) || !mayAt(files, tops, relative, right))
        return { denied: path as VirtualPath, complete: true }
      if ((count += 1) === maxEntries) return { denied: undefined, complete: false }
    }
  }
  return { denied: undefined, complete: true }
}

/** Refuses to copy or move the topmost folder, or a folder into itself. @throws FORBIDDEN, INVALID_INPUT */
export function requireTransferable({ top }: Pick<FileAccess, 'top'>, from: VirtualPath, to: VirtualPath): void {
  if (from === top || to === top) fail('FORBIDDEN', 'the root folder cannot be copied, moved or replaced')
  if (from !== to && isInside(from, to)) fail('INVALID_INPUT', 'source is parent')
}

/** The path itself, and the real path if links lead elsewhere: rules apply to both. */
async function namesOf(files: FileAccess, path: VirtualPath): Promise<VirtualPath[]> {
  const real = files.hasRules ? await files.scope.whereIs(path) : undefined
  return real === undefined || real === path ? [path] : [path, real]
}

function isPermitted(files: FileAccess, tops: readonly VirtualPath[], relativePath: VirtualPath): boolean {
  return !files.hasRules || tops.every((top) => files.permits(below(top, relativePath)))
}

function mayAt(files: FileAccess, tops: readonly VirtualPath[], relativePath: VirtualPath, right: Right): boolean {
  return !files.hasPermissionRules || tops.every((top) => mayDo(files.permissionsAt(below(top, relativePath)), right))
}

export const NAME_TAKEN = 'there is something of this name already'

/**
 * Call it when a write begins, and again just before the rename: users who may only create files must not replace one that was
 * created meanwhile.
 *
 * @throws CONFLICT, FORBIDDEN
 */
export function requireMayReplace(files: Pick<FileAccess, 'require'>, path: VirtualPath, override: boolean): void {
  if (!override) fail('CONFLICT', NAME_TAKEN)
  files.require('files.overwrite', path)
}
