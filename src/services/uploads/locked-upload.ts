import type { Readable } from 'node:stream'
import type { PartChecksum } from '../../domain/files/upload.ts'

export interface NewUpload {
  /** Of the whole file in bytes; undefined when the client says none that can be used. */
  readonly length: number | undefined
  readonly override: boolean
  /** `Upload-Metadata` as the client said it. */
  readonly metadata?: string | undefined
}

export interface UploadState {
  readonly offset: number
  readonly length: number
  readonly metadata?: string | undefined
  /** When the last byte came, in milliseconds since 1970; absent where none is waited for since long. */
  readonly touched?: number
}

export interface UploadPart {
  readonly checksum?: PartChecksum | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ResumeHow {
  /** Where the caller wants to go on: what another request has brought from there since does not count. */
  readonly from?: number | undefined
  /** One whose bytes are all here takes its place now: it was kept from it when they came. */
  readonly settle?: boolean
}

/** An upload that is locked for this request until it is disposed of. */
export interface LockedUpload extends AsyncDisposable {
  readonly state: UploadState
  /** The file has taken the place of one with other names (hard links), which keep the old content. */
  readonly linksParted: boolean
  /**
   * Appends; with the last byte the file takes its place. What came of a part that breaks off stays, unless it has a checksum.
   *
   * @returns the new offset
   * @throws CONFLICT at another offset or when the target is there meanwhile; TOO_LARGE, NO_SPACE, CANCELLED,
   *         CHECKSUM_MISMATCH
   */
  append(offset: number, body: Readable, part?: UploadPart): Promise<number>
  /** @throws NOT_FOUND for one that is finished */
  discard(): Promise<void>
}
