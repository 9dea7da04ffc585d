import { open, type FileHandle } from 'node:fs/promises'

const BLOCK = 64 * 1024
const BREAK = 0x0a

/**
 * The lines of a file, or of its first `upTo` bytes, from the last to the first, without their breaks. One block at a time
 * is in memory, and the line that is put together. A file that is not there has no lines.
 */
export async function* linesBackward(path: string, upTo?: number): AsyncGenerator<string> {
  const file = await openIfThere(path)
  if (file === undefined) return
  await using handle = file
  /** What stands behind the last break that was found, not yet known to begin a line. */
  let tail: Buffer[] = []
  for (let end = upTo ?? (await handle.stat()).size; end > 0;) {
    const start = Math.max(0, end - BLOCK)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start)
    let rest = bytesRead
    for (let at = lastBreak(buffer, rest); at !== -1; at = lastBreak(buffer, rest)) {
      const line = Buffer.concat([buffer.subarray(at + 1, rest), ...tail]).toString('utf8')
      if (line !== '') yield line
      tail = []
      rest = at
    }
    tail.unshift(buffer.subarray(0, rest))
    end = start
  }
  const first = Buffer.concat(tail).toString('utf8')
  if (first !== '') yield first
}

/** Of the first `length` bytes; -1 when there is none. A negative start would count from the end. */
function lastBreak(buffer: Buffer, length: number): number {
  return length === 0 ? -1 : buffer.lastIndexOf(BREAK, length - 1)
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
