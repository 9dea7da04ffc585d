import { textOfBytes } from '../../../domain/files/name-text.ts'
import type { Encoding } from '../../../domain/text/encodings.ts'
import { decodeText } from '../../../domain/text/text-codec.ts'

/** A name of an entry, as an archive has it. */
export interface ReadName {
  readonly name: string
  /** Only if the name does not say its encoding: what it was taken for. */
  readonly encoding?: Encoding
  /** Differs where the bytes do, even if they are one text in this encoding. Absent if the text tells. */
  readonly rawName?: string
}

/** Equal for the same bytes only. */
export function identityOf({ name, rawName }: ReadName): string {
  return rawName ?? name
}

/** Bytes that are not UTF-8 stay what they are. */
export function utf8Name(bytes: Uint8Array): ReadName {
  return { name: textOfBytes(bytes) }
}

/** A name that is invalid in its encoding keeps its bytes, so that the file is not lost. */
export function decodedName(bytes: Uint8Array, encoding: Encoding): ReadName {
  const name = decodeText(bytes, encoding)
  if (name === undefined) return { ...utf8Name(bytes), encoding }
  // NUL is in no name, so this is never the text of another one.
  return { name, encoding, rawName: `${Buffer.from(bytes).toString('latin1')}\0` }
}
