import { copyBytes, NearMatches } from './near-matches.ts'

const STORED = 0x80000000
const HEAD = 4

/** Makes independent blocks of an lz4 frame, each preceded by its size. */
export function createLz4(): (block: Uint8Array) => Uint8Array {
  const matches = new NearMatches()
  return (block) => {
    const packed = Buffer.allocUnsafe(HEAD + block.length + Math.ceil(block.length / 255) + 16)
    let at = HEAD
    /** Writes the rest of a length that does not fit into its four bits. */
    const more = (length: number) => {
      if (length < 15) return
      let rest = length - 15
      for (; rest >= 255; rest -= 255) packed[at++] = 255
      packed[at++] = rest
    }
    const sequence = (start: number, end: number, afterShortest: number) => {
      packed[at++] = (Math.min(end - start, 15) << 4) | Math.min(afterShortest, 15)
      more(end - start)
      at = copyBytes(block, start, end, packed, at)
    }
    const last = matches.run(block, (start, end, length, distance) => {
      sequence(start, end, length - 4)
      packed[at++] = distance
      packed[at++] = distance >> 8
      more(length - 4)
    })
    sequence(last, block.length, 0)
    if (at - HEAD >= block.length) {
      packed.writeUInt32LE(block.length + STORED)
      packed.set(block, HEAD)
      return packed.subarray(0, HEAD + block.length)
    }
    packed.writeUInt32LE(at - HEAD)
    return packed.subarray(0, at)
  }
}
