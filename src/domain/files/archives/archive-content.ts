import type { ArchiveFormat } from './archive-format.ts'
import type { LeftOutEntry } from '../left-out.ts'
import type { VirtualPath } from '../virtual-path.ts'

export interface ArchiveSelection {
  readonly format: ArchiveFormat
  /** Names in the archive are relative to this folder. */
  readonly base: VirtualPath
  /** Paths in the base, none inside another. The base itself means all its entries. */
  readonly items: readonly VirtualPath[]
}

/** Positions in bytes; the end is not included. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** An archive, which workers make as fast as it is read. */
export interface ArchiveContent {
  /** Only for a zip, whose members are stored uncompressed: its size in bytes, and a text that changes with its content. */
  readonly known?: { readonly size: number; readonly fingerprint: string }
  /**
   * Yields the whole archive, or a span of one whose size is known. A part is valid until the next one is requested.
   *
   * @throws CONFLICT if files have changed, so that the archive cannot match its promised size
   */
  parts(span?: Span): AsyncIterable<Uint8Array>
  /** What is not in it, or not under its own name; complete once all parts have been read. Without what its user cannot see. */
  leftOut(): readonly LeftOutEntry[]
}
