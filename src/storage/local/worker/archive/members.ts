import type { Stats } from 'node:fs'
import { numberedName } from '../../../../domain/files/virtual-path.ts'
import { type NameBytes, textOf } from '../sync-calls.ts'

/** A folder or a file as an archive records it. */
export interface Member {
  /** Safe segments joined by slashes; no slash at either end. */
  readonly name: string
  /** Permission bits. */
  readonly mode: number
  /** Seconds since 1970. */
  readonly modified: number
}

/** What tells one state of a file or folder from another. */
export type EntryFacts = Pick<Stats, 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>

/** The content of a member. */
export interface Source {
  /** As it was opened. */
  readonly stats: EntryFacts
  /** Reads to the start of the buffer. @returns how many bytes; 0 at the end */
  read(into: Buffer, position: number): number
  /** As it is now. */
  statsNow(): EntryFacts
}

/** A member that is made of text. */
export interface Note {
  readonly member: Member
  readonly text: string
}

export function textSource({ member, text }: Note): Source {
  const bytes = Buffer.from(text)
  const stats = { ino: 0, size: bytes.length, mtimeMs: member.modified * 1000, ctimeMs: 0 }
  return { stats, read: (into, position) => bytes.copy(into, 0, position), statsNow: () => stats }
}

/** Parts of the archive, or nothing to let others have a turn. */
export type Steps<Result = void> = Generator<Uint8Array | undefined, Result, void>

export interface ArchiveWriter {
  /** Nothing more is wanted. */
  readonly isDone: boolean
  folder(member: Member, stats: EntryFacts): void
  /**
   * Reads no more than there was when it was opened.
   *
   * @returns the bytes that there were: fewer when the file became shorter meanwhile
   */
  file(member: Member, source: Source): Steps<number>
}

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const UNSAFE = /[\\:\u0000-\u001f\u007f]/g

/**
 * What a name is called in an archive. Backslashes and colons would be folders, drives and streams to the one who unpacks on
 * Windows (GHSA-83xp-526h-j3ww), control characters upset their terminal.
 */
export function safeName(name: NameBytes): string {
  return textOf(name).replace(UNSAFE, '_')
}

/** Names of one folder with what they are called: different names stay different, and most keep their own. */
export function memberNames(names: readonly NameBytes[]): Map<NameBytes, string> {
  const members = new Map(names.map((name) => [name, safeName(name)]))
  const changed = names.filter((name) => members.get(name) !== textOf(name) || members.get(name)?.includes('\ufffd'))
  if (changed.length === 0) return members
  const isChanged = new Set(changed)
  const taken = new TakenNames()
  for (const name of names) if (!isChanged.has(name)) taken.add(members.get(name) ?? '')
  for (const name of changed) members.set(name, taken.claim(members.get(name) ?? ''))
  return members
}

/** Names that are taken, and how far each has been numbered: a folder may be full of names that become one. */
export class TakenNames {
  readonly #taken = new Set<string>()
  readonly #numbers = new Map<string, number>()

  add(name: string): void {
    this.#taken.add(name)
  }

  /** The name, or the first numbered one that is free; it is taken then. */
  claim(wanted: string): string {
    let name = wanted
    let number = this.#numbers.get(wanted) ?? 0
    while (this.#taken.has(name)) name = numberedName(wanted, (number += 1))
    if (number > 0) this.#numbers.set(wanted, number)
    this.#taken.add(name)
    return name
  }
}
