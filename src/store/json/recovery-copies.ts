import { readFile, rename, copyFile, constants } from 'node:fs/promises'
import type { Clock } from '../../platform/clock.ts'
import { writeAtomic, type FileContent } from '../disk/atomic-file.ts'
import { unlessErrno } from '../../platform/files/error-code.ts'
import { digestOf, documentLine, journalPathOf } from './stored-files.ts'
import { Journal, parseJournal } from '../disk/journal.ts'

/** The names of the recovery copies of a file, newest first: `store.json.1`, `store.json.2` … */
export const copiesOf = (path: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${path}.${index + 1}`)

/**
 * Saves the content that was just written as the newest recovery copy and drops the oldest. It is a separate file, not a
 * link: an editor that writes in place, or a bad block, must not damage both.
 */
export async function keepCopy(path: string, content: FileContent, count: number): Promise<void> {
  const [newest, ...older] = copiesOf(path, count)
  if (newest === undefined) return
  for (let index = older.length; index > 0; index--)
    await unlessErrno(rename(`${path}.${index}`, `${path}.${index + 1}`), 'ENOENT')
  await writeAtomic(newest, content, { durable: false })
}

/** The newest copy that `isValid` accepts. */
export async function newestValidCopy(
  path: string,
  count: number,
  isValid: (bytes: Uint8Array) => boolean,
): Promise<{ readonly path: string; readonly bytes: Uint8Array } | undefined> {
  for (const copy of copiesOf(path, count)) {
    const bytes = await unlessErrno(readFile(copy), 'ENOENT')
    if (bytes && isValid(bytes)) return { path: copy, bytes }
  }
  return undefined
}

/** Ending of the name of a file that is kept aside: "1970-01-01T00-00-00-000Z". */
export const timeStamp = (clock: Clock): string => new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')

/** Finds the recovery copy with a digest. */
export async function copyWithDigest(path: string, count: number, digest: string): Promise<Uint8Array | undefined> {
  for (const copy of copiesOf(path, count)) {
    const bytes = await unlessErrno(readFile(copy), 'ENOENT', 'ENOTDIR')
    if (bytes && (await digestOf([bytes])) === digest) return bytes
  }
  return undefined
}

/** Replaces a document and its journal, if there are any, whatever their state. Only the holder of the lock may call it. */
export async function replaceDocument(path: string, bytes: Uint8Array, copies: number): Promise<void> {
  await using journal = new Journal(journalPathOf(path))
  const old = await unlessErrno(readFile(journal.path), 'ENOENT')
  await journal.resume(parseJournal(old ?? new Uint8Array()))
  // After a crash, the changes of the old document must not be applied to the new one.
  if (await journal.isUsable()) await journal.append([documentLine(await digestOf([bytes]))])
  else await journal.remove()
  await writeAtomic(path, bytes)
  await journal.remove()
  await keepCopy(path, bytes, copies)
}

/** Copies a document, if there is one, and its journal. @returns the path of the copy of the document */
export async function copyAside(path: string, ending: string): Promise<string | undefined> {
  const [kept, journal] = [`${path}.${ending}`, journalPathOf(path)]
  await unlessErrno(copyFile(journal, `${journal}.${ending}`, constants.COPYFILE_EXCL), 'ENOENT')
  const copied = copyFile(path, kept, constants.COPYFILE_EXCL).then(() => kept)
  return await unlessErrno(copied, 'ENOENT')
}
