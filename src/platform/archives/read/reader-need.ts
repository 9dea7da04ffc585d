import { FilemgrError } from '../../../domain/errors.ts'
import type { ReadableFormat } from '../../../domain/files/archives/archive-format.ts'
import type { Readable } from 'node:stream'

/** An open file that contains an archive. */
export interface ArchiveFile {
  /** Bytes. */
  readonly size: number
  /** Both positions are included. */
  stream(start: number, end: number): Readable
}

/** What reading an archive takes. */
export interface ReaderNeed {
  /** Bytes of memory, without those of an index. */
  readonly bytes: number
  /** Only of zstd: the logarithm of the largest window that the decoder may allocate. */
  readonly windowLog?: number
}

const MEBIBYTE = 1024 * 1024
/** A block of the file, headers with long names, and the 32 KiB window of deflate. */
const LEAST = 2 * MEBIBYTE
/** The largest window of brotli that Node accepts is 16 MiB. */
const BROTLI = LEAST + 16 * MEBIBYTE

/** 8 MiB, which every decoder should accept (RFC 8878), and which `zstd -19` uses. */
const USUAL_WINDOW_LOG = 23
/** 128 MiB, as `zstd -d` accepts: for `zstd --long` and `--ultra -22`. */
const MAX_WINDOW_LOG = 27

/**
 * Reads only the beginning of the file. The attack is an archive of a few kilobytes whose header makes the decoder allocate
 * gigabytes.
 *
 * @throws TOO_LARGE if it is more than is ever given to one archive
 */
export async function needOf(file: ArchiveFile, format: ReadableFormat): Promise<ReaderNeed> {
  if (format === 'tarbr') return { bytes: BROTLI }
  if (format !== 'tarzst') return { bytes: LEAST }
  const window = (await windowOf(file)) ?? 0
  const windowLog = Math.max(USUAL_WINDOW_LOG, Math.ceil(Math.log2(Math.max(1, window))))
  if (windowLog > MAX_WINDOW_LOG) throw tooLargeWindow()
  return { bytes: LEAST + 2 ** windowLog, windowLog }
}

export function tooLargeWindow(): FilemgrError {
  return new FilemgrError(
    'TOO_LARGE',
    `this archive is not opened here, because unpacking it takes more than ${2 ** MAX_WINDOW_LOG / MEBIBYTE} MiB of memory: download it`,
    { reason: 'archiveMemory' },
  )
}

const MAGIC = 0xfd2fb528
const LONGEST_HEADER = 18

/** The window of the first frame; undefined if there is none, which the decoder reports. */
async function windowOf(file: ArchiveFile): Promise<number | undefined> {
  if (file.size < LONGEST_HEADER) return undefined
  const header = Buffer.concat((await Array.fromAsync(file.stream(0, LONGEST_HEADER - 1))) as Uint8Array[])
  return header.readUInt32LE(0) === MAGIC ? windowIn(header) : undefined
}

/** See "Frame_Header" in RFC 8878. */
function windowIn(header: Buffer): number {
  const descriptor = header[4] ?? 0
  const isSingleSegment = (descriptor & 0x20) !== 0
  if (!isSingleSegment) {
    const [exponent, mantissa] = [(header[5] ?? 0) >>> 3, (header[5] ?? 0) & 7]
    return 2 ** (10 + exponent) * (1 + mantissa / 8)
  }
  // The window is as large as the content.
  const dictionaryId = descriptor & 3
  const at = 5 + (dictionaryId === 3 ? 4 : dictionaryId)
  switch (descriptor >>> 6) {
    case 0:
      return header.readUInt8(at)
    case 1:
      return header.readUInt16LE(at) + 256
    case 2:
      return header.readUInt32LE(at)
    default:
      return Number(header.readBigUInt64LE(at))
  }
}
