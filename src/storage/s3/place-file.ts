import { fail, isFilemgrError } from '../../domain/errors.ts'
import { mediaTypeOf } from '../../domain/files/media/media-type.ts'
import type { WriteMode, Written } from '../storage.ts'
import type { Condition, NewObject } from './bucket.ts'
import { inodeOf, writtenOf } from './bucket-file.ts'
import { type BucketRoot, type Found, lookUp } from './bucket-root.ts'
import { newTime } from './times.ts'

/** How often another writer may be faster before this one fails. */
const MAX_ATTEMPTS = 4

/** Stores the object under its key, on a condition. @returns its ETag. @throws PRECONDITION_FAILED */
type Store = (object: Required<Pick<NewObject, 'modified' | 'condition'>>) => Promise<string>

/**
 * Puts a file in place if it may replace what exists there. Checks the existing object right before, and asks the server to
 * refuse if that changes in between; then checks again.
 *
 * @param size bytes of the file
 * @param fixed the time of a multipart upload, which was set when it began
 * @throws CONFLICT, and the error of `mode.accept`
 */
export async function placeFile(
  root: BucketRoot,
  key: string,
  { size, fixed }: { readonly size: number; readonly fixed?: bigint | undefined },
  mode: Pick<WriteMode, 'replace' | 'modified' | 'accept'>,
  store: Store,
): Promise<Written> {
  for (let attempt = 1; ; attempt += 1) {
    using lock = await root.locks.acquire([`${root.bucket.name} ${key}`])
    const present = await lookUp(root, key)
    await lock.confirm()
    requireReplaceable(present, mode)
    const old = present?.kind === 'file' ? present.object : undefined
    const modified = fixed ?? newTime(mode.modified, root.clock.now(), old?.modified)
    const condition: Condition = old === undefined ? 'new' : { etag: old.etag }
    try {
      return { size, modified, inode: inodeOf(await store({ modified, condition })) }
    } catch (error) {
      if (!isFilemgrError(error, 'PRECONDITION_FAILED')) throw error
      if (attempt === MAX_ATTEMPTS) fail('CONFLICT', 'others write this file at the same moment: try again')
    }
  }
}

/** @throws the error of `mode.accept`, CONFLICT */
export function requireReplaceable(
  present: Found | undefined,
  { replace, accept }: Pick<WriteMode, 'replace' | 'accept'>,
): void {
  if (present?.kind === 'folder') fail('CONFLICT', 'a folder is in the way')
  accept?.(present && writtenOf(present.object))
  if (present !== undefined && !replace) fail('CONFLICT', 'something with this name is already there')
}

/** The media type is for other programs; filemgr goes by the name. */
export function headersOf(name: string): NewObject['headers'] {
  return { ContentType: mediaTypeOf(name) ?? 'application/octet-stream' }
}
