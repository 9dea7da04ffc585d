import { Type, type Static } from 'typebox'

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
