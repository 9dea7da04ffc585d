import { fail } from '../../domain/errors.ts'
import type { Visibility } from '../../domain/access/rule-check.ts'
import type { VirtualPath } from '../../domain/files/virtual-path.ts'
import { type BucketRoot, failMissing, folderKey, isName, isShownIn, keyOf, lookUp } from './bucket-root.ts'
import type { ListedObject } from './stored-object.ts'

/** An entry of a folder. */
export interface Entry {
  readonly name: string
  /** Undefined for a folder. */
  readonly object: ListedObject | undefined
}

/** The visible entries of a folder. @throws NOT_FOUND, INVALID_INPUT; CONFLICT for a file */
export async function readFolder(
  root: BucketRoot,
  path: VirtualPath,
  visibility: Visibility,
  signal?: AbortSignal,
): Promise<Entry[]> {
  const key = keyOf(root, path)
  const prefix = folderKey(root, key)
  const isShown = isShownIn(visibility)
  const isVisible = (name: string) => isName(name) && isShown(path, name)
  const entries: Entry[] = []
  let isEmpty = true
  if (root.file !== undefined) fail('CONFLICT', 'this is not a folder', { reason: 'notFolder' })
  for await (const { objects, folders } of root.bucket.pages(prefix, { isGrouped: true, signal })) {
    isEmpty &&= objects.length === 0 && folders.length === 0
    for (const object of objects) {
      const name = object.key.slice(prefix.length)
      if (isVisible(name)) entries.push({ name, object })
    }
    for (const folder of folders) {
      const name = folder.slice(prefix.length, -1)
      if (isVisible(name)) entries.push({ name, object: undefined })
    }
  }
  if (!isEmpty || prefix === root.prefix) return entries
  if ((await lookUp(root, key)) !== undefined) fail('CONFLICT', 'this is not a folder', { reason: 'notFolder' })
  return await failMissing(root, path)
}
