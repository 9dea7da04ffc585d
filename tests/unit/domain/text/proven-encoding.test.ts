import { describe, expect, it } from 'vitest'
import { ENCODING_SAMPLE, encodingSample, provenEncoding } from '../../../../src/domain/text/proven-encoding.ts'

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
const latin1 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'))

describe('the proven encoding', () => {
  it.each([
    ['utf-8', '', 'no bytes'],
    ['utf-8', '6162', 'ASCII'],
    ['utf-8', 'c3a4', 'valid UTF-8'],
    ['utf-8-bom', 'efbbbf61', 'a byte order mark'],
    ['utf-16le-bom', 'fffe6100', 'a byte order mark'],
    ['utf-16be-bom', 'feff0061', 'a byte order mark'],
    ['utf-16le', '61006200', 'zero bytes at odd places'],
    ['utf-16be', '00610062', 'zero bytes at even places'],
    ['binary', '610000', 'zero bytes at any place'],
    ['binary', 'fffe000061000000', 'UTF-32'],
    ['binary', 'efbbbfff', 'a byte order mark with something else behind it'],
    ['binary', '610062', 'half a character'],
    ['binary', '61626364656667686900', 'a zero byte in a text in ASCII'],
    ['utf-16le', '4130893019306b300a00', 'few zero bytes, and others that are no ASCII'],
    [undefined, 'e4', 'another encoding'],
  ])('is %s for %s: %s', (encoding, hex, _why) => {
    expect(provenEncoding(bytesOf(hex))).toBe(encoding)
  })
})

describe('the sample of a text', () => {
  it('has the lines that are not ASCII', () => {
    expect(Buffer.from(encodingSample(latin1('plain\ngr\xfcn\r\nplain\nbl\xe4u'))).toString('latin1')).toBe(
      'gr\xfcn\rbl\xe4u',
    )
  })

  it('is empty for ASCII', () => {
    expect(encodingSample(latin1('plain\n'))).toHaveLength(0)
  })

  it('stays small, and has what stands around the first foreign byte of an endless line', () => {
    const sample = encodingSample(latin1(`${'x'.repeat(100_000)}\xfc${'y'.repeat(100_000)}`))
    expect(sample).toHaveLength(ENCODING_SAMPLE)
    expect(sample.includes(0xfc)).toBe(true)
    expect(encodingSample(latin1('\xfc\n'.repeat(100_000)))).toHaveLength(ENCODING_SAMPLE)
  })
})
