import type { Readable, Writable } from 'node:stream'

/** The state of a written file: enough for an ETag. */
export interface Written {
  readonly size: number
  /** Nanoseconds since 1970. */
  readonly modified: bigint
  readonly inode: bigint
  /** The replaced file has other hard links, which still lead to its old content. */
  readonly linksParted?: true
}

/** A file that is about to be removed. */
export interface RemovableFile extends Written, Pick<OpenFile, 'changed'> {}

/** An open regular file. Renaming or replacing it by name has no effect on this. */
export interface OpenFile extends AsyncDisposable, Pick<Written, 'size' | 'modified' | 'inode'> {
  readonly name: string
  /** A program may inherit it while this file is open. Undefined if the storage is not a local disk. */
  readonly descriptor?: number | undefined
  /** When content or permissions changed last, in nanoseconds since 1970; no user can set it. Undefined in a bucket. */
  readonly changed?: bigint | undefined
  /**
   * Streams the bytes `start` to `end`, both inclusive, in buffers of its own. Fails if the file shrinks meanwhile. The file
   * stays open until the stream has ended or is destroyed, even if it is disposed earlier.
   */
  stream(start: number, end: number): Readable
  /**
   * Like `stream`, from pooled buffers, which is several times faster. The destination must not use a chunk after its callback:
   * true for sockets and HTTP responses, not for transforms. Does not end the destination.
   *
   * @throws CANCELLED if the destination closes, CONFLICT if the file shrinks
   */
  send(destination: Writable, start: number, end: number): Promise<void>
  /**
   * Makes an address that gives the content to a browser without us, to anyone and for a minute. Undefined where there is none.
   * Unlike other reads, it gives what is at the path then, if the file is replaced before.
   */
  readonly direct?: ((reply: DirectReply) => Promise<string>) | undefined
  /** Up to `length` bytes from the start. */
  head(length: number): Promise<Uint8Array>
  /** The whole content of a file up to 64 KiB; undefined for a larger one. */
  small(): Promise<Uint8Array | undefined>
}

/** How a browser gets a file from the storage itself: headers of the response. */
export interface DirectReply {
  readonly type: string
  readonly disposition: string
  readonly cacheControl: string
}
