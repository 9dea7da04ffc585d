import { fail } from '../../domain/errors.ts'
import { mayDo, type Right } from '../../domain/access/permissions.ts'
import { below, isInside, relativeTo, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { servedPathIn } from '../../domain/server/root.ts'
import type { Visibility } from '../../domain/access/rule-check.ts'
import type { EntryKind } from '../../storage/storage.ts'
import { type Deed, mayInside, namedDeeds } from './deeds.ts'
import type { Ends, FileAccess, PathIn } from './file-access.ts'

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
  deed: Deed,
  signal?: AbortSignal,
  onEntry?: (path: VirtualPath, bytes: number) => void,
): Promise<TreeSize> {
  const { from, to } = deed
  let [bytes, count] = [0, 0]
  from.files.keepRulesOf(from.path)
  to?.files.keepRulesOf(to.path)
  const tops = [...(await namesOf(from)), ...(to === undefined ? [] : await namesOf(to))]
  const deeds = await namedDeeds(deed)
  for await (const batch of from.files.scope.walk(from.path, EVERYTHING, signal)) {
    for (const { path, size, isDir } of batch) {
      const relative = relativeTo(from.path, path as VirtualPath)
      if (!isPermitted(tops, relative) || !mayInside(deeds, relative))
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
export async function requireTreeAllowed(deed: Deed, signal?: AbortSignal): Promise<void> {
  const { from, to } = deed
  from.files.keepRulesOf(from.path)
  to?.files.keepRulesOf(to.path)
  if (from.files.hasRules || to?.files.hasRules === true) await checkTree(deed, signal)
}

/**
 * What is at a path now. The attack is to put a denied file, or a folder with one, there while a hook runs or a job waits: call it
 * again then.
 *
 * @throws FORBIDDEN if a rule denies something in it
 */
export async function kindAllowed(deed: Deed, signal?: AbortSignal): Promise<EntryKind | undefined> {
  const { files, path } = deed.from
  const kind = await files.scope.kindOf(path)
  if (kind === 'folder') await requireTreeAllowed(deed, signal)
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
  const tops = await namesOf({ files, path: top })
  if (!relativePaths.every((path) => isPermitted(tops, path) && mayAt(tops, path, right)))
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
  const tops = await namesOf({ files, path: from })
  for await (const batch of files.scope.walk(from, EVERYTHING, signal)) {
    for (const { path } of batch) {
      const relative = relativeTo(from, path as VirtualPath)
      if (!isPermitted(tops, relative) || !mayAt(tops, relative, right))
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
  // Only what is in the places can be worked on.
  if (source.place.all === true) fail('NOT_FOUND', 'there is no place of this name')
  const isKept = from === source.top && (isMove || from === ROOT || source === target)
  if (isKept || to === target.top) fail('FORBIDDEN', 'the root folder cannot be copied, moved or replaced')
  const [served, servedTo] = [servedPathIn(source.user, from), servedPathIn(target.user, to)]
  if (served !== servedTo && isInside(served, servedTo)) fail('INVALID_INPUT', 'source is parent')
  if (served === servedTo && source !== target) fail('CONFLICT', 'source and target are the same')
}

/** The path itself, and the real path if links lead elsewhere: rules apply to both. */
async function namesOf(at: PathIn): Promise<PathIn[]> {
  const { files, path } = at
  const real = files.hasRules ? await files.scope.whereIs(path) : undefined
  return real === undefined || real === path ? [at] : [at, { files, path: real }]
}

function isPermitted(tops: readonly PathIn[], relativePath: VirtualPath): boolean {
  return tops.every(({ files, path }) => !files.hasRules || files.permits(below(path, relativePath)))
}

function mayAt(tops: readonly PathIn[], relativePath: VirtualPath, right: Right): boolean {
  return tops.every(
    ({ files, path }) => !files.hasPermissionRules || mayDo(files.permissionsAt(below(path, relativePath)), right),
  )
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
