import { orientationOf, TAG, type TiffDirectory, tiffReader } from './tiff.ts'

/** A JPEG embedded in a camera's raw file. */
export interface RawPreview {
  readonly start: number
  /** Bytes. */
  readonly length: number
  /** EXIF orientation, 1 to 8. */
  readonly orientation: number
}

/** Raw files based on TIFF: Canon, Adobe, Nikon, Olympus, Panasonic, Sony, Pentax, Samsung. */
const RAW_NAME = /\.(cr2|dng|nef|orf|rw2|arw|pef|srw)$/i
const MAX_DIRECTORIES = 16
const JPEG_COMPRESSIONS: readonly (number | undefined)[] = [6, 7]
/** Photometric values of raw sensor data: colour filter array, linear raw. */
const RAW_PHOTOMETRIC: readonly (number | undefined)[] = [32_803, 34_892]

/** Bytes from the start that contain the directories. */
export const RAW_HEAD_BYTES = 256 * 1024

export function isRawName(name: string): boolean {
  return RAW_NAME.test(name)
}

/**
 * The largest JPEG that the directories of a raw file point to.
 *
 * @param head the first `RAW_HEAD_BYTES` of the file
 * @param size of the file in bytes
 */
export function findRawPreview(head: Uint8Array, size: number): RawPreview | undefined {
  const reader = tiffReader(head)
  if (reader === undefined) return undefined
  const waiting = [reader.first]
  const found: { start: number; length: number }[] = []
  let orientation: number | undefined
  // The limit also ends cycles of directories.
  for (let turn = 0; turn < MAX_DIRECTORIES && waiting.length > 0; turn += 1) {
    const directory = reader.directory(waiting.shift() ?? 0)
    if (directory === undefined) continue
    orientation ??= orientationOf(directory)
    found.push(...jpegsOf(directory))
    waiting.push(directory.next, ...(directory.values.get(TAG.subDirectories) ?? []))
  }
  const [largest] = found
    .filter(({ start, length }) => start > 0 && length > 0 && start + length <= size)
    .toSorted((one, other) => other.length - one.length)
  return largest && { ...largest, orientation: orientation ?? 1 }
}

function jpegsOf({ values }: TiffDirectory): { start: number; length: number }[] {
  const pair = (startTag: number, lengthTag: number) => {
    const starts = values.get(startTag)
    const lengths = values.get(lengthTag)
    const [start] = starts ?? []
    const [length] = lengths ?? []
    return starts?.length === 1 && start !== undefined && length !== undefined ? [{ start, length }] : []
  }
  // Sensor data may be lossless JPEG, which no browser shows: it has more than 8 bits per sample, or is not developed yet.
  const isJpegStrip =
    JPEG_COMPRESSIONS.includes(values.get(TAG.compression)?.[0]) &&
    values.get(TAG.bitsPerSample)?.every((bits) => bits === 8) === true &&
    !RAW_PHOTOMETRIC.includes(values.get(TAG.photometric)?.[0])
  return [...pair(TAG.jpegStart, TAG.jpegLength), ...(isJpegStrip ? pair(TAG.stripOffsets, TAG.stripLengths) : [])]
}
