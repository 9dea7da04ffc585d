import { fail, isFilemgrError } from '../domain/errors.ts'
import type { Conditions } from '../domain/files/bucket-conditions.ts'
import { isBucketUrl, parseBucketUrl } from '../domain/server/addresses.ts'
import { checkRoot } from '../platform/files/served-root.ts'
import type { LocalStorageOptions } from '../storage/local/local-storage.ts'
import type { S3StorageOptions } from '../storage/s3/s3-storage.ts'
import type { Storage } from '../storage/storage.ts'

export interface ServedFolderOptions extends LocalStorageOptions, Pick<S3StorageOptions, 'direct'> {}

/** Opens the folder or bucket that the option `root` names. Loads only the code that this kind of storage needs. */
export async function openServedFolder(root: string, options: ServedFolderOptions): Promise<Storage> {
  if (isBucketUrl(root)) {
    const { openS3Storage } = await import('../storage/s3/s3-storage.ts')
    const { staged, locks, memory, direct } = options
    return openS3Storage(parseBucketUrl(root), { staged, locks, memory, direct })
  }
  const { openLocalStorage } = await import('../storage/local/local-storage.ts')
  return await openLocalStorage(root, options)
}

/** The same for a daemon: a missing folder is UNAVAILABLE, since its disk may be mounted later. */
export async function openServedFolderLater(root: string, options: ServedFolderOptions): Promise<Storage> {
  try {
    return await openServedFolder(root, options)
  } catch (cause) {
    if (!isFilemgrError(cause, 'NOT_FOUND')) throw cause
    return fail('UNAVAILABLE', 'the served folder does not exist: mount its disk or restore it', {}, { cause })
  }
}

/**
 * Checks before a start that the folder or bucket can be served.
 *
 * @returns whether it is writable, and advice for the operator
 * @throws INVALID_INPUT, UNAVAILABLE
 */
export async function checkServedFolder(root: string): Promise<{ writable: boolean; advice?: string }> {
  if (!isBucketUrl(root)) return await checkRoot(root)
  const { openS3Storage } = await import('../storage/s3/s3-storage.ts')
  await using storage = openS3Storage(parseBucketUrl(root))
  await storage.ready()
  if (!(await storage.keepsVersions())) return { writable: true }
  const advice = 'keeps old versions: deleted and replaced files go on taking space until a lifecycle rule removes them'
  return { writable: true, advice: `${root} ${advice}` }
}

/** Which conditions a bucket honours, found out by writing to it; undefined for a folder. @throws UNAVAILABLE */
export async function conditionsOf(root: string): Promise<Conditions | undefined> {
  if (!isBucketUrl(root)) return undefined
  const { openS3Storage } = await import('../storage/s3/s3-storage.ts')
  await using storage = openS3Storage(parseBucketUrl(root))
  return await storage.conditions()
}
