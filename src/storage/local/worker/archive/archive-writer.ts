/** A folder or a file as an archive records it. */
export interface Member {
  /** Safe segments joined by slashes; no slash at either end. */
  readonly name: string
  /** Permission bits. */
  readonly mode: number
  /** Seconds since 1970. */
  readonly modified: number
}

/** The bytes of a file: reads to the start of the buffer. @returns how many; 0 at the end */
export type Reader = (into: Buffer) => number

/** Parts of the archive, or nothing to let others have a turn. */
export type Steps<Result = void> = Generator<Uint8Array | undefined, Result, void>

export interface ArchiveWriter {
  folder(member: Member): void
  /**
   * @param size expected; no more is read
   * @returns the bytes that there were: fewer when the file became shorter meanwhile
   */
  file(member: Member, size: number, read: Reader): Steps<number>
  end(): Steps
}
