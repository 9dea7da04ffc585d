import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Encoding } from '../../../../src/domain/text/encodings.ts'
import { decodeText, encodeText } from '../../../../src/domain/text/text-codec.ts'
import { encodingOf, likelyEncodings } from '../../../../src/platform/text/detect-encoding.ts'
import { bytesOf, ENCODED_TEXTS } from '../../../helpers/samples/encoded-texts.ts'

describe('the detected encoding', () => {
  it.each<readonly [encoding: string, text: string, hex: string]>([
    ...ENCODED_TEXTS,
    ['euc-jp', 'こんにちは世界。', 'a4b3a4f3a4cba4c1a4cfc0a4b3a6a1a3'],
    ['iso-8859-2', 'Zażółć gęślą jaźń', '5a61bff3b3e62067eab66cb1206a61bcf1'],
    ['windows-1252', 'café', '636166e9'],
    ['windows-1252', 'Jürgen', '4afc7267656e'],
    ['gbk', '测试', 'b2e2cad4'],
    ['windows-1252', 'nom;état Élève;payé Noël;dû', '6e6f6d3be974617420c96ce876653b706179e9204e6feb6c3b64fb'],
    ['windows-1252', 'garçon; élève; hôtel; naïf; dû', '676172e76f6e3b20e96ce876653b2068f474656c3b206e61ef663b2064fb'],
    ['windows-1252', 'Noël', '4e6feb6c'],
    ['windows-1252', 'Ærø, Århus', 'c672f82c20c572687573'],
    ['windows-1252', 'Það er gott veður í Reykjavík', 'de61f020657220676f7474207665f0757220ed205265796b6a6176ed6b'],
    ['windows-1254', 'Türkiye’nin başkenti', '54fc726b697965926e696e206261fe6b656e7469'],
    ['windows-1254', 'Ayşe Yıldız, Çağlar', '4179fe652059fd6c64fd7a2c20c761f06c6172'],
    ['windows-1257', 'gatvė Šiauliai Ąžuolų', '67617476eb20d06961756c69616920c0fe756f6cf8'],
  ])('of a text in %s: %s', async (encoding, _text, hex) => {
    expect(await encodingOf(bytesOf(hex))).toBe(encoding)
  })

  it.each([
    ['ibm437', 'Ärger/größe.txt', '8e726765722f677294e1652e747874'],
    ['ibm850', 'Ação/São Paulo.txt', '4187c66f2f53c66f205061756c6f2e747874'],
    ['ibm852', 'Žluťoučký kůň.doc', 'a66c759c6f759f6bec206b85e52e646f63'],
    ['ibm866', 'Новая папка/Отчёт.doc', '8daea2a0ef20afa0afaaa02f8ee2e7f1e22e646f63'],
    ['gbk', '尤里的陰謀.txt', 'd3c8c0efb5c4ea8ed65c2e747874'],
    ['gbk', '合同（最终版）.docx', 'bacfcdaca3a8d7eed6d5b0e6a3a92e646f6378'],
    ['shift_jis', '表示/予定.txt', '955c8ea62f975c92e82e747874'],
    ['shift_jis', '表.txt', '955c2e747874'],
    ['big5', '許功蓋.txt', 'b35ca55cbb5c2e747874'],
    ['euc-kr', '새 폴더/사진.jpg', 'bbf520c6fab4f52fbbe7c1f82e6a7067'],
  ])('of names in %s: %s', async (encoding, _text, hex) => {
    expect((await likelyEncodings(bytesOf(hex), 'names'))[0]).toBe(encoding)
  })

  it('is that of one name in a table of ASCII', async () => {
    const table = (name: string) =>
      `username,scope,locale,viewMode,admin,execute\nadmin,.,en,mosaic,true,false\n${name},./users/home,en,list,false,false\n`
    for (const [encoding, name] of [
      ['windows-1251', 'Константин'],
      ['windows-1253', 'Αλέξανδρος'],
      ['gbk', '数据库测试'],
      ['windows-1252', 'Jürgen'],
    ] as const)
      expect(await encodingOf(encodeText(table(name), encoding) ?? new Uint8Array())).toBe(encoding)
  })

  it('is GB 18030 only if a character needs it', async () => {
    const text = 'cafdbeddbfe2c5e4d6c3a3acb2e2cad4'
    expect(await encodingOf(bytesOf(`${text}9439d039`))).toBe('gb18030')
  })

  it('is one in which the whole text is valid, not only the sample', async () => {
    const text = 'cafdbeddbfe2c5e4d6c3a3acb2e2cad40a'.repeat(1500)
    expect(await encodingOf(bytesOf(text))).toBe('gbk')
    expect(await encodingOf(bytesOf(text + 'ff'.repeat(30_000)))).not.toBe('gbk')
  })

  it.each([
    ['gbk', 'cafdbeddbfe2c5e4d6c3a3acb2e2ca'],
    ['utf-8', 'e695b0e68daee5ba93e9858de7bdaeefbc8ce6b58be8af'],
    ['utf-8', 'e695b0e68daee5ba93ff0ae9858de7bdaeefbc8ce6b58be8af95'],
  ])('is still %s if a character is cut off or damaged', async (encoding, hex) => {
    expect(await encodingOf(bytesOf(hex))).toBe(encoding)
  })

  it('is found in a text that repeats a few words', async () => {
    const settings = '90dd92e883748340834383890a6e616d653d8365835883670a'
    for (const times of [1, 3, 500]) expect(await encodingOf(bytesOf(settings.repeat(times)))).toBe('shift_jis')
  })

  it('is Windows-1252 if the text is the same in others', async () => {
    expect(await encodingOf(bytesOf('636166e92073747261df65'))).toBe('windows-1252')
  })

  it('is found in a sample that begins and ends within a character', async () => {
    const text = bytesOf('cafdbeddbfe2c5e4d6c3a3acb2e2cad4'.repeat(20))
    expect((await likelyEncodings(text.subarray(0, -1), 'content'))[0]).toBe('gbk')
  })

  it('is Windows-1252, which accepts all bytes, if nothing is likely', async () => {
    expect(await encodingOf(Uint8Array.from({ length: 255 }, (_, byte) => byte + 1))).toBe('windows-1252')
    expect(await likelyEncodings(new Uint8Array(), 'names')).toEqual(['ibm437'])
  })

  it('takes no longer for hostile bytes', async () => {
    const endless = [0xff, 0x81, 0x30, 0x1b].map((byte) => new Uint8Array(4_000_000).fill(byte, 1))
    for (const bytes of endless) expect(await encodingOf(bytes)).toBeDefined()
  })
})

describe('the texts of the page', () => {
  it.each([
    ['ar', ['windows-1256']],
    ['cs', ['windows-1250']],
    ['de', ['windows-1252']],
    ['el', ['windows-1253']],
    ['fr', ['windows-1252']],
    ['he', ['windows-1255']],
    ['hu', ['windows-1250']],
    ['ja', ['shift_jis', 'euc-jp']],
    ['ko', ['euc-kr']],
    ['pl', ['windows-1250']],
    ['ru', ['windows-1251', 'koi8-r', 'ibm866']],
    ['tr', ['windows-1254']],
    ['uk', ['windows-1251', 'koi8-u']],
    ['zh-cn', ['gbk', 'gb18030']],
    ['zh-tw', ['big5']],
  ] as const)('in "%s" are read right, twenty at a time, in %s', async (language, encodings) => {
    for (const encoding of encodings) {
      const texts = textsOf(language, encoding)
      expect(texts.length).toBeGreaterThan(3)
      for (const text of texts) {
        const bytes = encodeText(text, encoding) ?? new Uint8Array()
        expect(decodeText(bytes, (await encodingOf(bytes)) as Encoding)).toBe(text)
      }
    }
  })
})

/** What the encoding holds, twenty lines in each text. */
function textsOf(language: string, encoding: Encoding): string[] {
  const file = new URL(`../../../../ui/src/i18n/catalogues/${language}.json`, import.meta.url)
  const lines = linesOf(JSON.parse(readFileSync(file, 'utf8'))).filter(
    (line) => encodeText(line, encoding) !== undefined,
  )
  return Array.from({ length: Math.min(20, Math.floor(lines.length / 20)) }, (_, index) =>
    lines.slice(index * 20, index * 20 + 20).join('\n'),
  )
}

function linesOf(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(value as object).flatMap(linesOf)
}
