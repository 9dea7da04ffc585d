import { orientationOf, TAG, tiffReader } from './tiff.ts'

/** What the head of a picture tells. */
export interface ImageHead {
  /** Pixels as they are stored: not turned yet. */
  readonly width: number
  readonly height: number
  /** How the stored pixels are turned, as EXIF counts: 1 to 8. */
  readonly orientation?: number
  /** Where a small JPEG of the same picture lies in the bytes, as cameras put one in. */
  readonly embedded?: { readonly start: number; readonly end: number }
}

const startsWith = (bytes: Uint8Array, signature: string, at = 0): boolean =>
  String.fromCharCode(...bytes.subarray(at, at + signature.length)) === signature

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Size of a PNG in pixels by its IHDR; undefined for any other file. */
function pngHead(bytes: Uint8Array): ImageHead | undefined {
  if (!startsWith(bytes, '\x89PNG\r\n\x1a\n') || !startsWith(bytes, 'IHDR', 12) || bytes.length < 24) return undefined
  const view = viewOf(bytes)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** Size of a GIF in pixels; undefined for any other file. */
function gifHead(bytes: Uint8Array): ImageHead | undefined {
  if (!(startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')) || bytes.length < 10) return undefined
  const view = viewOf(bytes)
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

/** RFC 9649: three kinds of the first chunk. */
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

/** Size of a BMP in pixels; undefined for any other file. */
function bmpHead(bytes: Uint8Array): ImageHead | undefined {
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
/** An EXIF segment cannot hold more. */
const LONGEST_SEGMENT = 65_535

type ExifFacts = Pick<ImageHead, 'orientation' | 'embedded'>

/** Goes from marker to marker up to the frame header, which has the measures (ITU T.81, B.2.2). */
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
    // The picture itself begins, or what cannot stand here.
    if (marker === 0xda || marker === 0xd9 || length < 2) return undefined
    if (marker === 0xe1 && isExif(bytes, at + 4)) exif = exifFacts(bytes, at + 4 + EXIF.length, at + 2 + length)
    at += 2 + length
  }
  return undefined
}

/** Start of frame 0 to 15, without the three numbers among them that mean tables and an extension. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function isExif(bytes: Uint8Array, at: number): boolean {
  return String.fromCharCode(...bytes.subarray(at, at + EXIF.length)) === EXIF
}

function exifFacts(bytes: Uint8Array, start: number, end: number): ExifFacts {
  const block = bytes.subarray(start, Math.min(end, start + LONGEST_SEGMENT))
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

/** The first picture of a TIFF file, if its directory lies in these bytes. */
function tiffHead(bytes: Uint8Array): ImageHead | undefined {
  const reader = tiffReader(bytes)
  const directory = reader?.directory(reader.first)
  const width = directory?.values.get(TAG.width)?.[0]
  const height = directory?.values.get(TAG.height)?.[0]
  if (width === undefined || height === undefined) return undefined
  const orientation = orientationOf(directory)
  return { width, height, ...(orientation !== undefined && { orientation }) }
}

/** So many bytes from the start hold the measures of nearly every picture; behind them only some TIFF files keep theirs. */
export const IMAGE_HEAD_BYTES = 128 * 1024

const READERS = [jpegHead, pngHead, gifHead, webpHead, bmpHead, tiffHead, heifHead]

/**
 * What the first bytes say about a picture, without decoding anything of it. Every number is of the file's making: nothing is
 * believed before it was compared with the bytes that are there.
 *
 * @returns undefined for what is no picture of a known kind, or keeps its measures further behind
 */
export function readImageHead(bytes: Uint8Array): ImageHead | undefined {
  for (const read of READERS) {
    const head = read(bytes)
    if (head !== undefined) return head.width > 0 && head.height > 0 ? head : undefined
  }
  return undefined
}

/** The measures as the picture is shown: an orientation from 5 on turns it on its side. */
export function shownSize({ width, height, orientation = 1 }: ImageHead): { width: number; height: number } {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}
