import { closeSync, fstatSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'

export interface RotatingFileOptions {
  readonly path: string
  /** Make the folder when it is missing, but not the folder above. */
  readonly makesFolder?: boolean
  /** Bytes of one file; a line that passes it is the last one there. */
  readonly limit?: number
  /** How many files there are at the most, with the current one. */
  readonly files?: number
}

/**
 * A file of lines, for us alone to read. A full one is moved aside: `x.log` becomes `x.log.1`, that becomes `x.log.2`, and
 * the oldest goes. Several processes may write to it: each line is one append.
 *
 * What a line costs is known at once, since it is written at once: the last lines before a crash are the ones that are needed.
 */
export class RotatingFile implements Disposable {
  readonly path: string
  readonly #limit: number
  readonly #files: number
  readonly #makesFolder: boolean
  #fd: number | undefined

  constructor({ path, limit = 100 * 1024 * 1024, files = 10, makesFolder = false }: RotatingFileOptions) {
    this.path = path
    this.#limit = limit
    this.#files = files
    this.#makesFolder = makesFolder
  }

  /** @param line with its line break. @throws what the file system says */
  write(line: string): void {
    const fd = (this.#fd ??= this.#open())
    writeSync(fd, line)
    if (fstatSync(fd).size >= this.#limit) this.#rotate(fd)
  }

  /** The next line goes to a file of this name that is opened anew: the old one was moved away. */
  reopen(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  [Symbol.dispose](): void {
    this.reopen()
  }

  #open(): number {
    if (this.#makesFolder) makeFolder(dirname(this.path))
    return openSync(this.path, 'a', 0o600)
  }

  #rotate(fd: number): void {
    // Another process may have moved it aside already: its fresh file is not to follow.
    if (inodeOf(this.path) === fstatSync(fd).ino) {
      for (let age = this.#files - 2; age >= 0; age--)
        moveIfThere(agedPath(this.path, age), agedPath(this.path, age + 1))
    }
    this.reopen()
  }
}

/** The name of the file that was moved aside so many times; 0 is the current one. */
export function agedPath(path: string, age: number): string {
  return age === 0 ? path : `${path}.${age}`
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

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

const PAUSE = 250

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
