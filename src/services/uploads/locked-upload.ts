import type { Readable } from 'node:stream'
import type { DirectPart } from '../../domain/uploads/direct-part.ts'
import type { PartChecksum } from '../../domain/uploads/upload.ts'

export interface NewUpload {
  /** Length of the whole file in bytes; undefined if the client gives no valid one. */
  readonly length: number | undefined
  readonly override: boolean
  /** `Upload-Metadata` as the client sent it. */
  readonly metadata?: string | undefined
}

export interface UploadState {
  readonly offset: number
  readonly length: number
  readonly metadata?: string | undefined
  /** When the last byte arrived, in milliseconds since 1970; absent for a finished upload, which does not expire. */
  readonly touched?: number
  /** The public link by which a visitor sends it. */
  readonly link?: string | undefined
}

export interface UploadPart {
  readonly checksum?: PartChecksum | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ResumeOptions {
  /** The offset to resume from; bytes that another request has added after it are dropped. */
  readonly from?: number | undefined
  /** Finishes an upload whose bytes are complete but whose file could not be put in place before. */
  readonly settle?: boolean
}

/** An upload that is locked for this request until it is disposed of. */
export interface LockedUpload extends AsyncDisposable {
  /** Part of the address of an upload by a link; undefined for an upload that was finished before. */
  readonly id: string | undefined
  readonly state: UploadState
  /** How the finished upload took its place; undefined until then. */
  readonly placed: 'created' | 'overwritten' | undefined
  /** The finished file has the time that its client has sent. */
  readonly isTimeHeld: boolean
  /** The replaced file had other hard links, which keep the old content. */
  readonly linksParted: boolean
  /**
   * Appends a part; the last byte puts the file in place. If a part breaks off, the received bytes stay unless it has a checksum.
   *
   * @returns the new offset
   * @throws CONFLICT for another offset, or if the target exists by now; TOO_LARGE, NO_SPACE, CANCELLED,
   *         CHECKSUM_MISMATCH
   */
  append(offset: number, body: Readable, part?: UploadPart): Promise<number>
  /** The next parts, to be sent to the bucket. @throws NOT_IMPLEMENTED if it cannot take them */
  parts(): Promise<readonly DirectPart[]>
  /** @throws NOT_FOUND for a finished upload */
  discard(): Promise<void>
}
