import { fail, isFilemgrError, throwIfCancelled } from '../../domain/errors.ts'
import { parentOf, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { HeldNames } from '../../platform/limits/name-locks.ts'
import type { Acceptance, TransferMode, Work } from '../storage.ts'
import { FEW_BYTES } from './bucket.ts'
import { type BucketRoot, type Found, keepFolderAbove, lookUp, putMarker, targetRoot } from './bucket-root.ts'
import { beginCopy, type CopyWork, judgeOf, placeCopy, type Placed, madeEarlier } from './copy-object.ts'
import { claimFolder, lockKeys, persistently, repeated } from './effects.ts'
import { mapParallel } from './in-parallel.ts'
import type { ListedObject, StoredObject } from './stored-object.ts'
import { FEW_OBJECTS, isEmptyMarker, isLeft, removeIfEmpty, unmove } from './take-back.ts'
import { makeFolderFor, requireApart, requireMovable, type Target, targetAt } from './targets.ts'

/** @returns false if it would take too long for a request, or folders must be merged; nothing has moved */
export async function renameEntry(
  root: BucketRoot,
  from: VirtualPath,
  to: VirtualPath,
  mode: TransferMode,
  work: Acceptance,
): Promise<boolean> {
  const source = await requireMovable(root, from)
  const target = movedTo(root, from, to, mode, work)
  requireApart(source, target)
  if (source.kind === 'folder' && (await lookUp(targetRoot(root, mode), target.key))?.kind === 'folder') {
    if (mode.replace) return false
    fail('CONFLICT', 'something with this name is already there')
  }
  if (!(await isSmall(root, source))) return false
  await moveTo(root, source, target, work)
  if (mode.into !== undefined || parentOf(from) !== parentOf(to)) await keepFolderAbove(root, from)
  return true
}

function movedTo(
  root: BucketRoot,
  from: VirtualPath,
  to: VirtualPath,
  mode: TransferMode,
  { admitFolder }: Acceptance,
): Target {
  const near = mode.into === undefined ? { from } : {}
  return targetAt(targetRoot(root, mode), to, mode, { admitFolder, ...near })
}

/** Up to these limits, a folder or file is moved during the request; larger ones are moved by a job. */
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
  const target = movedTo(root, from, to, mode, work)
  requireApart(source, target)
  await moveTo(root, source, target, work)
  if (mode.into !== undefined || parentOf(from) !== parentOf(to)) await keepFolderAbove(root, from)
}

/**
 * Copies and then removes, so that each file is complete at one end at any time, and nobody else changes it at either end
 * meanwhile. Moves hidden entries of a folder too, such as its trash. Source files that other programs change meanwhile stay.
 */
export async function moveTo(root: BucketRoot, source: Found, target: Target, work: Work): Promise<void> {
  const { replace, earlier } = target
  const moveWork = { ...work, replace, earlier, timeOf: (original: bigint) => original }
  if (source.kind === 'file') {
    await target.prepare()
    const { key, object } = source
    const isMoved = await moveObject(root, key, object, target.key, { ...moveWork, isNew: false }, target)
    if (!isMoved) fail('NOT_FOUND', 'there is nothing at this path')
    return
  }
  using _claim = await claimFolder(root, source.key)
  const prefix = `${source.key}/`
  if ((await root.bucket.first(prefix)) === undefined) fail('NOT_FOUND', 'there is nothing at this path')
  // The folder itself is not a further one.
  const { admitFolder: _, ...moving } = work
  const isNew = await makeFolderFor(root, source, target, moving)
  try {
    for await (const { objects } of root.bucket.pages(prefix, { signal: work.signal }))
      for (const some of inParts(objects)) await moveObjects(root, some, source.key, target, { ...moveWork, isNew })
  } catch (error) {
    if (isNew && !isLeft(work)) await removeIfEmpty(root, target.key).catch(() => undefined)
    throw error
  }
}

/** Parts that are moved while their names are held: of few objects with few bytes, or of one that is larger. */
function* inParts(objects: readonly ListedObject[]): Generator<readonly ListedObject[], void, void> {
  let [part, bytes]: [ListedObject[], number] = [[], 0]
  for (const object of objects) {
    if (part.length === FEW_OBJECTS || (part.length > 0 && bytes + object.size > FEW_BYTES)) {
      yield part
      ;[part, bytes] = [[], 0]
    }
    part.push(object)
    bytes += object.size
  }
  if (part.length > 0) yield part
}

/** @param known the object as it was seen last. @returns false if it no longer exists */
async function moveObject(
  root: BucketRoot,
  key: string,
  known: StoredObject | undefined,
  to: string,
  work: CopyWork,
  { recheck }: Pick<Target, 'recheck'>,
): Promise<boolean> {
  const judge = judgeOf(work)
  let seen = known
  return await repeated(async () => {
    const source = seen ?? (await root.bucket.head(key, work.signal))
    seen = undefined
    if (source === undefined) return false
    const made = await madeEarlier(root, source, to, work, true)
    if (typeof made === 'string') fail('CONFLICT', 'something has this name since the move was interrupted')
    await using copy = made === undefined ? await beginCopy(root, source, to, work) : undefined
    using held = await lockKeys(root, key, to)
    // Others may have taken the copy for an original whose copy is here, and have removed it.
    if (made !== undefined && (await root.bucket.head(to, work.signal))?.etag !== made.copy.etag)
      fail('PRECONDITION_FAILED', 'the file was changed meanwhile')
    const placed = made ?? (copy && (await placeCopy(root, held, source, copy, to, work, judge)))
    if (placed === undefined) return false
    await recheck?.()
    const changed = await removeOriginals(root, held, [placed], work)
    if (changed.length === 0) return true
    if (!isLeft(work)) await persistently(async () => await unmove(root, [placed]))
    return fail('PRECONDITION_FAILED', 'the file was changed meanwhile')
  })
}

async function moveObjects(
  root: BucketRoot,
  objects: readonly ListedObject[],
  from: string,
  target: Target,
  work: CopyWork,
): Promise<void> {
  const copyKeyOf = (key: string) => target.key + key.slice(from.length)
  const [first] = objects
  if (first !== undefined && first.size > FEW_BYTES) {
    await moveObject(root, first.key, undefined, copyKeyOf(first.key), work, target)
    return
  }
  using held = await lockKeys(root, ...objects.flatMap(({ key }) => [key, copyKeyOf(key)]))
  const placed: Placed[] = []
  const copyOne = async (object: ListedObject) => {
    throwIfCancelled(work.signal)
    const to = copyKeyOf(object.key)
    if (isEmptyMarker(object)) {
      await putMarker(root, to.slice(0, -1))
      placed.push({ source: object, copy: { key: to, etag: '' }, isNew: false })
      return
    }
    const judge = judgeOf(work)
    await repeated(async () => {
      const source = await root.bucket.head(object.key, work.signal)
      if (source === undefined) return
      const made = await madeEarlier(root, source, to, work, true)
      if (typeof made === 'string') work.leftOut?.(object.key.slice(root.prefix.length), made)
      else if (made !== undefined) placed.push(made)
      if (made !== undefined) return
      await using copy = await beginCopy(root, source, to, work)
      placed.push(await placeCopy(root, held, source, copy, to, work, judge))
    })
  }
  const removeMoved = async () => {
    const inPlace = await stillInPlace(root, `${target.key}/`, placed, work)
    await target.recheck?.()
    const changed = await removeOriginals(root, held, inPlace, work)
    for (const key of changed) work.leftOut?.(key.slice(root.prefix.length), 'changed')
  }
  try {
    await mapParallel(objects, copyOne)
    throwIfCancelled(work.signal)
  } catch (error) {
    // What is copied by now has moved: it must not be there twice.
    await removeMoved().catch(() => undefined)
    throw error
  }
  await removeMoved()
}

/** Those whose copies others have not removed; of the rest, the originals stay. */
async function stillInPlace(
  root: BucketRoot,
  folder: string,
  placed: readonly Placed[],
  work: Work,
): Promise<readonly Placed[]> {
  const sizes = await sizesOf(
    root,
    folder,
    placed.map(({ copy }) => copy.key),
  )
  return placed.filter(({ source, copy }) => {
    const isThere = copy.key.endsWith('/') ? sizes.has(copy.key) : sizes.get(copy.key) === source.size
    if (!isThere) work.leftOut?.(source.key.slice(root.prefix.length), 'copyGone')
    return isThere
  })
}

/** Sizes of the objects with some of the keys in a folder, and of those between. */
async function sizesOf(
  root: BucketRoot,
  folder: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const [first = '', ...others] = keys.toSorted(byBytes)
  const last = others.at(-1) ?? first
  // The last key before the first one that is easily named.
  const after = [...first].slice(0, -1).join('')
  const sizes = new Map<string, number>()
  for await (const { objects } of root.bucket.pages(folder, after.length > folder.length ? { after } : {})) {
    for (const { key, size } of objects) sizes.set(key, size)
    if (byBytes(objects.at(-1)?.key ?? last, last) >= 0) break
  }
  return sizes
}

/** Removes originals of complete copies, if they are still the same. @returns the keys of those that have changed */
async function removeOriginals(
  root: BucketRoot,
  held: HeldNames,
  placed: readonly Placed[],
  work: Work,
): Promise<readonly string[]> {
  if (placed.length === 0) return []
  // If the server has not responded, it may still remove them: then only their removal is safe.
  let isUnclear = false as boolean
  const remove = async () => {
    await held.confirm()
    if (!isUnclear) work.accept?.()
    try {
      return await root.bucket.removeUnchanged(placed.map(({ source }) => source))
    } catch (error) {
      isUnclear ||= isFilemgrError(error, 'UNAVAILABLE')
      throw error
    }
  }
  try {
    return await persistently(remove, work.signal)
  } catch (error) {
    if (!isUnclear && !isLeft(work)) await persistently(async () => await unmove(root, placed)).catch(() => undefined)
    throw error
  }
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
