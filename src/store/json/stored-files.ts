import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { parseJournal, type JournalContent, type JournalLine } from '../disk/journal.ts'
import { unlessErrno } from '../../platform/files/error-code.ts'
import { type DocumentChange, type Fields, type ListKeys, withChanges, withEdit } from './document-changes.ts'

/** The journal beside a document: `store.journal` for `store.json`. */
export const journalPathOf = (path: string): string => path.replace(/\.json$/, '.journal')

/** A line of the journal: what is stored is, at this point, exactly the content of a file with this digest. */
interface DocumentLine {
  readonly document: string
}

/** A line of the journal: changes that were made together. */
interface ChangeLine {
  readonly changes: readonly DocumentChange[]
}

export const documentLine = (digest: string): DocumentLine => ({ document: digest })
export const changeLine = (changes: readonly DocumentChange[]): ChangeLine => ({ changes })

/** A document and its journal, as they were at one moment. */
export interface StoredFiles {
  /** Undefined if the file is missing. */
  readonly bytes: Uint8Array | undefined
  readonly mark: FileMark | undefined
  readonly journal: JournalContent
  readonly journalBytes: Uint8Array | undefined
  readonly journalMark: FileMark | undefined
}

/** When a file was looked at, and what its inode said. */
export interface FileMark {
  readonly found: BigIntStats
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Milliseconds. The kernel's clock for files moves in steps: two changes within one cannot be told apart. */
const CLOCK_STEP = 100
/** A document that is replaced more often while it is read is being edited by a program in a loop. */
const MAX_TRIES = 20
/** Bytes that are digested at a time. */
const DIGESTED = 1024 * 1024

export async function markOf(path: string): Promise<FileMark | undefined> {
  const at = Date.now()
  const found = await unlessErrno(stat(path, { bigint: true }), 'ENOENT', 'ENOTDIR')
  return found && { found, at }
}

/** Whether a file is certainly the same at both times; undefined if its content has to be compared. */
export function isSameFile(before: FileMark, now: FileMark): boolean | undefined {
  const isSame = (['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every(
    (name) => before.found[name] === now.found[name],
  )
  if (!isSame) return false
  return before.at - Number(before.found.ctimeMs) > CLOCK_STEP ? true : undefined
}

/** Reads both files without a lock. Their writer removes a journal only after it has replaced the document. */
export async function readStoredFiles(path: string): Promise<StoredFiles> {
  for (let tries = 1; ; tries += 1) {
    const mark = await markOf(path)
    const bytes = await unlessErrno(readFile(path), 'ENOENT', 'ENOTDIR')
    const journalMark = await markOf(journalPathOf(path))
    const journalBytes = await unlessErrno(readFile(journalPathOf(path)), 'ENOENT', 'ENOTDIR')
    const after = await markOf(path)
    const isSame = mark && after ? isSameFile(mark, after) !== false : mark === after
    if (isSame || tries === MAX_TRIES)
      return { bytes, mark, journalMark, journalBytes, journal: parseJournal(journalBytes ?? new Uint8Array()) }
  }
}

/** As the journal names a document. */
export async function digestOf(pieces: readonly Uint8Array[]): Promise<string> {
  const hash = createHash('sha256')
  let since = 0
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += DIGESTED) {
      const part = piece.subarray(at, at + DIGESTED)
      hash.update(part)
      since += part.length
      if (since < DIGESTED) continue
      since = 0
      await setImmediate()
    }
  return hash.digest('base64url')
}

/** How a document and its journal belong together. */
export interface Continuation {
  /** What is stored. */
  readonly fields: Fields
  /**
   * `continued`: the journal contains this document; `edited`: the document was changed by hand, and its former content is
   * known; `foreign`: it is unknown; `none`: the journal has no changes, and another document
   */
  readonly kind: 'none' | 'continued' | 'edited' | 'foreign'
  /** Whether the journal has changes that the document by itself has not. */
  readonly hasChanges: boolean
}

interface ContinueInput {
  /** The document by itself. */
  readonly fields: Fields
  readonly digest: string
  readonly journal: JournalContent
  readonly keys: ListKeys
  /** The content of a file with this digest. */
  readonly find: (digest: string) => Promise<Fields | undefined>
}

/** Joins a document and its journal. */
export async function continueDocument({ fields, digest, journal, keys, find }: ContinueInput): Promise<Continuation> {
  const { lines } = journal
  const start = lines.findLastIndex(({ value }) => (value as DocumentLine).document === digest)
  const changes = changesIn(lines.slice(Math.max(0, start)))
  const hasChanges = changes.length > 0
  if (!hasChanges) return { fields, kind: start < 0 ? 'none' : 'continued', hasChanges }
  if (start >= 0) return { fields: withChanges(fields, changes, keys), kind: 'continued', hasChanges }
  for (const [at, { value }] of [...lines.entries()].toReversed()) {
    const { document } = value as Partial<DocumentLine>
    const base = document === undefined ? undefined : await find(document)
    if (base !== undefined)
      return { fields: withEdit(base, fields, changesIn(lines.slice(at)), keys), kind: 'edited', hasChanges }
  }
  return { fields: withChanges(fields, changes, keys), kind: 'foreign', hasChanges }
}

function changesIn(lines: readonly JournalLine[]): readonly DocumentChange[] {
  return lines.flatMap(({ value }) => (value as Partial<ChangeLine>).changes ?? [])
}
