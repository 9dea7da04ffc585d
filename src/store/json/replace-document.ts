import { copyFile, constants, readFile } from 'node:fs/promises'
import { writeAtomic } from '../disk/atomic-file.ts'
import { unlessErrno } from '../disk/disk.ts'
import { Journal, parseJournal } from '../disk/journal.ts'
import { keepCopy } from './recovery-copies.ts'
import { digestOf, documentLine, journalPathOf } from './stored-files.ts'

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
