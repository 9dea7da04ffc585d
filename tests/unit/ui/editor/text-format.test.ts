import { describe, expect, it } from 'vitest'
import { type Encoding, ENCODINGS } from '../../../../src/domain/text/encodings.ts'
import { encodeText } from '../../../../src/domain/text/text-codec.ts'
import { readText, writeText } from '../../../../ui/src/api/text-file.ts'
import { decodedText, encodeOrAsk } from '../../../../ui/src/editor/saving/text-format.ts'
import { detectingClient } from '../../../helpers/unit/detecting-client.ts'

const client = detectingClient()

const never = async (): Promise<never> => await Promise.reject(new Error('nothing must be asked'))

const encoded = (text: string, encoding: Encoding): Uint8Array<ArrayBuffer> =>
  encodeText(text, encoding) ?? new Uint8Array()

describe('the text of a file', () => {
  it.each<[Encoding, string, string]>([
    ['gbk', '数据库配置\r\nname=测试\r\n', '新'],
    ['shift_jis', '設定\nname=テスト\n', '新'],
    ['koi8-r', 'настройки\nимя=тест\n', 'я'],
    ['windows-1250', 'název=čeština\n', 'ž'],
    ['windows-1252', 'größe=groß\nprix=3 €\n', 'é'],
    ['utf-16le-bom', 'größe\r\n', '新'],
    ['utf-16be', 'größe\n', '新'],
    ['utf-8-bom', 'größe\n', '新'],
  ])('in %s is written back in it with a new letter', async (encoding, source, letter) => {
    const bytes = encoded(source, encoding)
    const found = await readText(client, bytes)
    expect(found).toEqual({ text: source, encoding, isExact: true })
    if (found === undefined) return
    const opened = decodedText(bytes, found)
    const question = { name: 'a', format: opened, source: opened.source }
    expect((await encodeOrAsk(never, { ...question, text: opened.text }))?.bytes).toEqual(bytes)
    const changed = await encodeOrAsk(never, { ...question, text: `${letter}${opened.text}` })
    expect(changed?.bytes).toEqual(encoded(`${letter}${source}`, encoding))
  })

  it('of all bytes is written back as it was, or said to be inexact, in every encoding', async () => {
    const bytes = Uint8Array.from({ length: 256 * 257 }, (_, index) => (index % 2 === 0 ? index / 2 : index / 512))
    for (const encoding of ENCODINGS) {
      const found = await readText(client, bytes, encoding)
      const written = found && (await writeText(found.text, encoding))
      expect(written !== undefined && Buffer.compare(written, bytes) === 0, encoding).toBe(found?.isExact)
    }
  })

  it('that is binary is none', async () => {
    expect(await readText(client, Uint8Array.from([0, 1, 2, 0, 0, 255]))).toBeUndefined()
  })

  it('is not exact if it is cut off or damaged', async () => {
    const whole = encoded('数据库配置，测试', 'gbk')
    expect(await readText(client, whole.subarray(0, -1))).toMatchObject({ encoding: 'gbk', isExact: false })
    const utf8 = new TextEncoder().encode('数据库配置，测试')
    expect(await readText(client, utf8.subarray(0, -1))).toMatchObject({ encoding: 'utf-8', isExact: false })
  })
})

describe('a character that the encoding lacks', () => {
  const format = { encoding: 'windows-1252', lineEnd: 'LF' } as const

  it('is named with its line, and the text written in the encoding that the person chooses', async () => {
    const asked: unknown[] = []
    const ask = (async (_component: unknown, question: unknown) => {
      asked.push(question)
      return await Promise.resolve('utf-8')
    }) as never
    const written = await encodeOrAsk(ask, { name: 'a.txt', text: 'é\nx日本', format, source: '' })
    expect(asked).toEqual([{ name: 'a.txt', encoding: 'windows-1252', character: '日', line: 2 }])
    expect(written).toMatchObject({ bytes: new TextEncoder().encode('é\nx日本'), format: { encoding: 'utf-8' } })
  })

  it('leaves nothing to write if the person chooses none', async () => {
    const ask = (async () => await Promise.resolve(undefined)) as never
    expect(await encodeOrAsk(ask, { name: 'a.txt', text: '日', format, source: '' })).toBeUndefined()
  })
})
