import type { Transform } from 'node:stream'
import { constants, createBrotliCompress, createZstdCompress } from 'node:zlib'
import { writePart } from '../../network/write-part.ts'
import type { WorkerPool } from '../../workers/worker-pool.ts'
import { BZIP2_BLOCK } from '../codecs/bzip2.ts'
import type { BlockCodec, CompressInput } from '../codecs/compress-block.ts'
import { DEFLATE_END, dictionaryOf } from '../codecs/deflate-block.ts'

import type { LeftOutEntry } from '../../../domain/files/left-out.ts'

/** Blocks of one archive that are compressed at the same time; each needs memory. */
const AHEAD = 3
/** Besides these, one block is being sent and one filled. A sent block must stay: its end is the dictionary of the next one. */
const BLOCKS = AHEAD + 2
/** Upper limit of the bytes by which a block of incompressible data grows. */
const MARGIN = 16 * 1024

/** Bytes of shared memory for one archive, in which blocks are made, compressed and sent without copies between threads. */
export function memoryOfBlocks({ blockSize }: BlockFormat): number {
  return BLOCKS * (2 * blockSize + MARGIN)
}

/**
 * Compresses blocks in parallel and yields them in order. Each is valid until the next one is requested.
 *
 * @param make fills the given buffers in turn
 */
export async function* compressBlocks(
  compressors: WorkerPool,
  format: BlockFormat,
  make: (memory: readonly SharedArrayBuffer[]) => AsyncGenerator<Uint8Array, ArchiveSum, void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  const { codec, blockSize } = format
  // Before the first byte, so that a want of memory is still a refusal.
  using _kept = await compressors.keep(signal)
  const shared = (size: number) => Array.from({ length: BLOCKS }, () => new SharedArrayBuffer(size))
  const rooms = shared(blockSize + MARGIN)
  const blocks = make(shared(blockSize))
  const underway: Promise<Uint8Array>[] = []
  const leaving = new AbortController()
  const common = signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal])
  let dictionary: Uint8Array | undefined
  let count = 0
  const compress = (block: Uint8Array) => {
    const room = new Uint8Array(rooms[count % BLOCKS] ?? new SharedArrayBuffer(0))
    count += 1
    const compressing = compressed(compressors, { codec, block, dictionary, room }, common)
    // Awaited later; an earlier rejection must not count as unhandled.
    compressing.catch(() => undefined)
    dictionary = format.dictionaryOf?.(block)
    return compressing
  }
  try {
    let next = await blocks.next()
    if (format.head.length > 0) yield format.head
    for (; !next.done; next = await blocks.next()) {
      underway.push(compress(next.value))
      const first = underway.length >= AHEAD ? underway.shift() : undefined
      if (first) yield await first
    }
    for (const compressing of underway) yield await compressing
    const tail = format.tail(next.value)
    if (tail.length > 0) yield tail
  } finally {
    // No need to wait for blocks that are still being compressed: their memory is not reused.
    leaving.abort()
    await blocks.return({ crc: 0, size: 0, leftOut: [] })
  }
}

async function compressed(compressors: WorkerPool, input: CompressInput, signal: AbortSignal): Promise<Uint8Array> {
  let packed: unknown
  for await (const part of compressors.run('compressBlock', input, signal)) packed = part
  return packed as Uint8Array
}

/** A compressed stream of blocks that can be made in parallel. */
export interface BlockFormat {
  readonly codec: BlockCodec
  /** Bytes of a block before it is compressed. */
  readonly blockSize: number
  readonly head: Uint8Array
  /** The end of a block that the next one may refer to. */
  readonly dictionaryOf: ((block: Uint8Array) => Uint8Array) | undefined
  readonly tail: (sum: ArchiveSum) => Uint8Array
}

const MEBIBYTE = 1024 * 1024
const NOTHING = new Uint8Array()

const whole = { head: NOTHING, dictionaryOf: undefined, tail: () => NOTHING }

export const BLOCK_FORMATS = {
  targz: {
    codec: 'deflate',
    blockSize: MEBIBYTE,
    // Deflate, no flags, no time, made by Unix.
    head: Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3),
    dictionaryOf,
    tail: gzipTail,
  },
  // bzip2, xz and snappy files may contain several streams, so each block is one.
  tarbz2: { codec: 'bzip2', blockSize: BZIP2_BLOCK, ...whole },
  tarxz: { codec: 'xz', blockSize: MEBIBYTE, ...whole },
  tarsz: { codec: 'snappy', blockSize: MEBIBYTE, ...whole },
  tarlz4: {
    codec: 'lz4',
    blockSize: MEBIBYTE,
    // Independent blocks of 1 MiB without checksums; the last byte is the checksum of the two before it.
    head: Uint8Array.of(0x04, 0x22, 0x4d, 0x18, 0x60, 0x60, 0x51),
    dictionaryOf: undefined,
    tail: () => new Uint8Array(4),
  },
} as const satisfies Record<string, BlockFormat>

function gzipTail({ crc, size }: ArchiveSum): Uint8Array {
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(crc)
  tail.writeUInt32LE(size % 0x100000000, 4)
  return Buffer.concat([DEFLATE_END, tail])
}

/** Large enough that few chunks are passed between threads. */
const STREAM = { chunkSize: 256 * 1024, readableHighWaterMark: 512 * 1024 }

/** A single stream each, because many readers stop after the first brotli stream or zstd frame. */
export const STREAM_FORMATS = {
  // The default quality of brotli takes a minute for what this one does in a second.
  tarbr: () => createBrotliCompress({ ...STREAM, params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  tarzst: () =>
    createZstdCompress({
      ...STREAM,
      params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
    }),
} as const satisfies Record<string, () => Transform>

/** Pipes parts through a compressor, which works ahead of its consumer until its output buffer is full. */
export async function* compressStream(
  compressor: Transform,
  parts: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  const feeding = feed(compressor, parts).catch((error: unknown) => void compressor.destroy(error as Error))
  try {
    yield* compressor as AsyncIterable<Uint8Array>
  } finally {
    compressor.destroy()
    await feeding
  }
}

async function feed(compressor: Transform, parts: AsyncIterable<Uint8Array>): Promise<void> {
  // Wait for each part: its memory is reused once the next one is requested.
  for await (const part of parts) await writePart(compressor, part)
  compressor.end()
}

/** Checksum and size of all parts together, and what is not in them. */
export interface ArchiveSum {
  readonly crc: number
  readonly size: number
  readonly leftOut: readonly LeftOutEntry[]
}
