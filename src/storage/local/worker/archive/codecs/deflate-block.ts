import { constants, deflateRawSync } from 'node:zlib'

/** The window of deflate. */
const DICTIONARY = 32 * 1024
/** Memory for output is taken by so much at once: what shrinks leaves little of it unused. */
const CHUNK = 32 * 1024
/** A block that does not shrink grows by a little, and its output is best made in one piece. */
const CHUNK_MARGIN = 1024
const SAMPLES = 8
const SAMPLE = 1024
/** Above this share of its length, packing is not worth the time. */
const GAIN = 0.97

/** The last block of a deflate stream, without content. */
export const DEFLATE_END = Buffer.from([3, 0])

/** What the next block may refer to. */
export function dictionaryOf(block: Uint8Array): Uint8Array {
  return block.subarray(-DICTIONARY)
}

/**
 * One block of a deflate stream, ended so that another may follow or `DEFLATE_END`. Blocks that know what came before them can
 * be made at the same time and still are one ordinary stream, which many gzip members are not for every reader.
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

/** Pictures, films and archives gain nothing: samples from all over the block tell it in a hundredth of the time. */
export function isWorthIt(block: Uint8Array): boolean {
  const step = Math.floor(block.length / SAMPLES)
  if (step < 2 * SAMPLE) return true
  const pieces = Array.from({ length: SAMPLES }, (_, index) => block.subarray(index * step, index * step + SAMPLE))
  const sample = Buffer.concat(pieces)
  return deflateRawSync(sample, { level: 1 }).length < sample.length * GAIN
}
