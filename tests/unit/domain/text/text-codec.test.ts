import { describe, expect, it } from 'vitest'
import { ENCODINGS } from '../../../../src/domain/text/encodings.ts'
import { decodeLoosely, decodeText, encodeText, missingCharacter } from '../../../../src/domain/text/text-codec.ts'
import { bytesOf, ENCODED_TEXTS } from '../../../helpers/samples/encoded-texts.ts'

const hexOf = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString('hex')

describe('a text in an encoding', () => {
  it.each([
    ...ENCODED_TEXTS,
    ['euc-jp', 'これはテストです', 'a4b3a4eca4cfa5c6a5b9a5c8a4c7a4b9'],
    ['ibm437', 'Ärger/größe.txt', '8e726765722f677294e1652e747874'],
    ['ibm850', 'São Paulo', '53c66f205061756c6f'],
    ['ibm852', 'Žluťoučký kůň', 'a66c759c6f759f6bec206b85e5'],
  ] as const)('is read and written back in %s: %s', (encoding, text, hex) => {
    expect(decodeText(bytesOf(hex), encoding)).toBe(text)
    expect(hexOf(encodeText(text, encoding))).toBe(hex)
  })

  it('loses its byte order mark when read, and gets it back when written', () => {
    for (const [encoding, hex] of [
      ['utf-8-bom', 'efbbbf61'],
      ['utf-16le-bom', 'fffe6100'],
      ['utf-16be-bom', 'feff0061'],
    ] as const) {
      expect(decodeText(bytesOf(hex), encoding)).toBe('a')
      expect(hexOf(encodeText('a', encoding))).toBe(hex)
    }
    expect(hexOf(encodeText('a', 'utf-16le'))).toBe('6100')
  })

  it('keeps a second byte order mark, which is part of the text', () => {
    expect(decodeText(bytesOf('efbbbfefbbbf61'), 'utf-8-bom')).toBe('\ufeffa')
    expect(decodeText(bytesOf('efbbbf61'), 'utf-8')).toBe('\ufeffa')
  })

  it('is undefined for invalid bytes, which a loose reading replaces', () => {
    for (const [encoding, hex] of [
      ['utf-8', '61ff'],
      ['gbk', '61ff'],
      ['shift_jis', '61a0'],
      ['utf-16le', '610000d8'],
      ['windows-1253', '61d2'],
    ] as const) {
      expect(decodeText(bytesOf(hex), encoding)).toBeUndefined()
      expect(decodeLoosely(bytesOf(hex), encoding)).toBe('a\ufffd')
    }
  })

  it('is refused if the encoding lacks a character, which is named with its line', () => {
    expect(encodeText('ä\n€ – 👋', 'windows-1252')).toBeUndefined()
    expect(missingCharacter('ä\n€ – 👋', 'windows-1252')).toEqual({ character: '👋', line: 2 })
    expect(missingCharacter('표', 'shift_jis')).toEqual({ character: '표', line: 1 })
    expect(missingCharacter('é', 'gbk')).toBeUndefined()
    expect(missingCharacter('👋', 'gbk')).toEqual({ character: '👋', line: 1 })
    expect(missingCharacter('👋', 'gb18030')).toBeUndefined()
    expect(missingCharacter('Ł', 'ibm437')).toEqual({ character: 'Ł', line: 1 })
  })

  it.each(ENCODINGS)('of ASCII is read and written back in %s', (encoding) => {
    const text = 'The quick\r\nbrown \\ fox ~\t\n'
    const bytes = encodeText(text, encoding)
    expect(bytes && decodeText(bytes, encoding)).toBe(text)
  })

  it.each(ENCODINGS)('of no bytes is empty in %s', (encoding) => {
    expect(decodeText(new Uint8Array(), encoding)).toBe('')
  })
})
