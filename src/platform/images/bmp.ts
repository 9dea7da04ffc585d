import { fail } from '../../domain/errors.ts'
import { type Pixels, requireDecodableSize } from './image-messages.ts'

/** Values of the header field "compression". */
const RLE8 = 1
const RLE4 = 2
const BIT_FIELDS = 3
const ALPHA_BIT_FIELDS = 6

interface BmpHeader {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
  readonly isTopDown: boolean
  readonly bits: number
  readonly compression: number
  /** Offset of the first row. */
  readonly start: number
  readonly palette: Uint8Array
  /** Red, green, blue, alpha. */
  readonly masks: readonly [number, number, number, number]
}

/** Decodes a Windows or OS/2 bitmap. Pixels missing at the end are black. @throws UNSUPPORTED, TOO_LARGE */
export function decodeBmp(bytes: Uint8Array): Pixels {
  const header = readHeader(bytes)
  const { width, height, compression } = header
  const data = new Uint8Array(width * height * 4)
  for (let at = 3; at < data.length; at += 4) data[at] = 255
  if (compression === RLE8 || compression === RLE4) fillFromRuns(header, data)
  else fillFromRows(header, data)
  return { data, width, height }
}

function readHeader(bytes: Uint8Array): BmpHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 26) fail('UNSUPPORTED', 'the bitmap is cut off')
  const header = view.getUint32(14, true)
  const isOs2 = header === 12
  if (!isOs2 && (header < 40 || bytes.length < 14 + header)) fail('UNSUPPORTED', 'the bitmap has an unknown header')
  const width = isOs2 ? view.getUint16(18, true) : view.getInt32(18, true)
  const rawHeight = isOs2 ? view.getUint16(20, true) : view.getInt32(22, true)
  const height = Math.abs(rawHeight)
  requireDecodableSize(width, height)
  const bits = view.getUint16(isOs2 ? 24 : 28, true)
  const compression = isOs2 ? 0 : view.getUint32(30, true)
  const start = view.getUint32(10, true)
  const hasMasks = compression === BIT_FIELDS || compression === ALPHA_BIT_FIELDS
  // The masks follow a header of 40 bytes, and are part of a longer one.
  const afterHeader = 14 + header + (hasMasks && header === 40 ? (compression === ALPHA_BIT_FIELDS ? 16 : 12) : 0)
  if (![1, 4, 8, 16, 24, 32].includes(bits) || start < afterHeader || start > bytes.length) {
    fail('UNSUPPORTED', 'the bitmap has an unknown format')
  }
  if (![0, RLE8, RLE4, BIT_FIELDS, ALPHA_BIT_FIELDS].includes(compression))
    fail('UNSUPPORTED', 'the bitmap has an unknown compression')
  return {
    bytes,
    width,
    height,
    bits,
    compression,
    start,
    isTopDown: rawHeight < 0,
    palette: paletteOf(bytes.subarray(afterHeader, start), bits, isOs2 ? 3 : 4),
    masks: hasMasks ? masksOf(view, header) : bits === 16 ? [0x7c00, 0x3e0, 0x1f, 0] : [0xff0000, 0xff00, 0xff, 0],
  }
}

function masksOf(view: DataView, header: number): BmpHeader['masks'] {
  if (view.byteLength < 70) fail('UNSUPPORTED', 'the bitmap is cut off')
  const alpha = header >= 56 ? view.getUint32(66, true) : 0
  return [view.getUint32(54, true), view.getUint32(58, true), view.getUint32(62, true), alpha]
}

/** Blue, green, red in the file; missing colours are black. */
function paletteOf(table: Uint8Array, bits: number, entry: number): Uint8Array {
  const palette = new Uint8Array(256 * 3)
  if (bits > 8) return palette
  for (let color = 0; color < 256 && (color + 1) * entry <= table.length; color += 1) {
    for (let part = 0; part < 3; part += 1) palette[color * 3 + part] = table[color * entry + 2 - part] ?? 0
  }
  return palette
}

/** Rows are stored from bottom to top unless the height is negative. */
function rowStart({ width, height, isTopDown }: BmpHeader, row: number): number {
  return (isTopDown ? row : height - 1 - row) * width * 4
}

function fillFromRows(header: BmpHeader, data: Uint8Array): void {
  const { bytes, width, height, bits, start } = header
  const stride = Math.floor((width * bits + 31) / 32) * 4
  const writePixel = bits <= 8 ? indexedPixel(header, data) : directPixel(header, data)
  for (let row = 0; row < height; row += 1) {
    const line = bytes.subarray(start + row * stride, start + (row + 1) * stride)
    const target = rowStart(header, row)
    const available = Math.min(width, Math.floor((line.length * 8) / bits))
    for (let x = 0; x < available; x += 1) writePixel(line, x, target + x * 4)
  }
}

type WritePixel = (line: Uint8Array, x: number, target: number) => void

function indexedPixel({ bits, palette }: BmpHeader, data: Uint8Array): WritePixel {
  const pixelsPerByte = 8 / bits
  const mask = (1 << bits) - 1
  return (line, x, target) => {
    const byte = line[Math.floor(x / pixelsPerByte)] ?? 0
    paint(data, target, palette, (byte >> (8 - bits * ((x % pixelsPerByte) + 1))) & mask)
  }
}

function directPixel({ bits, masks }: BmpHeader, data: Uint8Array): WritePixel {
  if (bits === 24) {
    return (line, x, target) => {
      for (let part = 0; part < 3; part += 1) data[target + part] = line[x * 3 + 2 - part] ?? 0
    }
  }
  const channels = masks.map(channelOf)
  const size = bits / 8
  return (line, x, target) => {
    let value = 0
    for (let part = size - 1; part >= 0; part -= 1) value = ((value << 8) | (line[x * size + part] ?? 0)) >>> 0
    channels.forEach((channel, part) => {
      if (channel !== undefined) data[target + part] = channel(value)
    })
  }
}

/** Extracts a channel from a pixel and scales it to 8 bits. */
function channelOf(mask: number): ((value: number) => number) | undefined {
  if (mask === 0) return undefined
  const shift = 31 - Math.clz32(mask & -mask)
  const max = mask >>> shift
  return (value) => Math.round((((value & mask) >>> shift) * 255) / max)
}

/** Run-length encoding: runs of equal pixels, and escapes for end of row, end of bitmap, a jump and literal pixels. */
function fillFromRuns(header: BmpHeader, data: Uint8Array): void {
  const { bytes, width, height, compression, palette } = header
  const isHalf = compression === RLE4
  let at = header.start
  let x = 0
  let row = 0
  const put = (color: number) => {
    if (x < width && row < height) paint(data, rowStart(header, row) + x * 4, palette, color)
    x += 1
  }
  const colorAt = (byte: number, index: number) => (isHalf ? (index % 2 === 0 ? byte >> 4 : byte & 15) : byte)
  while (at + 1 < bytes.length && row < height) {
    const count = bytes[at] ?? 0
    const value = bytes[at + 1] ?? 0
    at += 2
    if (count > 0) {
      for (let index = 0; index < count; index += 1) put(colorAt(value, index))
    } else if (value === 0) {
      x = 0
      row += 1
    } else if (value === 1) {
      return
    } else if (value === 2) {
      x += bytes[at] ?? 0
      row += bytes[at + 1] ?? 0
      at += 2
    } else {
      for (let index = 0; index < value; index += 1) put(colorAt(bytes[at + (isHalf ? index >> 1 : index)] ?? 0, index))
      const length = isHalf ? (value + 1) >> 1 : value
      at += length + (length % 2)
    }
  }
}

function paint(data: Uint8Array, target: number, palette: Uint8Array, color: number): void {
  for (let part = 0; part < 3; part += 1) data[target + part] = palette[color * 3 + part] ?? 0
}

const HEADER = 54

/** Encodes a 24-bit bitmap. @param data red, green, blue, 8 bits each */
export function encodeBmp(data: Uint8Array, width: number, height: number): Uint8Array {
  const stride = Math.ceil((width * 3) / 4) * 4
  const bytes = new Uint8Array(HEADER + stride * height)
  const view = new DataView(bytes.buffer)
  bytes.set([0x42, 0x4d])
  view.setUint32(2, bytes.length, true)
  view.setUint32(10, HEADER, true)
  view.setUint32(14, 40, true)
  view.setInt32(18, width, true)
  view.setInt32(22, height, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 24, true)
  view.setUint32(34, stride * height, true)
  for (let row = 0; row < height; row += 1) {
    const line = HEADER + (height - 1 - row) * stride
    for (let x = 0; x < width * 3; x += 3) {
      const from = row * width * 3 + x
      bytes[line + x] = data[from + 2] ?? 0
      bytes[line + x + 1] = data[from + 1] ?? 0
      bytes[line + x + 2] = data[from] ?? 0
    }
  }
  return bytes
}
