import type { LeftOutReason } from '../../../domain/files/left-out.ts'
import type { ReadName } from './read-name.ts'

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
