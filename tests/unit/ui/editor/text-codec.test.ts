import { describe, expect, it } from 'vitest'
import { decodeText, encodeText, type TextFormat } from '../../../../ui/src/editor/saving/text-codec.ts'

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('the text of a file', () => {
  it('is UTF-8 unless it starts with a byte order mark', () => {
    expect(decodeText(utf8('grüße 👋\n'))).toEqual({
      ...{ text: 'grüße 👋\n', encoding: 'UTF-8', lineEnd: 'LF', mixedLineEnds: false },
    })
  })

  it.each([
    ['UTF-8 BOM', bytes(0xef, 0xbb, 0xbf, 0x61)],
    ['UTF-16 LE', bytes(0xff, 0xfe, 0x61, 0)],
    ['UTF-16 BE', bytes(0xfe, 0xff, 0, 0x61)],
  ])('with a byte order mark of %s loses the mark', (encoding, content) => {
    expect(decodeText(content)).toMatchObject({ text: 'a', encoding })
  })

  it('that is not UTF-8 is decoded as Windows-1252', () => {
    expect(decodeText(bytes(0x63, 0x61, 0x66, 0xe9, 0x80))).toMatchObject({ text: 'café€', encoding: 'Windows-1252' })
  })

  it('is undefined with a NUL byte or half a UTF-16 character', () => {
    expect(decodeText(bytes(0x61, 0, 0x62))).toBeUndefined()
    expect(decodeText(bytes(0xff, 0xfe, 0x61))).toBeUndefined()
  })

  it('has every line ending as one character', () => {
    expect(decodeText(utf8('a\r\nb\r\nc\nd'))).toMatchObject({
      text: 'a\nb\nc\nd',
      lineEnd: 'CRLF',
      mixedLineEnds: true,
    })
    expect(decodeText(utf8('a\rb\r'))).toMatchObject({ text: 'a\nb\n', lineEnd: 'CR', mixedLineEnds: false })
    expect(decodeText(utf8(''))).toMatchObject({ text: '', lineEnd: 'LF', mixedLineEnds: false })
  })
})

describe('the bytes of a text', () => {
  it.each([
    utf8('plain\n'),
    utf8('\ufefföne\r\ntwo\r\n'),
    bytes(0xff, 0xfe, 0x3d, 0xd8, 0x4b, 0xdc, 0x0a, 0),
    bytes(0xfe, 0xff, 0, 0x61, 0, 0x0d, 0, 0x0a),
    Uint8Array.from({ length: 255 }, (_, index) => index + 1).filter((byte) => byte !== 0x0d),
  ])('are those of the file when nothing was changed', (content) => {
    const decoded = decodeText(content)
    expect(decoded && encodeText(decoded.text, decoded)).toEqual(content)
  })

  it('are undefined for characters that the encoding does not have', () => {
    const format: TextFormat = { encoding: 'Windows-1252', lineEnd: 'LF' }
    expect(encodeText('日本', format)).toBeUndefined()
  })
})
