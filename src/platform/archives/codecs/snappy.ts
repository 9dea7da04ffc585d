import { copyBytes, NearMatches } from './near-matches.ts'

/** Bytes of a chunk before it is compressed. */
const CHUNK = 64 * 1024
/** Type, length, and checksum of the content. */
const HEAD = 8
const COMPRESSED = 0
const UNCOMPRESSED = 1
const START = Buffer.from('\xff\x06\0\0sNaPpY', 'latin1')

/** Makes each block a complete stream of the snappy framing format; a file may contain many streams. */
export function createSnappy(): (block: Uint8Array) => Uint8Array {
  const matches = new NearMatches()
  return (block) => {
    const chunks: Uint8Array[] = [START]
    for (let start = 0; start < block.length; start += CHUNK)
      chunks.push(chunkOf(matches, block.subarray(start, start + CHUNK)))
    return Buffer.concat(chunks)
  }
}

function chunkOf(matches: NearMatches, content: Uint8Array): Uint8Array {
  const packed = Buffer.allocUnsafe(HEAD + 32 + content.length + Math.ceil(content.length / 6))
  let at = HEAD
  for (let rest = content.length; rest > 0; rest >>>= 7) packed[at++] = rest < 0x80 ? rest : (rest & 0x7f) | 0x80
  const literal = (start: number, end: number) => {
    if (start === end) return
    const less = end - start - 1
    if (less < 60) packed[at++] = less << 2
    else {
      packed[at++] = (less < 0x100 ? 60 : 61) << 2
      packed[at++] = less
      if (less >= 0x100) packed[at++] = less >> 8
    }
    at = copyBytes(content, start, end, packed, at)
  }
  const last = matches.run(content, (start, end, length, distance) => {
    literal(start, end)
    // A copy has at most 64 bytes, and in its two-byte form at least four.
    for (let rest = length; rest > 0;) {
      const part = rest > 64 ? Math.min(64, rest - 4) : rest
      rest -= part
      if (part < 12 && distance < 0x800) {
        packed[at++] = 1 | ((part - 4) << 2) | ((distance >> 8) << 5)
        packed[at++] = distance
      } else {
        packed[at++] = 2 | ((part - 1) << 2)
        packed[at++] = distance
        packed[at++] = distance >> 8
      }
    }
  })
  literal(last, content.length)
  const isSmaller = at - HEAD < content.length
  if (!isSmaller) {
    packed.set(content, HEAD)
    at = HEAD + content.length
  }
  packed.writeUInt32LE(isSmaller ? COMPRESSED : UNCOMPRESSED)
  packed.writeUIntLE(at - 4, 1, 3)
  packed.writeUInt32LE(maskedSum(content), 4)
  return packed.subarray(0, at)
}

/** The format masks checksums, because checksums of data that contains checksums are weak. */
function maskedSum(content: Uint8Array): number {
  const sum = crc32c(content)
  return (((sum >>> 15) | (sum << 17)) + 0xa282ead8) >>> 0
}

/** Castagnoli's polynomial, its bits reversed. */
const POLYNOMIAL = 0x82f63b78

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ ((sum & 1) * POLYNOMIAL)
  return sum
})

function crc32c(bytes: Uint8Array): number {
  let sum = -1
  // A counter is several times as fast as an iterator.
  let at = 0
  while (at < bytes.length) sum = (TABLE[(sum ^ (bytes[at++] ?? 0)) & 0xff] ?? 0) ^ (sum >>> 8)
  return ~sum >>> 0
}
