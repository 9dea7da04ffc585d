import { createHash } from 'node:crypto'
import { stat, type FileHandle } from 'node:fs/promises'
import { parseJson } from '../../domain/schema/parse-value.ts'
import { writeAtomic } from './atomic-file.ts'
import { isErrno, unlessErrno } from '../../platform/files/error-code.ts'
import { nodeDisk, type Disk } from './disk.ts'

/** The content of a journal, as far as it is sound. */
export interface JournalContent {
  readonly lines: readonly JournalLine[]
  /** Bytes of these lines. */
  readonly size: number
  /** Number of the first line that was complete once and is damaged now; undefined if there is none. */
  readonly damagedLine: number | undefined
}

export interface JournalLine {
  readonly value: unknown
  /** Of this and all earlier lines. */
  readonly digest: string
}

/** Characters of a digest: 132 bits. */
const DIGEST = 22
const NEWLINE = 0x0a

const chained = (before: string, text: string): string =>
  createHash('sha256').update(before).update(text).digest('base64url').slice(0, DIGEST)

/**
 * Reads the lines of a journal: a digest, a space and JSON. A last line without its end was cut off by a crash before it was
 * acknowledged, so it does not count. A digest covers all earlier lines too, so no line can be missing or moved.
 */
export function parseJournal(bytes: Uint8Array): JournalContent {
  const lines: JournalLine[] = []
  let size = 0
  let digest = ''
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, size)) {
    const line = Buffer.from(bytes.buffer, bytes.byteOffset + size, end - size).toString()
    const text = line.slice(DIGEST + 1)
    const value: unknown = parseJson(text)
    if (line.slice(0, DIGEST + 1) !== `${chained(digest, text)} ` || value === undefined)
      return { lines, size, damagedLine: lines.length + 1 }
    digest = line.slice(0, DIGEST)
    lines.push({ value, digest })
    size = end + 1
  }
  return { lines, size, damagedLine: undefined }
}

/** The bytes of lines that follow a digest. */
function encodeLines(
  values: readonly object[],
  before: string,
): { readonly bytes: Uint8Array; readonly digest: string } {
  let digest = before
  let text = ''
  for (const value of values) {
    const json = JSON.stringify(value)
    digest = chained(digest, json)
    text += `${digest} ${json}\n`
  }
  return { bytes: Buffer.from(text), digest }
}

/**
 * A file of lines that only grows, so that a change writes only itself. When a call resolves, its lines are durable; when it
 * rejects, none of them will be read. Only the holder of the data lock may use it, with one call at a time.
 */
export class Journal implements AsyncDisposable {
  readonly path: string
  readonly #disk: Disk
  #file: FileHandle | undefined
  #size = 0
  #digest = ''
  /** True if lines may be in the file that a failed call has written. */
  #isSpoilt = false

  constructor(path: string, disk: Disk = nodeDisk) {
    this.path = path
    this.#disk = disk
  }

  /** Bytes; 0 if there is no file. */
  get size(): number {
    return this.#size
  }

  /** Continues a file that was read. What follows its sound lines is cut off with the next call of `append`. */
  async resume({ lines, size }: JournalContent): Promise<void> {
    await this.#close()
    this.#size = size
    this.#digest = lines.at(-1)?.digest ?? ''
    this.#isSpoilt = false
  }

  /** Replaces the file. @param previous its content, which is restored if that fails */
  async start(values: readonly object[], previous?: Uint8Array): Promise<void> {
    const { bytes, digest } = encodeLines(values, '')
    await this.#close()
    await writeAtomic(this.path, bytes, { disk: this.#disk, previous })
    this.#size = bytes.length
    this.#digest = digest
    this.#isSpoilt = false
  }

  /** Whether `append` can be used: not if there is no file, if somebody has removed it, or after an error of the disk. */
  async isUsable(): Promise<boolean> {
    if (this.#size === 0 || this.#isSpoilt) return false
    const found = await unlessErrno(stat(this.path), 'ENOENT')
    if (found === undefined || found.size < this.#size) return false
    this.#file ??= await this.#disk.open(this.path, 'r+')
    const { dev, ino, size } = await this.#file.stat()
    if (size > this.#size) await this.#cut(this.#file)
    return found.dev === dev && found.ino === ino
  }

  /** Call `isUsable` before. */
  async append(values: readonly object[]): Promise<void> {
    const { bytes, digest } = encodeLines(values, this.#digest)
    const file = (this.#file ??= await this.#disk.open(this.path, 'r+'))
    try {
      for (let at = 0; at < bytes.length;)
        at += (await file.write(bytes, at, bytes.length - at, this.#size + at)).bytesWritten
      await file.sync()
    } catch (error) {
      // After any other error, what the disk really holds is unknown, and the file must not be used again.
      this.#isSpoilt = !isErrno(error, 'ENOSPC', 'EDQUOT')
      await this.#cut(file).catch(() => (this.#isSpoilt = true))
      throw error
    }
    this.#size += bytes.length
    this.#digest = digest
  }

  /** Removes the file. */
  async remove(): Promise<void> {
    await this.#close()
    await unlessErrno(this.#disk.unlink(this.path), 'ENOENT')
    this.#size = 0
    this.#digest = ''
    this.#isSpoilt = false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close()
  }

  async #cut(file: FileHandle): Promise<void> {
    await file.truncate(this.#size)
    await file.sync()
  }

  async #close(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    await file?.close()
  }
}
