import { fail, throwIfCancelled } from '../../domain/errors.ts'
import { ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { RemovableFile } from '../open-file.ts'
import type { Work } from '../storage.ts'
import { writtenOf } from './bucket-file.ts'
import { type BucketRoot, failMissing, type Found, isName, keepFolderAbove, keyOf, lookUp } from './bucket-root.ts'
import { claimFolder, lockKeys, repeated } from './effects.ts'
import type { ListedObject, StoredObject } from './stored-object.ts'
import { isEmptyMarker } from './take-back.ts'
import { requireOne } from './targets.ts'

export async function removeEntry(root: BucketRoot, path: VirtualPath, work: Work): Promise<void> {
  throwIfCancelled(work.signal)
  const key = keyOf(root, path)
  if (path === ROOT) fail('FORBIDDEN', 'the root folder cannot be deleted')
  const found = requireOne((await lookUp(root, key)) ?? (await failMissing(root, path)))
  await requireAllShown(root, found, work.signal)
  await removeFound(root, found, work, isShowable)
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

/** Removes the marker of a folder. @returns false if something is in it */
export async function removeEmpty(root: BucketRoot, path: VirtualPath, accept: () => void): Promise<boolean> {
  const key = keyOf(root, path)
  if (path === ROOT) fail('FORBIDDEN', 'the root folder cannot be deleted')
  const marker = `${key}/`
  using held = await lockKeys(root, key)
  for await (const { objects } of root.bucket.pages(marker, { max: 2 })) {
    if (objects.some((object) => object.key !== marker || !isEmptyMarker(object))) return false
  }
  await held.confirm()
  accept()
  await root.bucket.remove([marker])
  await keepFolderAbove(root, path)
  return true
}

/**
 * Other programs can make objects that are in no listing here, so nobody who deletes their folder knows about them.
 *
 * @throws CONFLICT
 */
export async function requireAllShown(root: BucketRoot, found: Found, signal?: AbortSignal): Promise<void> {
  if (found.kind === 'file') return
  const prefix = `${found.key}/`
  for await (const { objects } of root.bucket.pages(prefix, { signal })) {
    const hidden = objects.find((object) => !isShowable(object, prefix))
    if (hidden === undefined) continue
    const name = JSON.stringify(shortened(hidden.key.slice(root.prefix.length)))
    fail('CONFLICT', `the folder contains ${name}, which cannot be shown here: remove that with another program first`)
  }
}

const MAX_QUOTED = 100

function shortened(key: string): string {
  return key.length > MAX_QUOTED ? `${[...key].slice(0, MAX_QUOTED).join('')}…` : key
}

function isShowable(object: ListedObject, prefix: string): boolean {
  const names = object.key.slice(prefix.length).split('/')
  return (isEmptyMarker(object) ? names.slice(0, -1) : names).every(isName)
}

/** If it is cancelled, the remaining objects stay. @param isRemovable others stay too */
export async function removeFound(
  root: BucketRoot,
  found: Found,
  work: Work,
  isRemovable: (object: ListedObject, prefix: string) => boolean = () => true,
): Promise<void> {
  if (found.kind === 'file') {
    await removeObject(root, found.key, () => work.accept?.())
    work.advance?.(found.object.size, 1)
    return
  }
  using _claim = await claimFolder(root, found.key)
  const prefix = `${found.key}/`
  for await (const page of root.bucket.pages(prefix, { signal: work.signal })) {
    const objects = page.objects.filter((object) => isRemovable(object, prefix))
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
    using held = await lockKeys(root, key)
    const found = await lookUp(root, key)
    if (found?.kind !== 'file') fail('NOT_FOUND', 'this is not a file')
    await held.confirm()
    judge(found.object)
    const changed = await root.bucket.removeUnchanged([found.object])
    if (changed.length > 0) fail('PRECONDITION_FAILED', 'the file was changed meanwhile')
  })
}
