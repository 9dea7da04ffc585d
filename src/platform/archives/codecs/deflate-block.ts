import { constants, deflateRawSync } from 'node:zlib'

/** Bytes of deflate's window. */
const DICTIONARY = 32 * 1024
/** Bytes of an output buffer: small, so that little of it stays unused. */
const CHUNK = 32 * 1024
/** Bytes by which incompressible data can grow, so that its output fits into one buffer. */
const CHUNK_MARGIN = 1024
const SAMPLES = 8
const SAMPLE = 1024
/** If the samples shrink to more than this share of their size, compressing is not worth the time. */
const GAIN = 0.97

/** The last block of a deflate stream, without content. */
export const DEFLATE_END = Buffer.from([3, 0])

/** The end of a block, to which the next one may refer. */
export function dictionaryOf(block: Uint8Array): Uint8Array {
  return block.subarray(-DICTIONARY)
}

/**
 * Makes one block of a deflate stream, to be followed by another or by `DEFLATE_END`. With dictionaries, blocks can be made in
 * parallel and still form one ordinary stream. Several gzip members would be simpler, but not every reader supports them.
 */
export function deflateBlock(block: Uint8Array, dictionary: Uint8Array | undefined): Buffer {
  const shrinks = isWorthIt(block)
  return deflateRawSync(block, {
    level: shrinks ? 1 : 0,
    memLevel: 9,
    chunkSize: shrinks ? CHUNK : block.length + CHUNK_MARGIN,
    finishFlush: constants.Z_SYNC_FLUSH,
    ...(dictionary === undefined ? {} : { dictionary }),
  })
}

/** False for compressed data, such as pictures, videos and archives. Compressing samples takes a hundredth of the time. */
export function isWorthIt(block: Uint8Array): boolean {
  const step = Math.floor(block.length / SAMPLES)
  if (step < 2 * SAMPLE) return true
  const pieces = Array.from({ length: SAMPLES }, (_, index) => block.subarray(index * step, index * step + SAMPLE))
  const sample = Buffer.concat(pieces)
  return deflateRawSync(sample, { level: 1 }).length < sample.length * GAIN
}
