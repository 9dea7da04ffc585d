import type { MemberNames } from '../../../domain/files/archives/archive-format.ts'

/** A folder or a file as an archive records it. */
export interface Member {
  /** Safe segments joined by slashes; no slash at either end. */
  readonly name: string
  /** Permission bits. */
  readonly mode: number
  /** Nanoseconds since 1970. */
  readonly modified: bigint
}

/** Identifies a state of a file or folder. */
export interface EntryFacts {
  readonly inode: number
  readonly size: number
  /** Nanoseconds since 1970. */
  readonly modified: bigint
  /** When anything changed last, in milliseconds since 1970. */
  readonly changed: number
}

/** The content of a member. */
export interface Source {
  /** When it was opened. */
  readonly stats: EntryFacts
  /** Reads to the start of the buffer. @returns how many bytes; 0 at the end */
  read(into: Buffer, position: number): number
  statsNow(): EntryFacts
}

/** A text file that is generated for the archive. */
export interface Note {
  readonly member: Member
  readonly text: string
}

export function textSource({ member, text }: Note): Source {
  const bytes = Buffer.from(text)
  const stats = { inode: 0, size: bytes.length, modified: member.modified, changed: 0 }
  return { stats, read: (into, position) => bytes.copy(into, 0, position), statsNow: () => stats }
}

/** Yields parts of the archive, or undefined to let other jobs run. */
export type Steps<Result = void> = Generator<Uint8Array | undefined, Result, void>

export interface ArchiveWriter {
  readonly names: MemberNames
  /** True once the rest of the walk is not needed. */
  readonly isDone: boolean
  folder(member: Member, stats: EntryFacts): void
  /**
   * Writes at most the size that the file had when it was opened.
   *
   * @returns bytes read: fewer if the file has become shorter
   */
  file(member: Member, source: Source): Steps<number>
}
