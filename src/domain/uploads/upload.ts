import { Type, type Static } from 'typebox'
import { fail } from '../errors.ts'
import { parseSeconds } from '../files/file-time.ts'
import { added, type Amount, NOTHING } from '../access/quota.ts'
import { CHECKSUMS, type Checksum } from '../files/resource.ts'

/** How many sessions may continue an upload after they have expired; the latest ones. */
export const MAX_FAMILIES = 8

/** Everything but the bytes that is needed to resume an upload after a restart. */
export const UploadRecord = Type.Object({
  id: Type.String({ pattern: '^[\\w-]{16}$' }),
  userId: Type.Integer(),
  /** The scope of the owner of the files when the upload began; `path` is relative to it. */
  scope: Type.String(),
  path: Type.String(),
  /** Of the whole file, in bytes. */
  length: Type.Integer({ minimum: 0 }),
  /** May replace a file. */
  override: Type.Boolean(),
  /** Bytes of the file that it may replace. That file counts in quotas already, so the upload counts only what it adds. */
  replaces: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Name of the staged file, in the target folder. */
  staged: Type.String(),
  /** `Upload-Metadata` as the client sent it. */
  metadata: Type.Optional(Type.String()),
  /** In milliseconds since 1970. */
  created: Type.Integer(),
  /** The sessions that have sent a part: they may continue the upload even after they have expired. */
  families: Type.Optional(Type.Array(Type.String(), { maxItems: MAX_FAMILIES })),
  /** Bytes from this offset on have not been verified against their checksum yet, and do not count. */
  unverified: Type.Optional(Type.Integer({ minimum: 0 })),
  /**
   * When all bytes had arrived, in milliseconds since 1970. Saved before the final rename: if the staged file still exists, the
   * rename has not happened.
   */
  finished: Type.Optional(Type.Integer()),
  /** All bytes are there, but its name was taken meanwhile. */
  isRefused: Type.Optional(Type.Literal(true)),
  /** Id of the grant by which the user sends it into files of somebody else. */
  grant: Type.Optional(Type.String()),
  /** Hash of the public link by which a visitor sends it; its address is then its id. */
  link: Type.Optional(Type.String()),
  /** Tells the addresses of visitors apart, without naming them. */
  sender: Type.Optional(Type.String({ maxLength: 64 })),
})
export type UploadRecord = Static<typeof UploadRecord>

/** What an unfinished upload takes from a quota. */
export function amountOf({ length, replaces }: Pick<UploadRecord, 'length' | 'replaces'>): Amount {
  return added({ bytes: length, files: 1 }, replaces === undefined ? NOTHING : { bytes: replaces, files: 1 })
}

/** An unfinished upload, for administrators. */
export const UploadView = Type.Object({
  id: Type.String(),
  username: Type.String(),
  path: Type.String(),
  offset: Type.Integer(),
  length: Type.Integer(),
  created: Type.String({ description: 'RFC 3339' }),
  touched: Type.String({ description: 'When the last byte arrived. RFC 3339' }),
})
export type UploadView = Static<typeof UploadView>

/** A file that a visitor has only begun to send, as the owner of the link sees it. */
export const LinkUploadView = Type.Object({
  id: Type.String(),
  name: Type.String({ description: 'As the visitor calls it' }),
  from: Type.String({ description: 'Who sends it, as they call themselves; "" if unknown' }),
  offset: Type.Integer({ description: 'Bytes that have arrived' }),
  length: Type.Integer({ description: 'Bytes of the whole file, which count towards limits and quota already' }),
  created: Type.Integer({ description: 'When it began. Unix seconds' }),
  touched: Type.Integer({ description: 'When the last byte arrived. Unix seconds' }),
})
export type LinkUploadView = Static<typeof LinkUploadView>

/** The header `Upload-Checksum`. */
export interface PartChecksum {
  readonly algorithm: Checksum
  /** base64 */
  readonly digest: string
}

/** Characters of a digest in base64. */
const DIGEST_LENGTHS: Readonly<Record<Checksum, number>> = { md5: 24, sha1: 28, sha256: 44, sha512: 88 }

/** @throws INVALID_INPUT for an unsupported algorithm or a malformed digest */
export function parsePartChecksum(text: string): PartChecksum {
  const [name, digest = '', ...rest] = text.split(' ')
  const algorithm = CHECKSUMS.find((known) => known === name)
  if (algorithm === undefined) fail('INVALID_INPUT', `Upload-Checksum must be made by ${CHECKSUMS.join(', ')}`)
  const isDigest = /^[A-Za-z0-9+/]+={0,2}$/.test(digest) && digest.length === DIGEST_LENGTHS[algorithm]
  if (!isDigest || rest.length > 0) fail('INVALID_INPUT', 'Upload-Checksum must be an algorithm and a digest in base64')
  return { algorithm, digest }
}

/** A byte count from a header; undefined unless it is all decimal digits. `Number()` would accept signs and exponents. */
export function parseByteCount(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return undefined
  const count = Number(text)
  return Number.isSafeInteger(count) ? count : undefined
}

/** A value of `Upload-Metadata`, such as "filename d29ybGQ=,mtime MTcwMA=="; undefined without it. The bytes may be anything. */
export function metadataValue(metadata: string | undefined, key: string): Uint8Array | undefined {
  for (const entry of metadata?.split(',') ?? []) {
    const [name, value = ''] = entry.trim().split(' ')
    if (name === key) return bytesOf(value)
  }
  return undefined
}

/** Empty for invalid base64. */
function bytesOf(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

/**
 * The modification time that a client wants the file to keep, in nanoseconds since 1970. Sync clients send it in
 * `Upload-Metadata` as `mtime`, in seconds since 1970; a malformed value is ignored.
 */
export function modifiedOf(metadata: string | undefined): bigint | undefined {
  const value = metadataValue(metadata, 'mtime')
  return value && parseSeconds(new TextDecoder().decode(value))
}

/** The next bytes of an upload, and the address of the bucket that takes exactly these many of them. */
export const DirectPart = Type.Object({
  offset: Type.Integer(),
  length: Type.Integer(),
  url: Type.String({ description: 'PUT the bytes there within a minute, with no other headers than Content-Length' }),
})
export type DirectPart = Static<typeof DirectPart>

/** How far an upload is that goes to the bucket. */
export const DirectUpload = Type.Object({
  offset: Type.Integer({ description: 'Bytes that have arrived' }),
  length: Type.Integer({ description: 'Bytes of the whole file' }),
  parts: Type.Array(DirectPart, { description: 'Empty once the file is in place' }),
})
export type DirectUpload = Static<typeof DirectUpload>

/** Progress of a file that arrives in parts. */
export interface StagedState {
  /** Bytes received so far. */
  readonly size: number
  /** When the last byte arrived, in milliseconds since 1970. */
  readonly touched: number
}

/** The next part of a staged file. */
export interface StagedPart {
  /** Must equal the current size of the file. */
  readonly offset: number
  /** Bytes of the whole file. A part that exceeds it is refused and dropped. */
  readonly length: number
  readonly signal?: AbortSignal | undefined
  /**
   * Called when the part breaks off, to decide about the bytes of it that have arrived: "keep" (the default), "drop", or "leave",
   * which changes nothing at all, because another process may be working on the file by now.
   */
  readonly remainder?: (() => 'keep' | 'drop' | 'leave') | undefined
  /** A part with another checksum is discarded. */
  readonly checksum?: PartChecksum | undefined
}
