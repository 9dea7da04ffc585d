import { describe, expect, it } from 'vitest'
import { decodeBmp, encodeBmp } from '../../../../src/platform/images/bmp.ts'

interface Bitmap {
  readonly width: number
  readonly height: number
  readonly bits: number
  readonly compression?: number
  readonly masks?: readonly number[]
  /** Four bytes for each colour: blue, green, red, unused. */
  readonly palette?: readonly number[]
  readonly rows: readonly number[]
}

function bitmap({ width, height, bits, compression = 0, masks = [], palette = [], rows }: Bitmap): Buffer {
  const header = Buffer.alloc(54 + masks.length * 4)
  header.write('BM')
  header.writeUInt32LE(header.length + palette.length, 10)
  header.writeUInt32LE(40, 14)
  header.writeInt32LE(width, 18)
  header.writeInt32LE(height, 22)
  header.writeUInt16LE(1, 26)
  header.writeUInt16LE(bits, 28)
  header.writeUInt32LE(compression, 30)
  masks.forEach((mask, index) => header.writeUInt32LE(mask, 54 + index * 4))
  return Buffer.concat([header, Buffer.from(palette), Buffer.from(rows)])
}

/** Rows with "r", "g", "b" or "k" for each pixel, followed by its alpha if it is not opaque. */
function shown(bytes: Uint8Array): string[] {
  const { data, width, height } = decodeBmp(bytes)
  const names: Record<string, string> = { '255,0,0': 'r', '0,255,0': 'g', '0,0,255': 'b', '0,0,0': 'k' }
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_pixel, x) => {
      const [red, green, blue, alpha] = data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)
      return `${names[`${red},${green},${blue}`] ?? '?'}${alpha === 255 ? '' : alpha}`
    }).join(''),
  )
}

const PALETTE = [0, 0, 255, 0, 0, 255, 0, 0, 255, 0, 0, 0]

describe('a bitmap', () => {
  it.each<[string, Bitmap, string[]]>([
    [
      '1 bit',
      { width: 3, height: 2, bits: 1, palette: PALETTE.slice(0, 8), rows: [0b01000000, 0, 0, 0, 0b10100000, 0, 0, 0] },
      ['grg', 'rgr'],
    ],
    ['4 bits', { width: 3, height: 1, bits: 4, palette: PALETTE, rows: [0x01, 0x20, 0, 0] }, ['rgb']],
    ['8 bits', { width: 3, height: 1, bits: 8, palette: PALETTE, rows: [2, 1, 0, 0] }, ['bgr']],
    ['16 bits of 5-5-5', { width: 2, height: 1, bits: 16, rows: [0x00, 0x7c, 0xe0, 0x03] }, ['rg']],
    [
      '16 bits of 5-6-5',
      { width: 2, height: 1, bits: 16, compression: 3, masks: [0xf800, 0x7e0, 0x1f], rows: [0xe0, 0x07, 0x1f, 0] },
      ['gb'],
    ],
    [
      '24 bits, rows from top to bottom',
      { width: 1, height: -2, bits: 24, rows: [0, 0, 255, 0, 255, 0, 0, 0] },
      ['r', 'b'],
    ],
    ['32 bits', { width: 2, height: 1, bits: 32, rows: [0, 0, 255, 9, 0, 255, 0, 0] }, ['rg']],
    [
      '8 bits in runs',
      {
        width: 4,
        height: 2,
        bits: 8,
        compression: 1,
        palette: [0, 0, 0, 0, ...PALETTE.slice(4)],
        rows: [3, 1, 0, 0, 0, 3, 2, 1, 2, 0, 0, 1],
      },
      ['bgbk', 'gggk'],
    ],
    [
      '4 bits in runs',
      { width: 4, height: 1, bits: 4, compression: 2, palette: PALETTE, rows: [4, 0x12, 0, 1] },
      ['gbgb'],
    ],
  ])('of %s is decoded', (_kind, source, expected) => {
    expect(shown(bitmap(source))).toEqual(expected)
  })

  it('that is cut off is black from there on', () => {
    const whole = bitmap({ width: 1, height: -2, bits: 24, rows: [0, 0, 255, 0, 255, 0, 0, 0] })
    expect(shown(whole.subarray(0, -4))).toEqual(['r', 'k'])
  })

  it('is decoded as it was encoded', () => {
    const pixels = Uint8Array.from([255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 0])
    expect(shown(encodeBmp(pixels, 3, 2))).toEqual(['rgb', 'krg'])
  })

  it.each<[string, Partial<Bitmap>, string]>([
    ['without pixels', { width: 0 }, 'UNSUPPORTED'],
    ['of more pixels than fit into memory', { width: 9000, height: 9000 }, 'TOO_LARGE'],
    ['of a negative width', { width: -5 }, 'UNSUPPORTED'],
    ['of the least height there is', { height: -(2 ** 31) }, 'TOO_LARGE'],
    ['of 7 bits', { bits: 7 }, 'UNSUPPORTED'],
    ['that holds a JPEG', { compression: 4 }, 'UNSUPPORTED'],
  ])('%s is refused before memory is allocated for it', (_problem, change, code) => {
    const bytes = bitmap({ width: 1, height: 1, bits: 24, rows: [0, 0, 0, 0], ...change })
    expect(() => decodeBmp(bytes)).toThrow(expect.objectContaining({ code }))
  })

  it('of random bytes is either decoded or refused', () => {
    for (let seed = 1; seed <= 2000; seed += 1) {
      const bytes = bitmap({
        width: seed % 40,
        height: seed % 30,
        bits: [1, 4, 8, 16, 24, 32][seed % 6] ?? 8,
        rows: [],
      })
      let state = seed
      for (let at = 14; at < bytes.length; at += 1) {
        state = (state * 1_103_515_245 + 12_345) % 2 ** 31
        if (state % 5 === 0) bytes[at] = (state >> 8) & 255
      }
      try {
        decodeBmp(bytes)
      } catch (error) {
        expect(error).toHaveProperty('code')
      }
    }
  })
})
