import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { IMAGE_HEAD_BYTES, readImageHead, shownSize } from '../../../../src/domain/files/media/image-head.ts'
import { findRawPreview } from '../../../../src/domain/files/media/raw-preview.ts'
import { encodeBmp } from '../../../../src/platform/images/bmp.ts'
import { quarters, withExif } from '../../../helpers/samples/pictures.ts'
describe('the header of a picture', () => {
  it.each(['jpeg', 'png', 'gif', 'webp', 'tiff', 'avif'] as const)(
    'of type %s gives width and height',
    async (format) => {
      const bytes = await quarters(70, 30).toFormat(format).toBuffer()
      expect(readImageHead(bytes)).toMatchObject({ width: 70, height: 30 })
    },
  )

  it('gives them for other kinds of WebP and JPEG, and for bitmaps', async () => {
    const lossless = await quarters(70, 30).webp({ lossless: true }).toBuffer()
    const alpha = await quarters(70, 30).ensureAlpha(0.5).webp().toBuffer()
    const progressive = await quarters(70, 30).jpeg({ progressive: true }).toBuffer()
    const bitmap = encodeBmp(new Uint8Array(70 * 30 * 3), 70, 30)
    for (const bytes of [lossless, alpha, progressive, bitmap])
      expect(readImageHead(bytes)).toMatchObject({ width: 70, height: 30 })
  })

  it('gives the orientation, and the position of the embedded thumbnail', async () => {
    const small = await quarters(16, 12).jpeg().toBuffer()
    const bytes = withExif(await quarters(70, 30).jpeg().toBuffer(), 6, small)
    const head = readImageHead(bytes)
    expect(head).toMatchObject({ width: 70, height: 30, orientation: 6 })
    expect(bytes.subarray(head?.embedded?.start, head?.embedded?.end)).toEqual(small)
    expect(head && shownSize(head)).toEqual({ width: 30, height: 70 })
  })

  it.each(['', 'BM', 'GIF89a', 'RIFF    WEBPVP8 ', '\x89PNG\r\n\x1a\n', 'II*\0', '\xff\xd8\xff', '<svg>', 'text'])(
    'that is only %j gives nothing',
    (start) => {
      expect(readImageHead(Buffer.from(start, 'latin1'))).toBeUndefined()
    },
  )

  it('gives no thumbnail beyond the end of the file', async () => {
    const bytes = withExif(await quarters(70, 30).jpeg().toBuffer(), 1, Buffer.from([0xff, 0xd8, 0xff, 0xd9]))
    const length = bytes.indexOf(Buffer.from([0xff, 0xd8, 0xff, 0xd9])) - 12
    let found = 0
    for (let at = length - 20; at < length + 12; at += 1) {
      const spoilt = Buffer.from(bytes)
      spoilt.fill(0xff, at, at + 1)
      const embedded = readImageHead(spoilt)?.embedded
      if (embedded === undefined) continue
      found += 1
      expect(embedded.end).toBeLessThanOrEqual(spoilt.length)
    }
    expect(found).toBeGreaterThan(0)
  })

  it('is read in finite time whatever its bytes are: cyclic directories, huge counts', async () => {
    const sources: Buffer[] = await Promise.all(
      (['jpeg', 'tiff', 'webp', 'png', 'avif'] as const).map(
        async (format) => await quarters(40, 40).toFormat(format).toBuffer(),
      ),
    )
    sources.push(withExif(sources[0] ?? Buffer.alloc(0), 6, sources[0]))
    let state = 7
    for (let turn = 0; turn < 4000; turn += 1) {
      const bytes = Buffer.from(sources[turn % sources.length] ?? [])
      for (let change = 0; change < 6; change += 1) {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31
        bytes[(state >> 4) % Math.min(bytes.length, 200)] = state & 255
      }
      const head = readImageHead(bytes)
      if (head) expect(head.width * head.height).toBeGreaterThan(0)
      findRawPreview(bytes, bytes.length)
    }
  })

  it('fits into the bytes that are read of a file, even with a colour profile', async () => {
    const profile = await sharp({ create: { width: 70, height: 30, channels: 3, background: 'red' } })
      .withIccProfile('p3')
      .jpeg()
      .toBuffer()
    expect(readImageHead(profile.subarray(0, IMAGE_HEAD_BYTES))).toMatchObject({ width: 70, height: 30 })
  })
})

describe('a raw file', () => {
  /** Directories of [tag, value] pairs, one after the other. */
  function raw(...directories: readonly (readonly (readonly [number, number])[])[]): Buffer {
    let offset = 8
    const parts = directories.map((entries, index) => {
      const bytes = Buffer.alloc(2 + entries.length * 12 + 4)
      bytes.writeUInt16LE(entries.length)
      entries.forEach(([tag, value], position) => {
        bytes.writeUInt16LE(tag, 2 + position * 12)
        bytes.writeUInt16LE(4, 4 + position * 12)
        bytes.writeUInt32LE(1, 6 + position * 12)
        bytes.writeUInt32LE(value, 10 + position * 12)
      })
      offset += bytes.length
      bytes.writeUInt32LE(index + 1 < directories.length ? offset : 8, bytes.length - 4)
      return bytes
    })
    return Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), ...parts])
  }

  const jpeg = (start: number, length: number) =>
    [
      [0x201, start],
      [0x202, length],
    ] as const
  const strip = (bits: number, start: number, length: number) =>
    [
      [0x102, bits],
      [0x103, 6],
      [0x111, start],
      [0x117, length],
    ] as const

  it('gives the largest of its JPEGs, and how the camera was held', () => {
    const bytes = raw([[0x112, 8], ...jpeg(500, 100)], strip(8, 700, 900), jpeg(2000, 50))
    expect(findRawPreview(bytes, 5000)).toEqual({ start: 700, length: 900, orientation: 8 })
  })

  it('gives neither the sensor data nor a JPEG beyond its end', () => {
    const bytes = raw(jpeg(500, 100), strip(14, 700, 4000), jpeg(4000, 2000))
    expect(findRawPreview(bytes, 5000)).toEqual({ start: 500, length: 100, orientation: 1 })
    expect(findRawPreview(raw([[0x112, 1]]), 5000)).toBeUndefined()
  })
})
