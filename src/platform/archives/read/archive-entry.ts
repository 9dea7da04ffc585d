import type { LeftOutReason } from '../../../domain/files/left-out.ts'
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

/** An entry of an archive, as its headers describe it. */
export interface ArchiveEntry extends EntryPlace, ReadName {
  /** Path with slashes, not validated. */
  readonly name: string
  readonly kind: EntryKind
  /** Only of a hard link: the `rawName`, or else `name`, of the earlier entry whose content it has. */
  readonly target?: string
  /** Nanoseconds since 1970. */
  readonly modified: bigint
}

/** The last ones are neither shown nor extracted. */
export type EntryKind = 'file' | 'folder' | 'hardLink' | Extract<LeftOutReason, 'link' | 'special' | 'sparse'>

/** Where the content of an entry is. */
export interface EntryPlace {
  /** Unpacked bytes, even of entries that are never extracted. */
  readonly size: number
  /** Offset of its local header in a zip, or of its content in a tar. */
  readonly at: number
  /** Its owner may run it as a program. */
  readonly isExecutable?: true
  /** Only in a zip. */
  readonly zip?: ZipFacts
}

export interface ZipFacts {
  readonly method: number
  readonly isEncrypted: boolean
  readonly packed: number
  readonly crc: number
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
