import { pipeline, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'
import { FilemgrError, isFilemgrError, throwIfCancelled } from '../../../domain/errors.ts'
import type { ReadableFormat } from '../../../domain/files/archives/archive-format.ts'
import { type ArchiveFile, type ReaderNeed, tooLargeWindow } from './reader-need.ts'

/** The bytes of an archive. For a compressed tar (.tar.gz), those of the tar inside. */
export interface ArchiveBytes extends AsyncDisposable {
  /** Bytes; undefined for a compressed tar, whose size is only known at its end. */
  readonly size: number | undefined
  /** Returns fewer bytes than requested only at the end. */
  read(position: number, length: number): Promise<Buffer>
  /** The end is not included. A part is valid until the next one is requested. */
  parts(start: number, end: number): AsyncIterable<Uint8Array>
}

/** Bytes of one read: headers of small files lie close together, and each request to an S3 server is slow. */
const BLOCK = 128 * 1024

/** The bytes of a file, at any position. Keeps one block in memory. */
export class FileBytes implements ArchiveBytes {
  readonly size: number
  readonly #file: ArchiveFile
  readonly #signal: AbortSignal | undefined
  #block: Buffer = Buffer.alloc(0)
  #start = 0

  constructor(file: ArchiveFile, signal?: AbortSignal) {
    this.size = file.size
    this.#file = file
    this.#signal = signal
  }

  async read(position: number, length: number): Promise<Buffer> {
    const end = Math.min(position + length, this.size)
    if (position >= end) return Buffer.alloc(0)
    if (position < this.#start || end > this.#start + this.#block.length) {
      this.#block = await this.#load(position, Math.min(this.size, Math.max(end, position + BLOCK)))
      this.#start = position
    }
    return this.#block.subarray(position - this.#start, end - this.#start)
  }

  async *parts(start: number, end: number): AsyncGenerator<Uint8Array, void, void> {
    if (start >= end) return
    for await (const part of this.#file.stream(start, end - 1)) {
      throwIfCancelled(this.#signal)
      yield part as Uint8Array
    }
  }

  async #load(start: number, end: number): Promise<Buffer> {
    const parts: Uint8Array[] = []
    for await (const part of this.parts(start, end)) parts.push(part)
    return Buffer.concat(parts)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The caller closes the file.
  }
}

const DECOMPRESSORS: Readonly<Record<Exclude<ReadableFormat, 'zip' | 'tar'>, (need: ReaderNeed) => Transform>> = {
  targz: () => createGunzip(),
  tarbr: () => createBrotliDecompress(),
  // Holds for every frame, while the need is that of the first one.
  tarzst: ({ windowLog }) =>
    createZstdDecompress(windowLog === undefined ? {} : { params: { [constants.ZSTD_d_windowLogMax]: windowLog } }),
}

/** The tar in a compressed file. Can only be read forward: decompressed bytes are not kept. */
export class UnpackedBytes implements ArchiveBytes {
  readonly size = undefined
  readonly #chunks: AsyncGenerator<Uint8Array, void, void>
  readonly #signal: AbortSignal | undefined
  /** Decompressed bytes that nobody has read yet, from `#position` on. */
  #rest: Uint8Array = Buffer.alloc(0)
  #position = 0

  constructor(file: ArchiveFile, format: keyof typeof DECOMPRESSORS, need: ReaderNeed, signal?: AbortSignal) {
    this.#signal = signal
    this.#chunks = unpacked(new FileBytes(file, signal).parts(0, file.size), DECOMPRESSORS[format](need))
  }

  async read(position: number, length: number): Promise<Buffer> {
    const parts: Uint8Array[] = []
    // Copied, because a part is valid until the next one is requested.
    for await (const part of this.parts(position, position + length)) parts.push(part)
    return Buffer.concat(parts)
  }

  async *parts(start: number, end: number): AsyncGenerator<Uint8Array, void, void> {
    while (this.#position < start) if ((await this.#next(start - this.#position)) === undefined) return
    while (this.#position < end) {
      const part = await this.#next(end - this.#position)
      if (part === undefined) return
      yield part
    }
  }

  /** The next bytes, at most `length`; undefined at the end. */
  async #next(length: number): Promise<Uint8Array | undefined> {
    if (this.#rest.length === 0) {
      throwIfCancelled(this.#signal)
      const next = await this.#chunks.next()
      if (next.done === true) return undefined
      this.#rest = next.value
    }
    const part = this.#rest.subarray(0, length)
    this.#rest = this.#rest.subarray(part.length)
    this.#position += part.length
    return part
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return()
  }
}

/** @throws INVALID_INPUT if the bytes are not what the decompressor expects; TOO_LARGE if it needs more memory than it may have */
export async function* unpacked(
  source: AsyncIterable<Uint8Array>,
  decompressor: Transform,
): AsyncGenerator<Uint8Array, void, void> {
  // The loop below receives the error.
  pipeline(source, decompressor, () => undefined)
  try {
    for await (const chunk of decompressor) yield chunk as Uint8Array
  } catch (error) {
    if (codeOf(error) === 'ZSTD_error_frameParameter_windowTooLarge') throw tooLargeWindow()
    throw isFilemgrError(error) || !isDecompressorError(error) ? error : damaged(error)
  }
}

function isDecompressorError(error: unknown): boolean {
  return /^(?:Z_|ERR_(?:_?BROTLI|_?ZSTD)|ZSTD_)/i.test(codeOf(error))
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code)
}

export function damaged(cause?: unknown): FilemgrError {
  return new FilemgrError(
    'INVALID_INPUT',
    'the archive is damaged, or not of the kind that its name says',
    { reason: 'damaged' },
    { cause },
  )
}
