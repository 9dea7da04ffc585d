import type { GetObjectCommandOutput, HeadObjectCommandOutput } from '@aws-sdk/client-s3'
import { fail } from '../../domain/errors.ts'
import { decodeName, wellFormedText } from '../../domain/files/name-text.ts'
import { parseSeconds, secondsText } from '../../domain/files/file-time.ts'

/** The metadata field for the modification time, which rclone uses too: seconds since 1970, with decimals. */
const MTIME = 'mtime'
const SECOND = 1_000_000_000n
const MILLISECOND = 1_000_000n

/** Saves within this time of each other get different times, so that they have different ETags. */
const SAME_MOMENT = SECOND

/** An object as a listing shows it. */
export interface ListedObject {
  readonly key: string
  readonly size: number
  readonly etag: string
  /** When it was stored. Nanoseconds since 1970. */
  readonly stored: bigint
}

/** An object without its content. */
export interface StoredObject extends ListedObject {
  /** Modification time from its metadata, or else when it was stored. Nanoseconds since 1970. */
  readonly modified: bigint
  /** The headers that a copy keeps, without tags. */
  readonly headers: KeptHeaders
  readonly tagCount: number
  /** Digests of the whole content that the server has stored, in base64. */
  readonly digests: Readonly<Record<'sha1' | 'sha256', string | undefined>>
}

/** What other programs have noted about an object. */
export type KeptHeaders = Pick<
  HeadObjectCommandOutput,
  | 'ContentType'
  | 'CacheControl'
  | 'ContentDisposition'
  | 'ContentEncoding'
  | 'ContentLanguage'
  | 'StorageClass'
  | 'Metadata'
> & {
  /** Tags, as in a query string. */
  readonly Tagging?: string
}

export function quoted(etag: string): string {
  return `"${etag}"`
}

/** Removes the quotes, which servers send only in some responses. */
export function unquoted(etag: string): string {
  return etag.replace(/^"(.*)"$/, '$1')
}

/** Some servers keep keys that are not UTF-8. They must not make the whole listing fail. */
export function decodeKey(key: string): string {
  return decodeName(key.replaceAll('+', ' '))
}

/** As U+FFFD, bytes that are not UTF-8 would mean another object, to be deleted in place of this one. @throws CONFLICT */
export function requireUtf8(key: string): void {
  if (key.isWellFormed()) return
  fail('CONFLICT', `"${wellFormedText(key)}" is not UTF-8: copy, move or delete it with another program`)
}

export function storedObject(
  key: string,
  head: HeadObjectCommandOutput | GetObjectCommandOutput,
  size: number,
): StoredObject {
  const { ContentType, CacheControl, ContentDisposition, ContentEncoding, ContentLanguage, StorageClass } = head
  const { ETag = '', LastModified, Metadata, ChecksumSHA1, ChecksumSHA256 } = head
  const stored = nanosecondsOf(LastModified)
  const more = { ContentType, CacheControl, ContentDisposition, ContentEncoding, ContentLanguage, StorageClass }
  return {
    key,
    size,
    etag: unquoted(ETag),
    stored,
    modified: timeIn(Metadata) ?? stored,
    headers: { ...more, Metadata },
    tagCount: head.TagCount ?? 0,
    digests: { sha1: ChecksumSHA1, sha256: ChecksumSHA256 },
  }
}

export function nanosecondsOf(date: Date | undefined): bigint {
  return BigInt(date?.getTime() ?? 0) * 1_000_000n
}

export interface PageOptions {
  /** Lists only what is directly under the prefix; the rest is grouped into `folders`. */
  readonly isGrouped?: boolean
  /** Begins after this key. */
  readonly after?: string | undefined
  /** Lists a single page with at most this many entries. */
  readonly max?: number
  readonly signal?: AbortSignal | undefined
}

/** One page of a listing. */
export interface Page {
  readonly objects: readonly ListedObject[]
  /** Prefixes up to the next slash, if `isGrouped`. */
  readonly folders: readonly string[]
}

/** Nanoseconds since 1970; undefined if there is no valid time. */
export function timeIn(metadata: Readonly<Record<string, string>> | undefined): bigint | undefined {
  return parseSeconds(metadata?.[MTIME] ?? '')
}

/** @param time nanoseconds since 1970 */
export function metadataWith(
  metadata: Readonly<Record<string, string>> | undefined,
  time: bigint | undefined,
): Record<string, string> {
  return time === undefined ? { ...metadata } : { ...metadata, [MTIME]: secondsText(time) }
}

/**
 * The modification time of a new file.
 *
 * @param given nanoseconds since 1970, if the time is given
 * @param now milliseconds since 1970
 * @param old time of the file that is replaced, in nanoseconds since 1970
 */
export function newTime(given: bigint | undefined, now: number, old: bigint | undefined): bigint {
  if (given !== undefined) return given
  const time = BigInt(now) * MILLISECOND
  if (old === undefined || time > old || old - time > SAME_MOMENT) return time
  return old + MILLISECOND
}
