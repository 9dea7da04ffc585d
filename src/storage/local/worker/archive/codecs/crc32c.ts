/** Castagnoli's polynomial, its bits reversed. */
const POLYNOMIAL = 0x82f63b78

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte
  for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ ((sum & 1) * POLYNOMIAL)
  return sum
})

export function crc32c(bytes: Uint8Array): number {
  let sum = -1
  // Several times as fast as an iterator.
  let at = 0
  while (at < bytes.length) sum = (TABLE[(sum ^ (bytes[at++] ?? 0)) & 0xff] ?? 0) ^ (sum >>> 8)
  return ~sum >>> 0
}
