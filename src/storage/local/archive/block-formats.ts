import { DEFLATE_END, dictionaryOf } from '../worker/archive/codecs/deflate-block.ts'
import { BZIP2_BLOCK } from '../worker/archive/codecs/bzip2.ts'
import type { BlockCodec } from '../worker/archive/codecs/compress-block.ts'
import type { ArchiveSum } from '../worker/archive/make-archive.ts'

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
