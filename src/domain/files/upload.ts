import { Type, type Static } from 'typebox'
import { fail } from '../errors.ts'
import { CHECKSUMS, type Checksum } from './resource.ts'

/** How many devices may continue an upload after their sessions have expired; the latest ones. */
export const MOST_FAMILIES = 8

/** The record of an upload: everything needed, besides its bytes, to resume after a restart. */
export const UploadRecord = Type.Object({
  id: Type.String({ pattern: '^[\\w-]{16}$' }),
  userId: Type.Integer(),
  /** Folder of the user's scope when it began; the path is beneath it. */
  scope: Type.String(),
  path: Type.String(),
  /** Of the whole file in bytes. */
  length: Type.Integer({ minimum: 0 }),
  /** May take the place of a file. */
  override: Type.Boolean(),
  /** Name of the staged file, in the folder of the target. */
  staged: Type.String(),
  /** `Upload-Metadata` as the client said it. */
  metadata: Type.Optional(Type.String()),
  /** In milliseconds since 1970. */
  created: Type.Integer(),
  /** Of the sessions that began it or went on with it, which may go on when they have expired. */
  families: Type.Optional(Type.Array(Type.String(), { maxItems: MOST_FAMILIES })),
  /** Bytes from here on have not been compared with their checksum yet, and do not count. */
  unverified: Type.Optional(Type.Integer({ minimum: 0 })),
  /**
   * When it was complete. Noted before the file takes its place: where the bytes still lie aside, it has not taken it.
   * In milliseconds since 1970.
   */
  finished: Type.Optional(Type.Integer()),
})
export type UploadRecord = Static<typeof UploadRecord>

/** An unfinished upload, for administrators. */
export interface UploadView {
  readonly id: string
  readonly username: string
  readonly path: string
  readonly offset: number
  readonly length: number
  /** RFC 3339. */
  readonly created: string
  /** When the last byte came. RFC 3339. */
  readonly touched: string
}

/** What a part must be, as `Upload-Checksum` says. */
export interface PartChecksum {
  readonly algorithm: Checksum
  /** base64 */
  readonly digest: string
}

/** Characters of a digest in base64. */
const DIGEST_LENGTHS: Readonly<Record<Checksum, number>> = { md5: 24, sha1: 28, sha256: 44, sha512: 88 }

/** @throws INVALID_INPUT for an unsupported algorithm, or a digest of the wrong form */
export function parsePartChecksum(text: string): PartChecksum {
  const [name, digest = '', ...rest] = text.split(' ')
  const algorithm = CHECKSUMS.find((known) => known === name)
  if (algorithm === undefined) fail('INVALID_INPUT', `Upload-Checksum must be made by ${CHECKSUMS.join(', ')}`)
  const isDigest = /^[A-Za-z0-9+/]+={0,2}$/.test(digest) && digest.length === DIGEST_LENGTHS[algorithm]
  if (!isDigest || rest.length > 0) fail('INVALID_INPUT', 'Upload-Checksum must be an algorithm and a digest in base64')
  return { algorithm, digest }
}

const MOST_LENGTH = 2 ** 53 - 1

/** A count of bytes from a header; undefined for anything but decimal digits. A sign or an exponent would pass `Number()`. */
export function parseByteCount(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return undefined
  const count = Number(text)
  return count <= MOST_LENGTH ? count : undefined
}

const SECONDS = /^\d{1,11}(\.\d{1,9})?$/

/** "1700000000.25", as clients write the time of a file, in milliseconds since 1970; undefined for anything else. */
export function parseSeconds(text: string): number | undefined {
  return SECONDS.test(text) ? Number(text) * 1000 : undefined
}
