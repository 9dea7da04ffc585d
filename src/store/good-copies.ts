import { readFile, rename } from 'node:fs/promises'
import { writeAtomic } from './atomic-file.ts'
import { unlessErrno } from './disk.ts'

/** The names of the good copies of a file, newest first: `store.json.1`, `store.json.2` … */
export const copiesOf = (path: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${path}.${index + 1}`)

/**
 * Files the content that was just written as the newest good copy and drops the oldest. A file of its own, not a link:
 * an editor that writes in place, or a bad block, must not spoil both.
 */
export async function keepCopy(path: string, bytes: Uint8Array, count: number): Promise<void> {
  const [newest, ...older] = copiesOf(path, count)
  if (newest === undefined) return
  for (let index = older.length; index > 0; index--)
    await unlessErrno(rename(`${path}.${index}`, `${path}.${index + 1}`), 'ENOENT')
  await writeAtomic(newest, bytes, { durable: false })
}

interface GoodCopy {
  readonly path: string
  readonly bytes: Uint8Array
}

/** The newest copy that `isGood` accepts. */
export async function newestGoodCopy(
  path: string,
  count: number,
  isGood: (bytes: Uint8Array) => boolean,
): Promise<GoodCopy | undefined> {
  for (const copy of copiesOf(path, count)) {
    const bytes = await unlessErrno(readFile(copy), 'ENOENT')
    if (bytes && isGood(bytes)) return { path: copy, bytes }
  }
  return undefined
}
