import sharp, { type Region, type ResizeOptions, type Sharp, type SharpOptions } from 'sharp'
import utif, { type IFD } from 'utif2'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { decodeBmp, encodeBmp } from './bmp.ts'
import {
  MAX_SIDE,
  MAX_PIXELS,
  type Picture,
  type PictureFormat,
  type PictureTask,
  type Pixels,
  requireDecodableSize,
} from './image-messages.ts'

/** Decoders that browsers also use, so they are well tested. All others stay disabled, above all SVG, PDF, TIFF and HEIF. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((kind) => `VipsForeignLoad${kind}Buffer`)

/** Call once in each process. */
export function setUpSharp(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: LOADERS })
  // A process sees each picture once, and handles one at a time.
  sharp.cache(false)
  sharp.concurrency(1)
}

export const OPTIONS: SharpOptions = { failOn: 'error', limitInputPixels: MAX_PIXELS, sequentialRead: true }

/** @throws UNSUPPORTED if the picture cannot be decoded; TOO_LARGE */
export async function makePicture(bytes: Uint8Array, task: PictureTask): Promise<Picture> {
  return await decoding(async () => {
    const { image, format, hasAlpha, middle } = await open(bytes, task.orientation)
    const { side, frame } = task
    const isWhole = frame === 'fit' || frame === 'whole'
    const shown = isWhole || middle === undefined ? image : image.extract(middle)
    const made = task.format === 'same' ? format : task.format
    return await encode(shown.resize(FRAMES[frame](side)), made, hasAlpha || frame === 'whole')
  })
}

/** Takes whatever the library throws for a fault of the picture. @throws UNSUPPORTED, TOO_LARGE; what `work` throws itself */
export async function decoding(work: () => Promise<Picture>): Promise<Picture> {
  try {
    return await work()
  } catch (error) {
    if (isFilemgrError(error)) throw error
    const message = error instanceof Error ? error.message : String(error)
    if (message.includes('exceeds pixel limit')) fail('TOO_LARGE', 'the picture has too many pixels')
    return fail('UNSUPPORTED', 'the picture cannot be decoded', {}, { cause: error })
  }
}

const TILE = 3 / 4

const FRAMES: Readonly<Record<PictureTask['frame'], (side: number) => ResizeOptions>> = {
  cover: (side) => ({ width: side, height: side, fit: 'cover' }),
  fit: (side) => ({ width: side, height: side, fit: 'inside', withoutEnlargement: true }),
  top: (side) => ({ width: side, height: Math.round(side * TILE), fit: 'cover', position: 'top' }),
  whole: (side) => ({ width: side, height: Math.round(side * TILE), fit: 'contain', background: CLEAR }),
}

/** White where a format has no transparency. */
const CLEAR = { r: 255, g: 255, b: 255, alpha: 0 }

interface Source {
  readonly image: Sharp
  readonly format: PictureFormat
  readonly hasAlpha: boolean
  /** The square in the middle of a very long picture, of which only that is shown in a square. */
  readonly middle?: Region | undefined
}

async function open(bytes: Uint8Array, orientation: number | undefined): Promise<Source> {
  const kind = String.fromCharCode(...bytes.subarray(0, 4))
  if (kind.startsWith('BM')) return fromPixels(decodeBmp(bytes), 'bmp', orientation)
  if (/^(II|MM)/.test(kind)) return fromPixels(decodeTiff(bytes), 'tiff', orientation)
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8
  // Of a JPEG that is cut off, the library decodes the upper part. Of other formats, it may show nothing but black.
  const image = sharp(bytes, { ...OPTIONS, ...(isJpeg && { failOn: 'none' }) })
  const { width, height, format, hasAlpha, autoOrient } = await image.metadata()
  if (width > MAX_SIDE || height > MAX_SIDE) fail('TOO_LARGE', 'the picture is too wide or too high')
  if (format !== 'jpeg' && format !== 'png' && format !== 'gif' && format !== 'webp')
    fail('UNSUPPORTED', 'the picture has an unknown format')
  if (isJpeg && !hasScan(bytes)) fail('UNSUPPORTED', 'the picture is cut off before its first pixel')
  if (orientation !== undefined) return { image: rotated(image, orientation), format, hasAlpha }
  return { image: image.autoOrient(), format, hasAlpha, middle: middleOf(autoOrient) }
}

/** Longer pictures are cut before they are enlarged to fill a square, which could give them billions of pixels. */
const LONG = 20

function middleOf({ width, height }: { readonly width: number; readonly height: number }): Region | undefined {
  const side = Math.min(width, height)
  if (Math.max(width, height) < LONG * side) return undefined
  return { left: (width - side) >> 1, top: (height - side) >> 1, width: side, height: side }
}

/** Whether a JPEG reaches the data of its pixels: without any, the library would show a grey area. */
function hasScan(bytes: Uint8Array): boolean {
  const lengthAt = (at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
  for (let at = 2; at + 4 < bytes.length;) {
    if (bytes[at] !== 0xff) return true
    const marker = bytes[at + 1]
    if (marker === 0xda) return at + 2 + lengthAt(at + 2) < bytes.length
    at += marker === 0xff ? 1 : 2 + lengthAt(at + 2)
  }
  return false
}

function fromPixels(pixels: Pixels, format: PictureFormat, orientation = pixels.orientation ?? 1): Source {
  const { data, width, height } = pixels
  const image = sharp(data, { ...OPTIONS, raw: { width, height, channels: 4 } })
  return { image: rotated(image, orientation), format, hasAlpha: true }
}

/** For each EXIF orientation: degrees clockwise, and whether to mirror from left to right first. */
const ROTATIONS: Readonly<Record<number, readonly [number, boolean]>> = {
  2: [0, true],
  3: [180, false],
  4: [180, true],
  5: [270, true],
  6: [90, false],
  7: [90, true],
  8: [270, false],
}

function rotated(image: Sharp, orientation: number): Sharp {
  const [degrees, isMirrored] = ROTATIONS[orientation] ?? [0, false]
  const upright = isMirrored ? image.flop() : image
  return degrees === 0 ? upright : upright.rotate(degrees)
}

async function encode(image: Sharp, format: PictureFormat, hasAlpha: boolean): Promise<Picture> {
  if (format === 'bmp') {
    const { data, info } = await image.removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
    return { bytes: encodeBmp(data, info.width, info.height), format }
  }
  // JPEG has no transparency. Like File Browser, show the colours of transparent pixels rather than a background.
  const opaque = hasAlpha && (format === 'jpeg' || format === 'tiff') ? image.removeAlpha() : image
  return { bytes: await ENCODERS[format](opaque).toBuffer(), format }
}

/** Quality and effort are a compromise measured with 12-megapixel photos, which take 30 ms to decode. */
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
    if (first === undefined) fail('UNSUPPORTED', 'the TIFF file contains no picture')
    const width = numberOf(first, 't256')
    const height = numberOf(first, 't257')
    requireDecodableSize(width, height)
    utif.decodeImage(file, first)
    const data = numberOf(first, 't262') === CMYK ? rgbaOf(first) : utif.toRGBA8(first)
    if (data.length < width * height * 4) fail('UNSUPPORTED', 'the TIFF file is cut off')
    return { data, width, height, orientation: numberOf(first, 't274') }
  } catch (error) {
    if (isFilemgrError(error)) throw error
    // Any other error of the decoder is caused by the uploaded file.
    return fail('UNSUPPORTED', 'the TIFF file cannot be decoded', {}, { cause: error })
  }
}

/** The value of "photometric interpretation" for printing inks. */
const CMYK = 5

/** The library converts inks only in a browser. @throws UNSUPPORTED unless each pixel has four bytes, and perhaps alpha */
function rgbaOf(directory: IFD): Uint8Array {
  const samples = numberOf(directory, 't277')
  if (numberOf(directory, 't258') !== 8 || samples < 4 || samples > 5)
    fail('UNSUPPORTED', 'the TIFF file has unusual colours')
  const inks = directory.data
  const pixels = Math.floor(inks.length / samples)
  const data = new Uint8Array(pixels * 4)
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const from = pixel * samples
    const light = 255 - (inks[from + 3] ?? 0)
    for (let ink = 0; ink < 3; ink += 1) data[pixel * 4 + ink] = ((255 - (inks[from + ink] ?? 0)) * light) / 255
    data[pixel * 4 + 3] = samples === 5 ? (inks[from + 4] ?? 255) : 255
  }
  return data
}

function numberOf(directory: IFD, tag: string): number {
  const values = directory[tag]
  const value = Array.isArray(values) ? Number(values[0]) : 0
  return Number.isInteger(value) ? value : 0
}
