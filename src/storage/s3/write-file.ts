import type { Readable } from 'node:stream'
import { fail } from '../../domain/errors.ts'
import { ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { BodyBatches, sizeOf } from '../../platform/network/body-batches.ts'
import type { Written } from '../open-file.ts'
import type { WriteMode } from '../storage.ts'
import { type BucketRoot, lookUpFirst, makeFoldersAbove, newKeyOf } from './bucket-root.ts'
import { headersFor, placeFile, putFile, requireReplaceable } from './place-file.ts'
import { newTime } from './stored-object.ts'

const MEBIBYTE = 1024 * 1024
/** Bytes of a part, which is in memory; a smaller file needs only one request. */
export const PART = 16 * MEBIBYTE
/** Bytes: larger files would need more parts than a server accepts, or parts that need too much memory. */
const MAX_FILE = 512 * 1024 * MEBIBYTE

/** @throws NO_SPACE for a file that is too large */
export function requireRoom(length: number | undefined): void {
  if (length !== undefined && length > MAX_FILE) fail('NO_SPACE', 'files on an S3 server are limited to 512 GiB here')
}

/** Writes a file, which nobody sees before it is complete. */
export async function writeFile(
  root: BucketRoot,
  path: VirtualPath,
  source: Readable,
  mode: WriteMode,
): Promise<Written> {
  const { length, signal, admit } = mode
  const key = newKeyOf(root, path)
  if (path === ROOT) fail('CONFLICT', 'a folder is in the way', { reason: 'folderInWay' })
  const present = await lookUpFirst(root, key)
  requireReplaceable(present, mode)
  requireRoom(length)
  if (present === undefined) await makeFoldersAbove(root, path, mode)
  using batches = new BodyBatches(source, { length, max: MAX_FILE, signal, admit })
  const parts = partsOf(batches)
  let next = await parts.next()
  if (next.done === true) {
    await keepCounted(root, path, mode)
    return await putFile(root, key, next.value, mode)
  }
  const old = present?.kind === 'file' ? present.object.modified : undefined
  const modified = newTime(mode.modified, root.clock.now(), old)
  const headers = await headersFor(root, key, present)
  await using assembly = await root.bucket.assemble(key, { headers, modified })
  let size = 0
  for (let number = 1; ; number += 1) {
    await assembly.add(number, next.value)
    size += next.value.length
    if (next.done === true) break
    next = await parts.next()
  }
  await keepCounted(root, path, mode)
  return await placeFile(
    root,
    key,
    { size, fixed: modified },
    mode,
    async ({ condition }) => await assembly.complete(condition),
  )
}

/** Folders above that were removed while the body arrived would come back with the file, and count again. */
async function keepCounted(root: BucketRoot, path: VirtualPath, mode: WriteMode): Promise<void> {
  if (mode.admitFolder !== undefined) await makeFoldersAbove(root, path, mode)
}

/** Yields all parts but the last, and returns that. */
async function* partsOf(batches: BodyBatches): AsyncGenerator<Buffer, Buffer, void> {
  let buffered: Buffer[] = []
  let size = 0
  // Grows, because a server accepts 10,000 parts: growing ones have room for the largest file.
  let partSize = PART
  for (let batch = await batches.next(); batch !== undefined; batch = await batches.next()) {
    if (size >= partSize) {
      yield Buffer.concat(buffered)
      buffered = []
      size = 0
      partSize += PART / 2000
    }
    buffered.push(...batch)
    size += sizeOf(batch)
  }
  return Buffer.concat(buffered)
}
