import sharp, { type Sharp, type SharpOptions } from 'sharp'
import utif, { type IFD } from 'utif2'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { decodeBmp, encodeBmp } from './bmp.ts'
import {
  LONGEST_SIDE,
  MOST_PIXELS,
  type Picture,
  type PictureFormat,
  type PictureTask,
  type Pixels,
  requireMeasures,
} from './image-messages.ts'

/** Decoders of browsers, hardened by their use there. All others of the library stay shut, SVG, PDF, TIFF and HEIF above all. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((kind) => `VipsForeignLoad${kind}Buffer`)

/** Once in the life of the process. */
export function setUpSharp(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  // Each picture comes once, and each process makes one at a time.
  sharp.cache(false)
  sharp.concurrency(1)
}

const OPTIONS: SharpOptions = { failOn: 'error', limitInputPixels: MOST_PIXELS, sequentialRead: true }

/** @throws UNSUPPORTED for what cannot be decoded, TOO_LARGE */
export async function makePicture(bytes: Uint8Array, task: PictureTask): Promise<Picture> {
  try {
    const { image, format, hasAlpha } = await open(bytes, task.orientation)
    const { side, frame } = task
    const resized =
      frame === 'cover'
        ? image.resize(side, side, { fit: 'cover' })
        : image.resize(side, side, { fit: 'inside', withoutEnlargement: true })
    return await encode(resized, task.format === 'same' ? format : task.format, hasAlpha)
  } catch (error) {
    if (isFilemgrError(error)) throw error
    const message = error instanceof Error ? error.message : String(error)
    if (message.includes('exceeds pixel limit')) fail('TOO_LARGE', 'the picture has too many pixels')
    return fail('UNSUPPORTED', 'the picture cannot be decoded', {}, { cause: error })
  }
}

interface Source {
  readonly image: Sharp
  readonly format: PictureFormat
  readonly hasAlpha: boolean
}

async function open(bytes: Uint8Array, orientation: number | undefined): Promise<Source> {
  const kind = String.fromCharCode(...bytes.subarray(0, 4))
  if (kind.startsWith('BM')) return fromPixels(decodeBmp(bytes), 'bmp', orientation)
  if (/^(II|MM)/.test(kind)) return fromPixels(decodeTiff(bytes), 'tiff', orientation)
  const image = sharp(bytes, OPTIONS)
  const { width, height, format, hasAlpha } = await image.metadata()
  if (width > LONGEST_SIDE || height > LONGEST_SIDE) fail('TOO_LARGE', 'the picture has too long a side')
  if (format !== 'jpeg' && format !== 'png' && format !== 'gif' && format !== 'webp')
    fail('UNSUPPORTED', 'the picture is of an unknown kind')
  return { image: orientation === undefined ? image.autoOrient() : turned(image, orientation), format, hasAlpha }
}

function fromPixels(pixels: Pixels, format: PictureFormat, orientation = pixels.orientation ?? 1): Source {
  const { data, width, height } = pixels
  const image = sharp(data, { ...OPTIONS, raw: { width, height, channels: 4 } })
  return { image: turned(image, orientation), format, hasAlpha: true }
}

/** Degrees clockwise, and whether it is mirrored from left to right before. */
const TURNS: Readonly<Record<number, readonly [number, boolean]>> = {
  ...{ 2: [0, true], 3: [180, false], 4: [180, true], 5: [270, true] },
  ...{ 6: [90, false], 7: [90, true], 8: [270, false] },
}

function turned(image: Sharp, orientation: number): Sharp {
  const [degrees, isMirrored] = TURNS[orientation] ?? [0, false]
  const upright = isMirrored ? image.flop() : image
  return degrees === 0 ? upright : upright.rotate(degrees)
}

async function encode(image: Sharp, format: PictureFormat, hasAlpha: boolean): Promise<Picture> {
  if (format === 'bmp') {
    const { data, info } = await image.removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
    return { bytes: encodeBmp(data, info.width, info.height), format }
  }
  // JPEG has no transparency: the colours that lie beneath it show, as old clients know it.
  const opaque = hasAlpha && (format === 'jpeg' || format === 'tiff') ? image.removeAlpha() : image
  return { bytes: await ENCODERS[format](opaque).toBuffer(), format }
}

/** Measured for photos of 12 megapixels; decoding costs 30 ms of each. */
const ENCODERS: Readonly<Record<Exclude<PictureFormat, 'bmp'>, (image: Sharp) => Sharp>> = {
  jpeg: (image) => image.jpeg({ quality: 85 }),
  png: (image) => image.png({ compressionLevel: 6 }),
  gif: (image) => image.gif(),
  webp: (image) => image.webp({ quality: 80, effort: 2 }),
  avif: (image) => image.avif({ quality: 55, effort: 2 }),
  tiff: (image) => image.tiff({ compression: 'lzw' }),
}

/** Decodes the first picture of a TIFF file. @throws UNSUPPORTED, TOO_LARGE */
function decodeTiff(bytes: Uint8Array): Pixels {
  try {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const [first] = utif.decode(file)
    if (first === undefined) fail('UNSUPPORTED', 'the TIFF file holds no picture')
    const width = numberOf(first, 't256')
    const height = numberOf(first, 't257')
    requireMeasures(width, height)
    utif.decodeImage(file, first)
    const data = utif.toRGBA8(first)
    if (data.length < width * height * 4) fail('UNSUPPORTED', 'the TIFF file breaks off')
    return { data, width, height, orientation: numberOf(first, 't274') }
  } catch (error) {
    if (isFilemgrError(error)) throw error
    // Whatever makes a decoder fail is the fault of the uploaded file.
    return fail('UNSUPPORTED', 'the TIFF file cannot be decoded', {}, { cause: error })
  }
}

function numberOf(directory: IFD, tag: string): number {
  const values = directory[tag]
  const value = Array.isArray(values) ? Number(values[0]) : 0
  return Number.isInteger(value) ? value : 0
}
