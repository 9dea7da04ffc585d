import { open, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

const PAUSE = 250
const BLOCK = 64 * 1024

/** A place in a file, and which file of this name it is. */
export interface FilePosition {
  readonly inode: number
  readonly size: number
}

/**
 * What is appended to a file behind a position, as it comes, until the signal. A file that was moved aside, or that begins anew, is
 * followed under its name; one that is not there yet is waited for.
 */
export async function* appendedTo(
  path: string,
  start: FilePosition | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let position = start
  while (!signal.aborted) {
    const now = await endOf(path)
    if (now !== undefined) {
      const isSame = position?.inode === now.inode && now.size >= position.size
      const from = isSame && position !== undefined ? position.size : 0
      for await (const part of partOf(path, from, now.size)) yield part
      position = now
    }
    await wait(PAUSE, undefined, { signal }).catch(ignoreAbort)
  }
}

/** The end of a file. Undefined while there is none. */
export async function endOf(path: string): Promise<FilePosition | undefined> {
  try {
    const { ino: inode, size } = await stat(path)
    return { inode, size }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function* partOf(path: string, from: number, to: number): AsyncGenerator<Uint8Array> {
  if (from >= to) return
  await using file = await open(path)
  for (let at = from; at < to;) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(BLOCK, to - at)), 0, undefined, at)
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
}
