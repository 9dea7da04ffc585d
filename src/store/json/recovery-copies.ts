import { readFile, rename } from 'node:fs/promises'
import type { Clock } from '../../platform/clock.ts'
import { writeAtomic, type FileContent } from '../disk/atomic-file.ts'
import { unlessErrno } from '../disk/disk.ts'
import { digestOf } from './stored-files.ts'

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

interface RecoveryCopy {
  readonly path: string
  readonly bytes: Uint8Array
}

/** The newest copy that `isValid` accepts. */
export async function newestValidCopy(
  path: string,
  count: number,
  isValid: (bytes: Uint8Array) => boolean,
): Promise<RecoveryCopy | undefined> {
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
