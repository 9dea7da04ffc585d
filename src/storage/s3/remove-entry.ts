import { fail, throwIfCancelled } from '../../domain/errors.ts'
import { ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { RemovableFile, Work } from '../storage.ts'
import { writtenOf } from './bucket-file.ts'
import { type BucketRoot, failMissing, type Found, keepFolderAbove, keyOf, lookUp } from './bucket-root.ts'
import { claimFolder, hold, repeated } from './effects.ts'
import type { StoredObject } from './stored-object.ts'
import { isEmptyMarker } from './take-back.ts'
import { requireOne } from './targets.ts'

export async function removeEntry(root: BucketRoot, path: VirtualPath, work: Work): Promise<void> {
  throwIfCancelled(work.signal)
  const key = keyOf(root, path)
  if (path === ROOT) fail('FORBIDDEN', 'the root folder cannot be deleted')
  await removeFound(root, requireOne((await lookUp(root, key)) ?? (await failMissing(root, path))), work)
  await keepFolderAbove(root, path)
}

export async function removeFile(
  root: BucketRoot,
  path: VirtualPath,
  accept: (current: RemovableFile) => void,
): Promise<void> {
  await removeObject(root, keyOf(root, path), (object) => accept(writtenOf(object)))
  await keepFolderAbove(root, path)
}

/** If it is cancelled, the remaining objects stay. */
export async function removeFound(root: BucketRoot, found: Found, work: Work): Promise<void> {
  if (found.kind === 'file') {
    await removeObject(root, found.key, () => work.accept?.())
    work.advance?.(found.object.size, 1)
    return
  }
  using _claim = await claimFolder(root, found.key)
  for await (const { objects } of root.bucket.pages(`${found.key}/`, { signal: work.signal })) {
    work.accept?.()
    await root.bucket.remove(objects.map(({ key }) => key))
    const files = objects.filter((object) => !isEmptyMarker(object))
    work.advance?.(
      files.reduce((sum, { size }) => sum + size, 0),
      files.length,
    )
    throwIfCancelled(work.signal)
  }
}

/** @param judge called with the object right before it is removed */
async function removeObject(root: BucketRoot, key: string, judge: (object: StoredObject) => void): Promise<void> {
  await repeated(async () => {
    using held = await hold(root, key)
    const found = await lookUp(root, key)
    if (found?.kind !== 'file') fail('NOT_FOUND', 'this is not a file')
    await held.confirm()
    judge(found.object)
    const changed = await root.bucket.removeUnchanged([found.object])
    if (changed.length > 0) fail('PRECONDITION_FAILED', 'the file was changed meanwhile')
  })
}
