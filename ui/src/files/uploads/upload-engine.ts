export interface UploadRequest {
  /** Virtual path of the file or folder. */
  readonly path: string
  /** null makes a folder. */
  readonly file: File | null
  readonly override: boolean
  /** An earlier request has begun it: the server may hold a part. */
  readonly begun: boolean
  readonly signal: AbortSignal
  /** The server holds a part of it from now on, or has lost what it had. */
  onBegun(begun: boolean): void
  /** Called with the bytes that have left so far, never more than the file has. */
  onProgress(sentBytes: number): void
}

/**
 * Brings one file or folder to the server. Rejects with an error whose message is for people; aborting rejects with
 * the signal's reason.
 */
export type UploadEngine = (request: UploadRequest) => Promise<void>
