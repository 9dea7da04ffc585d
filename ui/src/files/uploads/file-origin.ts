/** A place on the user's disk that outlives the page, where the browser offers such: a dropped file or folder. */
export interface FileOrigin {
  readonly handle: FileSystemHandle
  /** Below that handle; empty for itself. */
  readonly path: string
}
