import { crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { fail } from '../../domain/errors.ts'
import type { PictureEdit } from '../../domain/files/media/picture-edit.ts'
import { tiffReader } from '../../domain/files/media/tiff.ts'
import { MAX_SIDE, type Picture } from './image-messages.ts'
import { decoding, OPTIONS } from './make-picture.ts'

/**
 * Turns and crops a picture in its own format. Keeps colours and EXIF data, except the orientation and the thumbnail, which would
 * still show what was cropped away.
 *
 * @param bytes changed on the way
 * @throws UNSUPPORTED, TOO_LARGE; INVALID_INPUT for a part outside of the picture
 */
export async function editPicture(bytes: Uint8Array, { turns, crop }: PictureEdit): Promise<Picture> {
  return await decoding(async () => {
    const facts = await sharp(bytes, OPTIONS).metadata()
    const { width, height, format, space, depth, pages = 1, exif, autoOrient } = facts
    if (format !== 'jpeg' && format !== 'png' && format !== 'webp')
      fail('UNSUPPORTED', 'only JPEG, PNG and WebP pictures can be edited')
    if (width > MAX_SIDE || height > MAX_SIDE) fail('TOO_LARGE', 'the picture is too wide or too high')
    if (pages > 1 || (format === 'png' && isAnimated(bytes)))
      fail('UNSUPPORTED', 'an animation would lose all pictures but the first')
    if (space === 'cmyk') fail('UNSUPPORTED', 'pictures in printing inks cannot be edited')
    const [across, down] = turns % 2 === 0 ? (['width', 'height'] as const) : (['height', 'width'] as const)
    const isInside =
      crop === undefined || (crop.left + crop.width <= autoOrient[across] && crop.top + crop.height <= autoOrient[down])
    if (!isInside) fail('INVALID_INPUT', 'the part to keep is not inside the picture', { field: 'crop' })
    if (exif !== undefined) eraseThumbnail(bytes, exif, format === 'png')
    const turned = sharp(bytes, OPTIONS)
      .autoOrient()
      .rotate(turns * 90)
    const cropped = crop === undefined ? turned : turned.extract(crop)
    const deep = depth === 'ushort' ? cropped.toColourspace(space === 'grey16' ? 'grey16' : 'rgb16') : cropped
    const kept = deep.keepExif().keepIccProfile()
    return { bytes: await encoded(kept, bytes, facts.chromaSubsampling, format).toBuffer(), format }
  })
}

/** Hardly to be told from the original, and about as large. */
const QUALITY = 92

function encoded(
  image: Sharp,
  source: Uint8Array,
  subsampling: string | undefined,
  format: 'jpeg' | 'png' | 'webp',
): Sharp {
  if (format === 'png') return image.png({ compressionLevel: 6 })
  if (format === 'webp') return image.webp({ quality: QUALITY, lossless: isLossless(source), effort: 4 })
  return image.jpeg({ quality: QUALITY, chromaSubsampling: subsampling === '4:4:4' ? '4:4:4' : '4:2:0' })
}

/** Whether a PNG says before its first pixel that there are more pictures. */
function isAnimated(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    const type = textAt(bytes, at + 4, 4)
    if (type === 'acTL' || type === 'IDAT') return type === 'acTL'
  }
  return false
}

/** Which of the two kinds of chunks a WebP keeps its pixels in. */
function isLossless(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 12; at + 8 <= bytes.length;) {
    const type = textAt(bytes, at, 4)
    if (type === 'VP8L' || type === 'VP8 ') return type === 'VP8L'
    const size = view.getUint32(at + 4, true)
    at += 8 + size + (size % 2)
  }
  return false
}

const EXIF = 'Exif\0\0'

/** Unlinks the thumbnail where the file has it: the library writes only what is linked. @param exif as in the file */
function eraseThumbnail(bytes: Uint8Array, exif: Uint8Array, isPng: boolean): void {
  const block = textAt(exif, 0, EXIF.length) === EXIF ? exif.subarray(EXIF.length) : exif
  const reader = tiffReader(block)
  const main = reader?.directory(reader.first)
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const at = file.indexOf(block)
  if (main === undefined || main.next === 0 || at === -1) return
  file.fill(0, at + main.link, at + main.link + 4)
  const end = at + block.length
  // The checksum of a chunk of a PNG covers its type, too.
  if (isPng) file.writeUInt32BE(crc32(file.subarray(at - 4, end)), end)
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length))
}
