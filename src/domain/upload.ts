import { Type, type Static } from 'typebox'

/** What is kept of an unfinished upload beside its bytes; it is enough to go on after a restart. */
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
  /** Name of the file that holds what has come, in the folder of the target. */
  staged: Type.String(),
  /** `Upload-Metadata` as the client said it. */
  metadata: Type.Optional(Type.String()),
  /** In milliseconds since 1970. */
  created: Type.Integer(),
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

const MOST_LENGTH = 2 ** 53 - 1

/** A count of bytes from a header; undefined for anything but decimal digits. A sign or an exponent would pass `Number()`. */
export function parseByteCount(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,16}$/.test(text)) return undefined
  const count = Number(text)
  return count <= MOST_LENGTH ? count : undefined
}
