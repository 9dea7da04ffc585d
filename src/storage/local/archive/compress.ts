import type { Transform } from 'node:stream'
import { finished } from 'node:stream/promises'
import { constants, createBrotliCompress, createZstdCompress } from 'node:zlib'
import type { WorkerPool } from '../../../platform/workers/worker-pool.ts'
import { BZIP2_BLOCK } from '../worker/archive/codecs/bzip2.ts'
import type { BlockCodec, CompressInput } from '../worker/archive/codecs/compress-block.ts'
import { DEFLATE_END, dictionaryOf } from '../worker/archive/codecs/deflate-block.ts'
import type { ArchiveSum } from '../worker/archive/make-archive.ts'

/** Blocks of one archive that are compressed at the same time; each takes memory. */
const AHEAD = 3

/** Compresses blocks at the same time and gives them in their order. */
export async function* compressBlocks(
  compressors: WorkerPool,
  format: BlockFormat,
  blocks: AsyncGenerator<Uint8Array, ArchiveSum, void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, void> {
  const underway: Promise<Uint8Array>[] = []
  const leaving = new AbortController()
  const common = signal === undefined ? leaving.signal : AbortSignal.any([signal, leaving.signal])
  let dictionary: Uint8Array | undefined
  const compress = (block: Uint8Array) => {
    const compressing = compressed(compressors, { codec: format.codec, block, dictionary }, common)
    // The consumer gets the error; until then no one listens.
    compressing.catch(() => undefined)
    // A copy, as the block that is on its way to the other thread is one by now: its own memory was only lent.
    dictionary = format.dictionaryOf?.(block)
    return compressing
  }
  try {
    if (format.head.length > 0) yield format.head
    let next = await blocks.next()
    for (; !next.done; next = await blocks.next()) {
      underway.push(compress(next.value))
      const first = underway.length >= AHEAD ? underway.shift() : undefined
      if (first) yield await first
    }
    for (const compressing of underway) yield await compressing
    const tail = format.tail(next.value)
    if (tail.length > 0) yield tail
  } finally {
    // Blocks still being compressed are not waited for: they are copies.
    leaving.abort()
    await blocks.return({ crc: 0, size: 0 })
  }
}

async function compressed(compressors: WorkerPool, input: CompressInput, signal: AbortSignal): Promise<Uint8Array> {
  let packed: unknown
  for await (const part of compressors.run('compressBlock', input, signal)) packed = part
  return packed as Uint8Array
}

/** A compressed stream that is made of blocks which can be made at the same time. */
export interface BlockFormat {
  readonly codec: BlockCodec
  /** Bytes of a block before it is compressed. */
  readonly blockSize: number
  readonly head: Uint8Array
  /** What the next block must know of this one. */
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
  // A bzip2 file may hold several streams, and so may xz and snappy files: one for each block.
  tarbz2: { codec: 'bzip2', blockSize: BZIP2_BLOCK, ...whole },
  tarxz: { codec: 'xz', blockSize: MEBIBYTE, ...whole },
  tarsz: { codec: 'snappy', blockSize: MEBIBYTE, ...whole },
  tarlz4: {
    codec: 'lz4',
    blockSize: MEBIBYTE,
    // Independent blocks of 1 MiB without checksums; the last byte is the checksum of the two before.
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

/** One stream each: many readers take the first brotli stream or zstd frame for all there is. */
export const STREAM_FORMATS = {
  // The quality unless said would take a minute for what this does in a second.
  tarbr: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  tarzst: () =>
    createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 } }),
} as const satisfies Record<string, () => Transform>

/** Puts parts through a compressor, each when the one before has left it; so never more than one part's output waits. */
export async function* compressStream(
  compressor: Transform,
  parts: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, void> {
  const packed: Buffer[] = []
  compressor.on('data', (chunk: Buffer) => packed.push(chunk))
  try {
    for await (const part of parts) {
      await written(compressor, part)
      yield* packed.splice(0)
    }
    compressor.end()
    await finished(compressor)
    yield* packed.splice(0)
  } finally {
    compressor.destroy()
  }
}

async function written(compressor: Transform, part: Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    compressor.write(part, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}
