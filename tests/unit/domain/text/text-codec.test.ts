import { describe, expect, it } from 'vitest'
import { ENCODINGS } from '../../../../src/domain/text/encodings.ts'
import { decodeLoosely, decodeText, encodeText, missingCharacter } from '../../../../src/domain/text/text-codec.ts'

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
const hexOf = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString('hex')

describe('a text in an encoding', () => {
  it.each([
    ['windows-1252', 'Größe: “5 €” – São, déjà vu', '4772f6df653a20933520809420962053e36f2c2064e96ae0207675'],
    ['windows-1250', 'Příliš žluťoučký kůň', '50f8ed6c699a209e6c759d6f75e86bfd206bf9f2'],
    ['windows-1251', 'Съешь же ещё булок', 'd1fae5f8fc20e6e520e5f9b820e1f3ebeeea'],
    ['koi8-r', 'Съешь же ещё булок', 'f3dfc5dbd820d6c520c5dda320c2d5cccfcb'],
    ['ibm866', 'Съешь же ещё булок', '91eaa5e8ec20a6a520a5e9f120a1e3abaeaa'],
    ['windows-1253', 'Καλημέρα κόσμε', 'cae1ebe7ecddf1e120eafcf3ece5'],
    ['windows-1254', 'İstanbul güneşli, çığ', 'dd7374616e62756c2067fc6e65fe6c692c20e7fdf0'],
    ['windows-1256', 'مرحبا بالعالم', 'e3d1cdc8c720c8c7e1dac7e1e3'],
    ['gbk', '数据库配置，测试', 'cafdbeddbfe2c5e4d6c3a3acb2e2cad4'],
    ['big5', '許功蓋的繁體中文', 'b35ca55cbb5caabac163c5e9a4a4a4e5'],
    ['shift_jis', '設定ソース表示テスト', '90dd92e8835c815b8358955c8ea6836583588367'],
    ['euc-jp', 'これはテストです', 'a4b3a4eca4cfa5c6a5b9a5c8a4c7a4b9'],
    ['euc-kr', '똠방각하 한국어 문서', '8c63b9e6b0a2c7cf20c7d1b1b9beee20b9aebcad'],
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
