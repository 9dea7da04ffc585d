/** An entry of an archive, as its headers describe it. */
export interface ArchiveEntry extends EntryPlace {
  /** Path with slashes, not validated. */
  readonly name: string
  /** `other`: links, devices, sparse files, which are neither shown nor extracted. */
  readonly kind: 'file' | 'folder' | 'other'
  /** Nanoseconds since 1970. */
  readonly modified: bigint
}

/** Where the content of an entry is. */
export interface EntryPlace {
  /** Unpacked bytes, even of entries that are never extracted. */
  readonly size: number
  /** Offset of its local header in a zip, or of its content in a tar. */
  readonly at: number
  /** Only in a zip. */
  readonly zip?: ZipFacts
}

export interface ZipFacts {
  readonly method: number
  readonly isEncrypted: boolean
  readonly packed: number
  readonly crc: number
}
