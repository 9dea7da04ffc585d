import { type MemberNames, safeMemberName } from '../../../../domain/files/archives/archive-format.ts'
import { numberedName } from '../../../../domain/files/virtual-path.ts'
import { type NameBytes, textOf } from '../sync-calls.ts'

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

/** Maps the names in a folder to names in the archive. Different names stay different; most do not change. */
export function memberNames(names: readonly NameBytes[], kind: MemberNames): Map<NameBytes, string> {
  const members = new Map(names.map((name) => [name, safeMemberName(textOf(name), kind)]))
  const changed = names.filter((name) => members.get(name) !== textOf(name) || members.get(name)?.includes('\ufffd'))
  if (changed.length === 0) return members
  const isChanged = new Set(changed)
  const taken = new TakenNames()
  for (const name of names) if (!isChanged.has(name)) taken.add(members.get(name) ?? '')
  for (const name of changed) members.set(name, taken.claim(members.get(name) ?? ''))
  return members
}

/** Makes names unique by numbering. Remembers the last number of each, because many names may become equal. */
export class TakenNames {
  readonly #taken = new Set<string>()
  readonly #numbers = new Map<string, number>()

  add(name: string): void {
    this.#taken.add(name)
  }

  /** Takes and returns the name, or the first free one with a number. */
  claim(preferred: string): string {
    let name = preferred
    let number = this.#numbers.get(preferred) ?? 0
    while (this.#taken.has(name)) name = numberedName(preferred, (number += 1))
    if (number > 0) this.#numbers.set(preferred, number)
    this.#taken.add(name)
    return name
  }
}
