import { orientationOf, TAG, tiffReader } from './tiff.ts'

/** Metadata from the first bytes of an image. */
export interface ImageHead {
  /** Pixels as stored, before the orientation is applied. */
  readonly width: number
  readonly height: number
  /** EXIF orientation, 1 to 8. */
  readonly orientation?: number
  /** Byte range of the JPEG thumbnail that cameras embed. */
  readonly embedded?: { readonly start: number; readonly end: number }
}

const startsWith = (bytes: Uint8Array, signature: string, at = 0): boolean =>
  String.fromCharCode(...bytes.subarray(at, at + signature.length)) === signature

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function pngHead(bytes: Uint8Array): ImageHead | undefined {
  if (!startsWith(bytes, '\x89PNG\r\n\x1a\n') || !startsWith(bytes, 'IHDR', 12) || bytes.length < 24) return undefined
  const view = viewOf(bytes)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

function gifHead(bytes: Uint8Array): ImageHead | undefined {
  if (!(startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) || bytes.length < 10) return undefined
  const view = viewOf(bytes)
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

/** RFC 9649: the first chunk has one of three types. */
function webpHead(bytes: Uint8Array): ImageHead | undefined {
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

function bmpHead(bytes: Uint8Array): ImageHead | undefined {
  if (!startsWith(bytes, 'BM') || bytes.length < 26) return undefined
  const view = viewOf(bytes)
  // The OS/2 header has 16-bit numbers. A negative height means that rows are stored top to bottom.
  if (view.getUint32(14, true) === 12) return { width: view.getUint16(18, true), height: view.getUint16(20, true) }
  return { width: view.getInt32(18, true), height: Math.abs(view.getInt32(22, true)) }
}

/** Enough for the boxes before the image data. */
const HEIF_BYTES = 16 * 1024
const HEIF_BRANDS = /^ftyp(heic|heix|heim|heis|hevc|mif1|msf1|avif|avis)/

/** True for HEIF and AVIF files, by their brand. */
export function isHeif(bytes: Uint8Array): boolean {
  return HEIF_BRANDS.test(String.fromCharCode(...bytes.subarray(4, 12)))
}

/** ISO/IEC 23008-12: the largest "ispe" property is the size of the image; the others belong to tiles and thumbnails. */
function heifHead(bytes: Uint8Array): ImageHead | undefined {
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

const EXIF = 'Exif\0\0'
/** The format limits an EXIF segment to this size. */
const MAX_SEGMENT = 65_535

type ExifFacts = Pick<ImageHead, 'orientation' | 'embedded'>

/** Follows the markers up to the frame header, which contains the size (ITU T.81, B.2.2). */
function jpegHead(bytes: Uint8Array): ImageHead | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let exif: ExifFacts = {}
  for (let at = 2; at + 9 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = view.getUint16(at + 2)
    if (isFrame(marker)) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), ...exif }
    // Image data, the end of the image, or an invalid segment: no frame header can follow.
    if (marker === 0xda || marker === 0xd9 || length < 2) return undefined
    if (marker === 0xe1 && isExif(bytes, at + 4)) exif = exifFacts(bytes, at + 4 + EXIF.length, at + 2 + length)
    at += 2 + length
  }
  return undefined
}

/** SOF0 to SOF15, except the three markers in this range that mean DHT, JPG and DAC. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function isExif(bytes: Uint8Array, at: number): boolean {
  return String.fromCharCode(...bytes.subarray(at, at + EXIF.length)) === EXIF
}

function exifFacts(bytes: Uint8Array, start: number, end: number): ExifFacts {
  const block = bytes.subarray(start, Math.min(end, start + MAX_SEGMENT))
  const reader = tiffReader(block)
  const main = reader?.directory(reader.first)
  const orientation = orientationOf(main)
  const thumbnail = main && main.next !== 0 ? reader?.directory(main.next)?.values : undefined
  const from = thumbnail?.get(TAG.jpegStart)?.[0]
  const length = thumbnail?.get(TAG.jpegLength)?.[0]
  const isThere =
    from !== undefined && length !== undefined && from + length <= block.length && isWholeJpeg(block, from, length)
  return {
    ...(orientation !== undefined && { orientation }),
    ...(isThere && { embedded: { start: start + from, end: start + from + length } }),
  }
}

function isWholeJpeg(block: Uint8Array, from: number, length: number): boolean {
  const jpeg = block.subarray(from, from + length)
  return jpeg[0] === 0xff && jpeg[1] === 0xd8 && jpeg[length - 2] === 0xff && jpeg[length - 1] === 0xd9
}

/** The first image of a TIFF file, if its directory is within these bytes. */
function tiffHead(bytes: Uint8Array): ImageHead | undefined {
  const reader = tiffReader(bytes)
  const directory = reader?.directory(reader.first)
  const width = directory?.values.get(TAG.width)?.[0]
  const height = directory?.values.get(TAG.height)?.[0]
  if (width === undefined || height === undefined) return undefined
  const orientation = orientationOf(directory)
  return { width, height, ...(orientation !== undefined && { orientation }) }
}

/** The first bytes that contain the size of nearly every image; only some TIFF files store it further back. */
export const IMAGE_HEAD_BYTES = 128 * 1024

const READERS = [jpegHead, pngHead, gifHead, webpHead, bmpHead, tiffHead, heifHead]

/**
 * Reads image metadata without decoding pixels. All numbers are untrusted: each offset and length is checked against the bytes
 * at hand before use.
 *
 * @returns undefined for unknown formats, and for images that store their size further back
 */
export function readImageHead(bytes: Uint8Array): ImageHead | undefined {
  for (const read of READERS) {
    const head = read(bytes)
    if (head !== undefined) return head.width > 0 && head.height > 0 ? head : undefined
  }
  return undefined
}

/** The size as displayed: orientations 5 to 8 swap width and height. */
export function shownSize({ width, height, orientation = 1 }: ImageHead): { width: number; height: number } {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}
