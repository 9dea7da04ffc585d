import sharp, { type Sharp } from 'sharp'

/** Top left, top right, bottom left, bottom right. */
const CORNERS = { red: [220, 20, 20], green: [20, 180, 20], blue: [20, 20, 220], yellow: [230, 220, 20] } as const
export type CornerColor = keyof typeof CORNERS

/** Red, green, blue and yellow quarters, so that every rotation can be recognised. */
export function quarters(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3)
  const colors = Object.values(CORNERS)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const color = colors[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)] ?? [0, 0, 0]
      pixels.set(color, (y * width + x) * 3)
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

export interface InspectedPicture {
  readonly format: string
  readonly width: number
  readonly height: number
  /** In the order of `quarters`. */
  readonly corners: readonly CornerColor[]
}

/** The colours of a picture's quarters. */
export async function inspectPicture(bytes: Uint8Array): Promise<InspectedPicture> {
  const { format } = await sharp(bytes).metadata()
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const corners = [0.25, 0.75].flatMap((y) =>
    [0.25, 0.75].map((x) => {
      const at = (Math.floor(height * y) * width + Math.floor(width * x)) * 3
      return nearest([...data.subarray(at, at + 3)])
    }),
  )
  return { format, width, height, corners }
}

function nearest(pixel: readonly number[]): CornerColor {
  const distance = (color: readonly number[]) =>
    color.reduce((sum, part, index) => sum + (part - (pixel[index] ?? 0)) ** 2, 0)
  const [name] = Object.entries(CORNERS).toSorted((one, other) => distance(one[1]) - distance(other[1]))[0] ?? []
  return (name ?? 'red') as CornerColor
}

/** The start of a JPEG with an EXIF segment: an orientation and, if given, a thumbnail as cameras embed it. */
export function withExif(jpeg: Uint8Array, orientation: number, thumbnail?: Uint8Array): Buffer {
  const second = 8 + 2 + 12 + 4
  const data = second + 2 + 2 * 12 + 4
  const entry = (tag: number, type: number, value: number) => {
    const bytes = Buffer.alloc(12)
    bytes.writeUInt16LE(tag, 0)
    bytes.writeUInt16LE(type, 2)
    bytes.writeUInt32LE(1, 4)
    bytes.writeUInt32LE(value, 8)
    return bytes
  }
  const directory = (entries: readonly Buffer[], next: number) => {
    const count = Buffer.alloc(2)
    count.writeUInt16LE(entries.length)
    const link = Buffer.alloc(4)
    link.writeUInt32LE(next)
    return Buffer.concat([count, ...entries, link])
  }
  const block = Buffer.concat([
    Buffer.from('Exif\0\0II*\0\x08\0\0\0', 'latin1'),
    directory([entry(0x112, 3, orientation)], thumbnail ? second : 0),
    ...(thumbnail
      ? [directory([entry(0x201, 4, data), entry(0x202, 4, thumbnail.length)], 0), Buffer.from(thumbnail)]
      : []),
  ])
  const marker = Buffer.from([0xff, 0xe1, 0, 0])
  marker.writeUInt16BE(block.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), marker, block, jpeg.subarray(2)])
}

/** The head of a PNG that claims these dimensions, followed by almost nothing. */
export function pngOfMeasures(width: number, height: number): Buffer {
  const bytes = Buffer.from(
    '89504e470d0a1a0a0000000d49484452000000010000000108020000009077' + '53de0000000c49444154789c63000000010001',
    'hex',
  )
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
