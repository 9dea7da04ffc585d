import { fail, throwIfCancelled } from '../../domain/errors.ts'
import type { VirtualPath } from '../../domain/files/virtual-path.ts'
import { isReservedName } from '../reserved-names.ts'
import type { TransferMode, Work } from '../storage.ts'
import { type BucketRoot, find, lookUp, makeMarker, targetRoot } from './bucket-root.ts'
import { copyObject, type CopyWork, type Placed } from './copy-object.ts'
import { mapParallel } from './in-parallel.ts'
import type { ListedObject } from './stored-object.ts'
import { isEmptyMarker, isLeft, removeIfEmpty, takeBack } from './take-back.ts'
import { makeFolderFor, requireApart, requireFileTarget, requireOne, type Target, targetAt } from './targets.ts'

export async function copyEntry(
  root: BucketRoot,
  from: VirtualPath,
  to: VirtualPath,
  mode: TransferMode,
  work: Work,
): Promise<void> {
  const into = targetRoot(root, mode)
  const target = targetAt(into, to, mode, work)
  const source = requireOne(await find(root, from))
  requireApart(source, target)
  const { replace, earlier } = mode
  const timeOf = () => BigInt(root.clock.now()) * 1_000_000n
  if (source.kind === 'file') {
    if (earlier === undefined) requireFileTarget(await lookUp(into, target.key), target)
    await target.prepare()
    const copied = await copyObject(root, source.key, target.key, { ...work, replace, earlier, timeOf, isNew: false })
    if (copied === undefined) fail('NOT_FOUND', 'there is nothing at this path')
    if (typeof copied === 'string') fail('CONFLICT', 'something has this name since the copy was interrupted')
    return
  }
  const isNew = await makeFolderFor(into, source, target, work)
  const copied: Placed[] = []
  const copyWork = { ...work, replace, earlier, timeOf, isNew }
  const admitFolders = folderAdmission(root, source.key, target, copyWork)
  try {
    for await (const { objects } of root.bucket.pages(`${source.key}/`, { signal: work.signal })) {
      const copyable = objects.filter(({ key }) => !key.slice(source.key.length).split('/').some(isReservedName))
      await admitFolders(copyable)
      await mapParallel(copyable, async ({ key, size }) => {
        throwIfCancelled(work.signal)
        const copyKey = target.key + key.slice(source.key.length)
        if (isEmptyMarker({ key, size })) {
          await makeMarker(root, copyKey.slice(0, -1))
          return
        }
        const placed = await copyObject(root, key, copyKey, copyWork)
        if (typeof placed === 'string') work.leftOut?.(key.slice(root.prefix.length), placed)
        else if (placed !== undefined) copied.push(placed)
      })
      throwIfCancelled(work.signal)
    }
  } catch (error) {
    // Nobody must take a partial copy for a complete one.
    const isOurs = isNew || (earlier?.merging === true && !replace)
    if (isOurs && !isLeft(work)) {
      await takeBack(root, copied)
      await removeIfEmpty(root, target.key)
    }
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
