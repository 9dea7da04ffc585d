import { crc32 } from 'node:zlib'
import { isWorthIt } from './deflate-block.ts'
import { Lzma2Encoder, storedChunks } from './lzma2.ts'

/** Maximum bytes of a block. */
const BLOCK = 1024 * 1024
/** The same size in the format's encoding of dictionary sizes. */
const DICTIONARY = 16

const MAGIC = Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0)
const END = Uint8Array.of(0x59, 0x5a)
/** Each block has a CRC-32. */
const FLAGS = Uint8Array.of(0, 1)
const SUM_SIZE = 4
/** The size of the header, and LZMA2 as the only filter. */
const BLOCK_HEAD = withSum(Uint8Array.of(2, 0, 0x21, 1, DICTIONARY, 0, 0, 0))

/** Makes each block a complete xz stream; a file may contain many streams. */
export function createXz(): (block: Uint8Array) => Uint8Array {
  const encoder = new Lzma2Encoder(BLOCK)
  return (block) => {
    const packed = Buffer.concat([...(isWorthIt(block) ? encoder.encode(block) : storedChunks(block))])
    const size = BLOCK_HEAD.length + packed.length + SUM_SIZE
    const index = withSum(padded(Uint8Array.of(0, 1, ...number(size), ...number(block.length))))
    const foot = Buffer.concat([littleEndian(index.length / 4 - 1), FLAGS])
    return Buffer.concat([
      ...[MAGIC, FLAGS, sumOf(FLAGS)],
      ...[BLOCK_HEAD, padded(packed), sumOf(block)],
      ...[index, sumOf(foot), foot, END],
    ])
  }
}

function withSum(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([bytes, sumOf(bytes)])
}

function sumOf(bytes: Uint8Array): Uint8Array {
  return littleEndian(crc32(bytes))
}

function littleEndian(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function padded(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([bytes, new Uint8Array(-bytes.length & 3)])
}

/** Seven bits per byte, lowest first. */
function number(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)]
}
