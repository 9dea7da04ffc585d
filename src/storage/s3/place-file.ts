import { fail } from '../../domain/errors.ts'
import { mediaTypeOf } from '../../domain/files/media/media-type.ts'
import type { HeldNames } from '../../platform/limits/name-locks.ts'
import type { Written } from '../open-file.ts'
import type { WriteMode } from '../storage.ts'
import type { NewObject } from './bucket.ts'
import type { Condition } from './conditions.ts'
import { inodeOf, writtenOf } from './bucket-file.ts'
import { type BucketRoot, type Found, lookUp } from './bucket-root.ts'
import { lockKeys, repeated } from './effects.ts'
import { type KeptHeaders, newTime } from './stored-object.ts'

/** Stores the object under its key, on a condition. @returns its ETag. @throws PRECONDITION_FAILED */
type Store = (object: Required<Pick<NewObject, 'modified' | 'condition'>>) => Promise<string>

/** Stores a file with this content, and keeps what other programs have noted about the one that it replaces. */
export async function putFile(
  root: BucketRoot,
  key: string,
  bytes: Uint8Array,
  mode: Pick<WriteMode, 'replace' | 'modified' | 'accept'>,
): Promise<Written> {
  return await repeated(async () => {
    using held = await lockKeys(root, key)
    const present = await lookUp(root, key)
    const headers = await headersFor(root, key, present)
    const store: Store = async (object) => await root.bucket.put(key, bytes, { headers, ...object })
    return (await placeOver(root, held, present, { size: bytes.length }, mode, store)).written
  })
}

interface NewContent {
  /** Bytes. */
  readonly size: number
  /** The time of a multipart upload, which was set when it began. */
  readonly fixed?: bigint | undefined
}

/**
 * Puts a file in place if it may replace what exists there. Checks the existing object right before, and asks the server to
 * refuse if that changes in between; then checks again.
 *
 * @throws CONFLICT, and the error of `mode.accept`
 */
export async function placeFile(
  root: BucketRoot,
  key: string,
  content: NewContent,
  mode: Pick<WriteMode, 'replace' | 'modified' | 'accept'>,
  store: Store,
): Promise<Written> {
  return await repeated(async () => {
    using held = await lockKeys(root, key)
    return (await placeHeld(root, held, key, content, mode, store)).written
  })
}

/** The same while the name is held. @throws PRECONDITION_FAILED if another program has changed the object in between */
export async function placeHeld(
  root: BucketRoot,
  held: HeldNames,
  key: string,
  content: NewContent,
  mode: Pick<WriteMode, 'replace' | 'modified' | 'accept'>,
  store: Store,
): Promise<InPlace> {
  return await placeOver(root, held, await lookUp(root, key), content, mode, store)
}

interface InPlace {
  readonly written: Written
  readonly etag: string
  readonly isNew: boolean
}

async function placeOver(
  root: BucketRoot,
  held: HeldNames,
  present: Found | undefined,
  { size, fixed }: NewContent,
  mode: Pick<WriteMode, 'replace' | 'modified' | 'accept'>,
  store: Store,
): Promise<InPlace> {
  await held.confirm()
  requireReplaceable(present, mode)
  const old = present?.kind === 'file' ? present.object : undefined
  const modified = fixed ?? newTime(mode.modified, root.clock.now(), old?.modified)
  const etag = await store({ modified, condition: old === undefined ? 'new' : { etag: old.etag } })
  return { written: { size, modified, inode: inodeOf(etag) }, etag, isNew: old === undefined }
}

/** Stores an object on a condition, also if the server ignores conditions. @throws PRECONDITION_FAILED */
export async function putOnCondition(
  root: BucketRoot,
  key: string,
  bytes: Uint8Array,
  object: NewObject & { readonly condition: Exclude<Condition, undefined> },
): Promise<void> {
  const { bucket } = root
  const { condition } = object
  if ((await bucket.honoured()).put) {
    await bucket.put(key, bytes, object)
    return
  }
  using held = await lockKeys(root, key)
  const present = await bucket.head(key)
  if (present?.etag !== (condition === 'new' ? undefined : condition.etag))
    fail('PRECONDITION_FAILED', 'the file was changed meanwhile')
  await held.confirm()
  await bucket.put(key, bytes, object)
}

/** @throws the error of `mode.accept`, CONFLICT */
export function requireReplaceable(
  present: Found | undefined,
  { replace, accept }: Pick<WriteMode, 'replace' | 'accept'>,
): void {
  if (present?.kind === 'folder') fail('CONFLICT', 'a folder is in the way', { reason: 'folderInWay' })
  accept?.(present && writtenOf(present.object))
  if (present !== undefined && !replace) fail('CONFLICT', 'something with this name is already there')
}

/**
 * The headers of a file: those of the one that it replaces, but not how its content was encoded. The media type is for other
 * programs; filemgr goes by the name.
 */
export async function headersFor(
  { bucket }: Pick<BucketRoot, 'bucket'>,
  key: string,
  present: Found | undefined,
): Promise<KeptHeaders> {
  if (present?.kind !== 'file')
    return { ContentType: mediaTypeOf(key.slice(key.lastIndexOf('/') + 1)) ?? 'application/octet-stream' }
  const { ContentEncoding: _, ...headers } = await bucket.headersOf(present.object)
  return headers
}
