/** An entry of an archive, as its headers describe it. Small, because there may be a hundred thousand. */
export interface ArchiveEntry {
  /** With slashes, not checked. */
  readonly name: string
  /** `other`: links, devices, sparse files, which are neither shown nor extracted. */
  readonly kind: 'file' | 'folder' | 'other'
  /** Unpacked bytes, also of what is not extracted. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  /** Where its local header begins in a zip, or its content in a tar. */
  readonly at: number
  /** Only in a zip. */
  readonly zip?: ZipFacts
}

interface ZipFacts {
  readonly method: number
  readonly isEncrypted: boolean
  readonly packed: number
  readonly crc: number
}
