import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { giveNewToFolderOwner, giveToFolderOwner } from '../files/folder-owner.ts'
import { isErrno, unlessErrno } from '../files/error-code.ts'

export interface RotatingFileOptions {
  readonly path: string
  /** Creates the folder if it is missing, but not its parent. */
  readonly makesFolder?: boolean
  /** Bytes; the line that passes this is the last one in a file. */
  readonly limit?: number
  /** Most files to keep, including the current one. */
  readonly files?: number
  /** Says how many lines were lost, in a line before the next one that can be written. */
  readonly lostLine?: (count: number) => string
  /** Several processes write to it and another program rotates it: opens a new file within a second after this one was moved. */
  readonly followsMoves?: boolean
}

/** Files that are kept, including the current one. */
const FILES = 10
/** In how many parts of the limit the file grows at most until its size is asked for. */
const ASKED_PARTS = 1000
/** Milliseconds between two looks at whether a file was moved. */
const MOVE_INTERVAL = 1000

/**
 * A log file of mode 0600. When it is full it is rotated: `x.log` becomes `x.log.1`, that becomes `x.log.2`, and the oldest is
 * replaced. Several processes may write to it, because each line is one append.
 *
 * Writes are synchronous, because the last lines before a crash matter most.
 */
export class RotatingFile implements Disposable {
  readonly path: string
  readonly #limit: number
  readonly #files: number
  readonly #makesFolder: boolean
  readonly #lostLine: (count: number) => string
  readonly #followsMoves: boolean
  #checkedAt = 0
  #fd: number | undefined
  /** The file ends within a line: a full disk takes only a part of one. */
  #isTorn = false
  #lost = 0
  /** Bytes that this process wrote since it last asked for the size of the file. */
  #unasked = 0

  constructor({
    path,
    limit = 100 * 1024 * 1024,
    files = FILES,
    makesFolder = false,
    lostLine = () => '',
    followsMoves = false,
  }: RotatingFileOptions) {
    this.#followsMoves = followsMoves
    this.#lostLine = lostLine
    this.path = path
    this.#limit = limit
    this.#files = files
    this.#makesFolder = makesFolder
  }

  /** Lines that could not be written since the last one that was. */
  get lost(): number {
    return this.#lost
  }

  /** @param line including its line break. @throws disk errors, also if only a part of the line was written */
  write(line: string): void {
    if (this.#followsMoves && performance.now() - this.#checkedAt > MOVE_INTERVAL) this.#reopenIfMoved()
    const fd = this.#append(line)
    this.#unasked += line.length
    if (this.#unasked * ASKED_PARTS < this.#limit) return
    this.#unasked = 0
    if (fstatSync(fd).size >= this.#limit) this.#rotate(fd)
  }

  /** The next line after a torn one begins on a line of its own: otherwise no reader would understand either. */
  #append(line: string): number {
    try {
      const fd = (this.#fd ??= this.#open())
      const text = `${this.#isTorn ? '\n' : ''}${this.#lost > 0 ? this.#lostLine(this.#lost) : ''}${line}`
      const written = writeSync(fd, text)
      const isWhole = written === Buffer.byteLength(text)
      if (written > 0) this.#isTorn = isWhole ? !text.endsWith('\n') : Buffer.from(text)[written - 1] !== LINE_FEED
      if (!isWhole) throw Object.assign(new Error('the disk has no room'), { code: 'ENOSPC' })
      this.#lost = 0
      return fd
    } catch (error) {
      this.#lost += 1
      throw error
    }
  }

  /** Makes the next write open the file again, after it was moved away. */
  reopen(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  [Symbol.dispose](): void {
    this.reopen()
  }

  #reopenIfMoved(): void {
    this.#checkedAt = performance.now()
    if (this.#fd !== undefined && inodeOf(this.path) !== fstatSync(this.#fd).ino) this.reopen()
  }

  #open(): number {
    if (this.#makesFolder) makeFolder(dirname(this.path))
    const fd = openSync(this.path, 'a', 0o600)
    this.#unasked = this.#limit
    this.#isTorn = endsWithinLine(this.path, fd)
    // A log file that a person chose keeps the account that created it, unless commands of root write to it too.
    if ((this.#makesFolder || this.#followsMoves) && fstatSync(fd).size === 0) giveToFolderOwner(fd, this.path)
    return fd
  }

  #rotate(fd: number): void {
    // If another process has rotated already, its new file must not be moved.
    if (inodeOf(this.path) === fstatSync(fd).ino) {
      for (let age = this.#files - 2; age >= 0; age--)
        moveIfExists(agedPath(this.path, age), agedPath(this.path, age + 1))
    }
    this.reopen()
  }
}

/** The path of the file after `age` rotations; 0 is the current one. */
export function agedPath(path: string, age: number): string {
  return age === 0 ? path : `${path}.${age}`
}

/** After a process was killed, or another one found the disk full. False for a pipe, and if the file may not be read. */
function endsWithinLine(path: string, fd: number): boolean {
  const stats = fstatSync(fd)
  if (!stats.isFile() || stats.size === 0) return false
  let reader: number | undefined
  try {
    reader = openSync(path, 'r')
    const last = Buffer.alloc(1)
    return readSync(reader, last, 0, 1, stats.size - 1) === 1 && last[0] !== LINE_FEED
  } catch {
    return false
  } finally {
    if (reader !== undefined) closeSync(reader)
  }
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
    giveNewToFolderOwner(path)
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
  }
}

function moveIfExists(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
  }
}

const BLOCK = 64 * 1024
const LINE_FEED = 0x0a

/**
 * The lines of a file, or of its first `upTo` bytes, from last to first, without line breaks. Only one block and the current
 * line are in memory. A missing file has no lines.
 */
export async function* linesBackward(path: string, upTo?: number): AsyncGenerator<string> {
  const file = await openIfExists(path)
  if (file === undefined) return
  await using handle = file
  /** The end of a line whose beginning is in an earlier block. */
  let tail: Buffer[] = []
  for (let end = upTo ?? (await handle.stat()).size; end > 0;) {
    const start = Math.max(0, end - BLOCK)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - start), 0, end - start, start)
    let unread = bytesRead
    for (let at = lastLineFeed(buffer, unread); at !== -1; at = lastLineFeed(buffer, unread)) {
      const line = Buffer.concat([buffer.subarray(at + 1, unread), ...tail]).toString('utf8')
      if (line !== '') yield line
      tail = []
      unread = at
    }
    tail.unshift(buffer.subarray(0, unread))
    end = start
  }
  const first = Buffer.concat(tail).toString('utf8')
  if (first !== '') yield first
}

/** Like `linesBackward`, followed by the lines of the rotated files. @param upTo bytes of the current file */
export async function* rotatedLinesBackward(path: string, upTo?: number): AsyncGenerator<string> {
  yield* linesBackward(path, upTo)
  for (let age = 1; age < FILES; age += 1) yield* linesBackward(agedPath(path, age))
}

/** Position in the first `length` bytes; -1 if there is none. A negative start of `lastIndexOf` would count from the end. */
function lastLineFeed(buffer: Buffer, length: number): number {
  return length === 0 ? -1 : buffer.lastIndexOf(LINE_FEED, length - 1)
}

async function openIfExists(path: string): Promise<FileHandle | undefined> {
  return await unlessErrno(open(path), 'ENOENT')
}

/** Milliseconds. */
const POLL_INTERVAL = 250

/** A position in a file, which may be replaced by another one of the same name. */
export interface FilePosition {
  readonly inode: number
  readonly size: number
}

/**
 * Yields what is appended to a file after a position, until the signal aborts. Continues with the new file after a rotation or
 * truncation, and waits for a file that does not exist yet.
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
    await wait(POLL_INTERVAL, undefined, { signal }).catch(ignoreAbort)
  }
}

/** The end of a file; undefined if it does not exist. */
export async function endOf(path: string): Promise<FilePosition | undefined> {
  const found = await unlessErrno(stat(path), 'ENOENT')
  return found && { inode: found.ino, size: found.size }
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
