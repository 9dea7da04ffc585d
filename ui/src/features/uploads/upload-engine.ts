export interface UploadRequest {
  /** Virtual path of the file or folder. */
  readonly path: string
  /** null makes a folder. */
  readonly file: File | null
  readonly override: boolean
  readonly signal: AbortSignal
  /** Called with the bytes that have left so far, never more than the file has. */
  onProgress(sentBytes: number): void
}

/**
 * Brings one file or folder to the server. Rejects with an error whose message is for people; aborting rejects with
 * the signal's reason.
 */
export type UploadEngine = (request: UploadRequest) => Promise<void>
