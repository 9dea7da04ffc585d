/** One image file directory of TIFF 6.0: its integers by tag. Strings and fractions are left out. */
export interface TiffDirectory {
  readonly values: ReadonlyMap<number, readonly number[]>
  /** Offset of the next directory; 0 for the last one. */
  readonly next: number
  /** Where that offset is written. */
  readonly link: number
}

export interface TiffReader {
  /** Offset of the first directory. */
  readonly first: number
  /** @returns undefined if there is no valid directory at the offset */
  directory(offset: number): TiffDirectory | undefined
}

/** Bytes per number by type: 1 byte, 3 short, 4 long, 13 directory. */
const SIZES: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 13: 4 }
const MAX_ENTRIES = 512
const MAX_VALUES = 64

/** Reads the directories of a TIFF file or an EXIF block. Offsets are relative to the start of `bytes`. */
export function tiffReader(bytes: Uint8Array): TiffReader | undefined {
  if (bytes.length < 8) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const order = view.getUint16(0)
  if (order !== 0x4949 && order !== 0x4d4d) return undefined
  const little = order === 0x4949
  // 42, or what Olympus and Panasonic write instead.
  if (![42, 0x4f52, 0x5352, 0x55].includes(view.getUint16(2, little))) return undefined

  const numberAt = (at: number, size: number): number =>
    size === 1 ? view.getUint8(at) : size === 2 ? view.getUint16(at, little) : view.getUint32(at, little)

  const valuesOf = (entry: number): number[] => {
    const size = SIZES[view.getUint16(entry + 2, little)]
    const count = view.getUint32(entry + 4, little)
    if (size === undefined || count === 0 || count > MAX_VALUES) return []
    const at = size * count <= 4 ? entry + 8 : view.getUint32(entry + 8, little)
    if (at + size * count > bytes.length) return []
    return Array.from({ length: count }, (_, index) => numberAt(at + index * size, size))
  }

  return {
    first: view.getUint32(4, little),
    directory(offset) {
      if (offset < 8 || offset + 2 > bytes.length) return undefined
      const count = view.getUint16(offset, little)
      const end = offset + 2 + count * 12
      if (count === 0 || count > MAX_ENTRIES || end > bytes.length) return undefined
      const values = new Map<number, readonly number[]>()
      for (let entry = offset + 2; entry < end; entry += 12) {
        const found = valuesOf(entry)
        if (found.length > 0) values.set(view.getUint16(entry, little), found)
      }
      return { values, next: end + 4 <= bytes.length ? view.getUint32(end, little) : 0, link: end }
    },
  }
}

/** Tags of TIFF 6.0 and EXIF 2.32. */
export const TAG = {
  width: 0x100,
  height: 0x101,
  bitsPerSample: 0x102,
  compression: 0x103,
  photometric: 0x106,
  stripOffsets: 0x111,
  orientation: 0x112,
  stripLengths: 0x117,
  subDirectories: 0x14a,
  jpegStart: 0x201,
  jpegLength: 0x202,
  /** Panasonic only: the whole JPEG. */
  panasonicJpeg: 0x2e,
} as const

/** EXIF orientation, 1 to 8. */
export function orientationOf(directory: TiffDirectory | undefined): number | undefined {
  const value = directory?.values.get(TAG.orientation)?.[0]
  return value !== undefined && value >= 1 && value <= 8 ? value : undefined
}
