import type { Readable } from 'node:stream'

/** An open file that contains an archive. */
export interface ArchiveFile {
  /** Bytes. */
  readonly size: number
  /** Both positions are included. */
  stream(start: number, end: number): Readable
}
