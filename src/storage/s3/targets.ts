import { fail } from '../../domain/errors.ts'
import { parentOf, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { TransferMode, Work } from '../storage.ts'
import { type BucketRoot, find, type Found, lookUp, makeFoldersAbove, newKeyOf, putMarker } from './bucket-root.ts'
import { lockKeys } from './effects.ts'
import { mapParallel } from './in-parallel.ts'
import { treeEntries } from './tree.ts'

/** Where an entry is copied or moved to: the key of a path, or one in the trash. */
export interface Target extends Pick<TransferMode, 'replace' | 'earlier'> {
  readonly key: string
  /** Creates the missing folders above. */
  prepare(): Promise<void>
  /** Called before originals are removed, in case that others have removed what belongs to the target. */
  recheck?(): Promise<void>
}

/** @param from of a move. Its folder is there, and need not be made. */
export function targetAt(
  root: BucketRoot,
  path: VirtualPath,
  { replace, earlier }: Pick<TransferMode, 'replace' | 'earlier'>,
  { admitFolder, from }: Pick<Work, 'admitFolder'> & { readonly from?: VirtualPath } = {},
): Target {
  const key = newKeyOf(root, path)
  if (path === ROOT) fail('CONFLICT', 'a folder is in the way', { reason: 'folderInWay' })
  const isParentThere = from !== undefined && parentOf(from) === parentOf(path)
  const prepare = async () => {
    if (!isParentThere) await makeFoldersAbove(root, path, { admitFolder })
  }
  return { key, replace, earlier, prepare }
}

/** @throws CONFLICT if both are the same; INVALID_INPUT if a folder would end up inside itself */
export function requireApart(source: Found, { key }: Pick<Target, 'key'>): void {
  if (source.key === key) fail('CONFLICT', 'source and target are the same')
  // Only the key of a root is a prefix already.
  const inside = source.key === '' || source.key.endsWith('/') ? source.key : `${source.key}/`
  if (source.kind === 'folder' && key.startsWith(inside)) fail('INVALID_INPUT', 'a folder cannot be put into itself')
}

export function requireFileTarget(present: Found | undefined, { replace }: Target): void {
  if (present?.kind === 'folder') fail('CONFLICT', 'a folder is in the way', { reason: 'folderInWay' })
  if (present !== undefined && !replace) fail('CONFLICT', 'something with this name is already there')
}

/** Checks before a merge that no file and folder have the same path. @returns the existing folder @throws CONFLICT */
async function requireFolderTarget(root: BucketRoot, source: Found, target: Target): Promise<Found | undefined> {
  const present = await lookUp(root, target.key)
  if (present?.kind === 'file') fail('CONFLICT', 'a file is in the way', { reason: 'fileInWay' })
  // What has come into the way since is found file by file.
  if (present === undefined || target.earlier?.merging === true) return present
  if (!target.replace) fail('CONFLICT', 'something with this name is already there')
  for await (const entries of treeEntries(root, `${source.key}/`))
    await mapParallel(entries, async ({ path, object }) => {
      const existing = await lookUp(root, `${target.key}/${path}`)
      const isFile = object !== undefined
      if (existing !== undefined && (existing.kind === 'file') !== isFile)
        fail('CONFLICT', 'a file and a folder would meet')
    })
  return present
}

/**
 * Creates the folder that another one is copied or moved into.
 *
 * @returns whether it is new; if not, the folders are merged
 * @throws CONFLICT
 */
export async function makeFolderFor(
  root: BucketRoot,
  source: Found,
  target: Target,
  { admitFolder, placing }: Pick<Work, 'admitFolder' | 'placing'> = {},
): Promise<boolean> {
  const isNew = (await requireFolderTarget(root, source, target)) === undefined
  await placing?.(undefined)
  await target.prepare()
  using held = await lockKeys(root, target.key)
  // Of two that found the name free, one has it now.
  if (isNew && (await lookUp(root, target.key)) !== undefined)
    fail('CONFLICT', 'something with this name is already there')
  await held.confirm()
  if (isNew) admitFolder?.(1)
  await putMarker(root, target.key)
  return isNew
}

/** @throws CONFLICT if something is in the way of a file, or of a folder with its content */
export async function requirePlaceable(root: BucketRoot, source: Found, target: Target): Promise<void> {
  if (source.kind === 'file') requireFileTarget(await lookUp(root, target.key), target)
  else await requireFolderTarget(root, source, target)
}

/** @throws FORBIDDEN for the root, NOT_FOUND */
export async function requireMovable(root: BucketRoot, path: VirtualPath): Promise<Found> {
  if (path === ROOT) fail('FORBIDDEN', 'the root folder cannot be moved')
  return requireOne(await find(root, path))
}

/** Refuses a path of both a file and a folder, which other programs can make: it does not tell which is meant. @throws CONFLICT */
export function requireOne(found: Found): Found {
  if (found.kind === 'folder' && found.beside !== undefined)
    fail('CONFLICT', 'there are a file and a folder with this name: rename one of them with another program first')
  return found
}
