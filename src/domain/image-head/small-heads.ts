import type { ImageHead } from './types.ts'

const startsWith = (bytes: Uint8Array, signature: string, at = 0): boolean =>
  String.fromCharCode(...bytes.subarray(at, at + signature.length)) === signature

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Size of a PNG in pixels by its IHDR; undefined for what is none. */
export function pngHead(bytes: Uint8Array): ImageHead | undefined {
  if (!startsWith(bytes, '\x89PNG\r\n\x1a\n') || !startsWith(bytes, 'IHDR', 12) || bytes.length < 24) return undefined
  const view = viewOf(bytes)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** Size of a GIF in pixels; undefined for what is none. */
export function gifHead(bytes: Uint8Array): ImageHead | undefined {
  if (!(startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) || bytes.length < 10) return undefined
  const view = viewOf(bytes)
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

/** RFC 9649: three kinds of the first chunk. */
export function webpHead(bytes: Uint8Array): ImageHead | undefined {
  if (!startsWith(bytes, 'RIFF') || !startsWith(bytes, 'WEBP', 8) || bytes.length < 30) return undefined
  const view = viewOf(bytes)
  const uint24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
  if (startsWith(bytes, 'VP8X', 12)) return { width: uint24(24) + 1, height: uint24(27) + 1 }
  if (startsWith(bytes, 'VP8L', 12)) {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  if (!startsWith(bytes, 'VP8 ', 12) || !startsWith(bytes, '\x9d\x01\x2a', 23)) return undefined
  return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
}

/** Size of a BMP in pixels; undefined for what is none. */
export function bmpHead(bytes: Uint8Array): ImageHead | undefined {
  if (!startsWith(bytes, 'BM') || bytes.length < 26) return undefined
  const view = viewOf(bytes)
  // The header of OS/2 has short numbers; rows from top to bottom have a negative height.
  if (view.getUint32(14, true) === 12) return { width: view.getUint16(18, true), height: view.getUint16(20, true) }
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) }
}

/** Enough for the boxes in front of the data; what lies further behind is not looked for. */
const HEIF_BYTES = 16 * 1024
const HEIF_BRANDS = /^ftyp(heic|heix|heim|heis|hevc|mif1|msf1|avif|avis)/

/** Whether it begins as HEIF and AVIF files do. */
export function isHeif(bytes: Uint8Array): boolean {
  return HEIF_BRANDS.test(String.fromCharCode(...bytes.subarray(4, 12)))
}

/** HEIF and AVIF (ISO/IEC 23008-12): the largest of the "ispe" properties is the picture, the others are tiles and thumbnails. */
export function heifHead(bytes: Uint8Array): ImageHead | undefined {
  if (!isHeif(bytes)) return undefined
  const start = bytes.subarray(0, HEIF_BYTES)
  const view = viewOf(start)
  let largest: ImageHead | undefined
  for (let at = 12; at + 16 <= start.length; at += 1) {
    if (start[at] !== 0x69 || !startsWith(start, 'ispe', at)) continue
    const found = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) }
    if (largest === undefined || found.width * found.height > largest.width * largest.height) largest = found
  }
  return largest
}
