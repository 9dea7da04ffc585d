import { fail, throwIfCancelled } from '../../domain/errors.ts'
import { isInside, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { isReservedName } from '../reserved-names.ts'
import type { Acceptance, RemovableFile, TransferMode, Work, Written } from '../storage.ts'
import { writtenOf } from './bucket-file.ts'
import type { Condition } from './bucket.ts'
import {
  type BucketRoot,
  failMissing,
  find,
  type Found,
  keepFolderAbove,
  keyOf,
  lookUp,
  makeFoldersAbove,
  makeMarker,
  makeNewFolder,
  newKeyOf,
} from './bucket-root.ts'
import { mapParallel } from './in-parallel.ts'
import { placeFile } from './place-file.ts'
import type { ListedObject } from './stored-object.ts'
import { treeEntries } from './tree.ts'

/** Up to these limits, a folder or file is moved during the request; larger ones are moved by a job. */
const FEW_OBJECTS = 100
const FEW_BYTES = 256 * 1024 * 1024

/** Where an entry is copied or moved to: the key of a path, or one in the trash. */
export interface Target {
  readonly key: string
  readonly replace: boolean
  /** Creates the missing folders above. */
  prepare(): Promise<void>
  /** Called before originals are removed, in case that others have removed what belongs to the target. */
  recheck?(): Promise<void>
}

export function targetAt(
  root: BucketRoot,
  path: VirtualPath,
  { replace }: Pick<TransferMode, 'replace'>,
  { admitFolder }: Pick<Work, 'admitFolder'> = {},
): Target {
  const key = newKeyOf(root, path)
  if (path === ROOT) fail('CONFLICT', 'a folder is in the way')
  return { key, replace, prepare: async () => await makeFoldersAbove(root, path, { admitFolder }) }
}

export async function copyEntry(
  root: BucketRoot,
  from: VirtualPath,
  to: VirtualPath,
  mode: TransferMode,
  work: Work,
): Promise<void> {
  const target = targetAt(root, to, mode, work)
  const source = await find(root, from)
  requireApart(source, from, to)
  const timeOf = () => BigInt(root.clock.now()) * 1_000_000n
  if (source.kind === 'file') {
    requireFileTarget(await lookUp(root, target.key), target)
    await target.prepare()
    await copyObject(root, source.object, target.key, target.replace, { ...work, timeOf, isNew: false })
    return
  }
  const isNew = (await requireFolderTarget(root, source, target)) === undefined
  await target.prepare()
  await (isNew ? makeNewFolder(root, target.key, work) : makeMarker(root, target.key))
  const copied: string[] = []
  const copyWork = { ...work, timeOf, isNew }
  const admitFolders = folderAdmission(root, source.key, target, copyWork)
  try {
    for await (const { objects } of root.bucket.pages(`${source.key}/`, { signal: work.signal })) {
      const copyable = objects.filter(({ key }) => !hasReservedName(key.slice(source.key.length)))
      await admitFolders(copyable)
      await copyObjects(root, copyable, source.key, target, copyWork, copied)
    }
  } catch (error) {
    // Nobody must take a partial copy for a complete one.
    if (isNew) await root.bucket.remove([...copied, `${target.key}/`])
    throw error
  }
}

/**
 * Announces the folders that copies of objects make, with or without a marker. The keys of one folder follow each other, so only the
 * folders of the last one are remembered.
 */
function folderAdmission(root: BucketRoot, from: string, { key: to }: Target, { admitFolder, isNew }: CopyWork) {
  let before: readonly string[] = []
  return async (objects: readonly ListedObject[]): Promise<void> => {
    if (admitFolder === undefined) return
    for (const { key } of objects) {
      const around = key
        .slice(from.length + 1)
        .split('/')
        .slice(0, -1)
      const shared = around.findIndex((name, depth) => name !== before[depth])
      for (let depth = shared < 0 ? around.length : shared; depth < around.length; depth += 1) {
        const prefix = `${to}/${around.slice(0, depth + 1).join('/')}/`
        if (isNew || (await root.bucket.first(prefix)) === undefined) admitFolder(1)
      }
      before = around
    }
  }
}

function hasReservedName(path: string): boolean {
  return path.split('/').some(isReservedName)
}

interface CopyWork extends Work {
  /** The target was just created, so nothing can exist in it and no check is needed. */
  readonly isNew: boolean
  /** The modification time of a copy. Nanoseconds since 1970. */
  readonly timeOf: (original: bigint) => bigint
}

async function copyObjects(
  root: BucketRoot,
  objects: readonly ListedObject[],
  from: string,
  { key: to, replace }: Target,
  work: CopyWork,
  copied: string[] = [],
): Promise<ListedObject[]> {
  const done: ListedObject[] = []
  await mapParallel(objects, async (object) => {
    throwIfCancelled(work.signal)
    const target = to + object.key.slice(from.length)
    if (object.key.endsWith('/')) {
      await makeMarker(root, target.slice(0, -1))
    } else if (!(await copyObject(root, object, target, replace, work))) return
    copied.push(target)
    done.push(object)
  })
  throwIfCancelled(work.signal)
  return done
}

/** @returns false if the object no longer exists */
async function copyObject(
  root: BucketRoot,
  { key }: Pick<ListedObject, 'key'>,
  to: string,
  replace: boolean,
  { timeOf, isNew, signal, advance, admit, accept }: CopyWork,
): Promise<boolean> {
  const source = await root.bucket.head(key, signal)
  if (source === undefined) return false
  const { size } = source
  const modified = timeOf(source.modified)
  const progress = { signal, advance: (bytes: number) => advance?.(bytes, 0) }
  const copy = async ({ condition }: { readonly condition: Condition }) => {
    await root.bucket.copy(source, to, { modified, condition }, progress)
    return source.etag
  }
  if (isNew) {
    admit?.(size)
    accept?.()
    await copy({ condition: 'new' })
  } else {
    let admitted: { readonly replaced: number } | undefined
    const judge = (present: Written | undefined) => {
      accept?.()
      if (admitted === undefined) admit?.(size, present?.size)
      // Another writer was faster, and what it left is smaller.
      else if (admit !== undefined && (present?.size ?? 0) < admitted.replaced)
        fail('CONFLICT', 'a file that is replaced was changed meanwhile; try again')
      admitted ??= { replaced: present?.size ?? 0 }
    }
    await placeFile(root, to, { size, fixed: modified }, { replace, accept: judge }, copy)
  }
  advance?.(0, 1)
  return true
}

/** @throws CONFLICT if both paths are the same; INVALID_INPUT if a folder would end up inside itself */
function requireApart(source: Found, from: VirtualPath, to: VirtualPath): void {
  if (from === to) fail('CONFLICT', 'source and target are the same')
  if (source.kind === 'folder' && isInside(from, to)) fail('INVALID_INPUT', 'a folder cannot be put into itself')
}

function requireFileTarget(present: Found | undefined, { replace }: Target): void {
  if (present?.kind === 'folder') fail('CONFLICT', 'a folder is in the way')
  if (present !== undefined && !replace) fail('CONFLICT', 'something with this name is already there')
}

/** Checks before a merge that no file and folder have the same path. @returns the existing folder @throws CONFLICT */
async function requireFolderTarget(root: BucketRoot, source: Found, target: Target): Promise<Found | undefined> {
  const present = await lookUp(root, target.key)
  if (present?.kind === 'file') fail('CONFLICT', 'a file is in the way')
  if (present === undefined) return undefined
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

/** @throws CONFLICT if something is in the way of a file, or of a folder with its content */
export async function requirePlaceable(root: BucketRoot, source: Found, target: Target): Promise<void> {
  if (source.kind === 'file') requireFileTarget(await lookUp(root, target.key), target)
  else await requireFolderTarget(root, source, target)
}

/** @returns false if it would take too long for a request, or folders must be merged; nothing has moved */
export async function renameEntry(
  root: BucketRoot,
  from: VirtualPath,
  to: VirtualPath,
  mode: TransferMode,
  work: Acceptance,
): Promise<boolean> {
  const source = await requireMovable(root, from)
  const target = targetAt(root, to, mode, work)
  requireApart(source, from, to)
  if (source.kind === 'folder' && (await lookUp(root, target.key))?.kind === 'folder') {
    if (mode.replace) return false
    fail('CONFLICT', 'something with this name is already there')
  }
  if (!(await isSmall(root, source))) return false
  await moveTo(root, source, target, work)
  await keepFolderAbove(root, from)
  return true
}

export async function isSmall(root: BucketRoot, source: Found): Promise<boolean> {
  if (source.kind === 'file') return source.object.size <= FEW_BYTES
  for await (const { objects } of root.bucket.pages(`${source.key}/`, { max: FEW_OBJECTS + 1 }))
    return objects.length <= FEW_OBJECTS && objects.reduce((sum, { size }) => sum + size, 0) <= FEW_BYTES
  return true
}

export async function moveEntry(
  root: BucketRoot,
  from: VirtualPath,
  to: VirtualPath,
  mode: TransferMode,
  work: Work,
): Promise<void> {
  const source = await requireMovable(root, from)
  requireApart(source, from, to)
  await moveTo(root, source, targetAt(root, to, mode, work), work)
  await keepFolderAbove(root, from)
}

/** @throws FORBIDDEN for the root, NOT_FOUND */
export async function requireMovable(root: BucketRoot, path: VirtualPath): Promise<Found> {
  const key = keyOf(root, path)
  if (path === ROOT) fail('FORBIDDEN', 'the root folder cannot be moved')
  return (await lookUp(root, key)) ?? (await failMissing(root, path))
}

/**
 * Copies and then removes, page by page, so that each file is complete at one end at any time. Moves hidden entries of a folder
 * too, such as its trash. Source files that change meanwhile stay.
 */
export async function moveTo(root: BucketRoot, source: Found, target: Target, work: Work): Promise<void> {
  const timeOf = (original: bigint) => original
  if (source.kind === 'file') {
    requireFileTarget(await lookUp(root, target.key), target)
    await target.prepare()
    await copyObject(root, source.object, target.key, target.replace, { ...work, timeOf, isNew: false })
    const [now, copy] = await mapParallel([source.key, target.key], async (key) => await root.bucket.head(key))
    const pairs = [{ original: source.object, copyKey: target.key }]
    await target.recheck?.()
    await removeUnchanged(
      root,
      pairs,
      [now, copy].filter((each) => each !== undefined),
      work,
    )
    return
  }
  const isNew = (await requireFolderTarget(root, source, target)) === undefined
  await target.prepare()
  await makeMarker(root, target.key)
  const prefix = `${source.key}/`
  let after: string | undefined
  for await (const { objects } of root.bucket.pages(prefix, { signal: work.signal })) {
    const copied = await copyObjects(root, objects, source.key, target, { ...work, timeOf, isNew })
    const copyKeyOf = (key: string) => target.key + key.slice(source.key.length)
    const keys = objects.map(({ key }) => key)
    const now = await againFrom(root, prefix, after, keys)
    now.push(...(await againFrom(root, `${target.key}/`, after && copyKeyOf(after), keys.map(copyKeyOf))))
    const pairs = copied.map((original) => ({ original, copyKey: copyKeyOf(original.key) }))
    await target.recheck?.()
    await removeUnchanged(root, pairs, now, work)
    after = keys.at(-1)
  }
}

/** Lists again the part of a folder that a page of its listing covered, or the copy of that part. @param page keys */
async function againFrom(
  root: BucketRoot,
  prefix: string,
  after: string | undefined,
  page: readonly string[],
): Promise<ListedObject[]> {
  const end = Buffer.from(page.at(-1) ?? '')
  const found: ListedObject[] = []
  for await (const { objects } of root.bucket.pages(prefix, { after })) {
    found.push(...objects)
    const last = objects.at(-1)
    if (last === undefined || Buffer.compare(Buffer.from(last.key), end) >= 0) break
  }
  return found
}

interface CopiedObject {
  readonly original: Pick<ListedObject, 'key' | 'etag' | 'size'>
  readonly copyKey: string
}

/** Others may have changed the original meanwhile, or removed its copy: then the original stays. @param now what there is of both */
async function removeUnchanged(
  root: BucketRoot,
  copied: readonly CopiedObject[],
  now: readonly Pick<ListedObject, 'key' | 'etag' | 'size'>[],
  work: Work,
): Promise<void> {
  const present = new Map(now.map((object) => [object.key, object]))
  const done: string[] = []
  for (const { original, copyKey } of copied) {
    const current = present.get(original.key)
    const isChanged = current !== undefined && current.etag !== original.etag
    const copy = present.get(copyKey)
    const isComplete = copy !== undefined && (copyKey.endsWith('/') || copy.size === original.size)
    if (!isChanged && isComplete) done.push(original.key)
    else work.leftOut?.(original.key.slice(root.prefix.length), isChanged ? 'changed' : 'copy is gone')
  }
  if (done.length === 0) return
  work.accept?.()
  await root.bucket.remove(done)
}

export async function removeEntry(root: BucketRoot, path: VirtualPath, work: Work): Promise<void> {
  throwIfCancelled(work.signal)
  const key = keyOf(root, path)
  if (path === ROOT) fail('FORBIDDEN', 'the root folder cannot be deleted')
  await removeFound(root, (await lookUp(root, key)) ?? (await failMissing(root, path)), work)
  await keepFolderAbove(root, path)
}

/** S3 servers ignore conditions of a removal or refuse them, so the object is looked up (with its ETag) in the request before. */
export async function removeFile(
  root: BucketRoot,
  path: VirtualPath,
  accept: (current: RemovableFile) => void,
): Promise<void> {
  const found = await lookUp(root, keyOf(root, path))
  if (found?.kind !== 'file') fail('NOT_FOUND', 'this is not a file')
  accept(writtenOf(found.object))
  await root.bucket.remove([found.key])
  await keepFolderAbove(root, path)
}

/** If it is cancelled, the remaining objects stay. */
export async function removeFound(root: BucketRoot, found: Found, work: Work): Promise<void> {
  if (found.kind === 'file') {
    work.accept?.()
    await root.bucket.remove([found.key])
    work.advance?.(found.object.size, 1)
    return
  }
  for await (const { objects } of root.bucket.pages(`${found.key}/`, { signal: work.signal })) {
    work.accept?.()
    await root.bucket.remove(objects.map(({ key }) => key))
    const files = objects.filter(({ key }) => !key.endsWith('/'))
    work.advance?.(
      files.reduce((sum, { size }) => sum + size, 0),
      files.length,
    )
    throwIfCancelled(work.signal)
  }
}
