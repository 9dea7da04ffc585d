import type { PartChecksum } from './upload.ts'

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
