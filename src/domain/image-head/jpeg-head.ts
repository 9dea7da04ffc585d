import { orientationOf, TAG, tiffReader } from './tiff-directory.ts'
import type { ImageHead } from './types.ts'

const EXIF = 'Exif\0\0'
/** An EXIF segment cannot hold more. */
const LONGEST_SEGMENT = 65_535

type ExifFacts = Pick<ImageHead, 'orientation' | 'embedded'>

/** Goes from marker to marker up to the frame header, which has the measures (ITU T.81, B.2.2). */
export function jpegHead(bytes: Uint8Array): ImageHead | undefined {
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
