import { describe, expect, it } from 'vitest'
import type { Resource } from '../../../src/domain/files/resource.ts'
import type { Encoding } from '../../../src/domain/text/encodings.ts'
import { encodingSample } from '../../../src/domain/text/proven-encoding.ts'
import { encodeText } from '../../../src/domain/text/text-codec.ts'
import { testApp } from '../../helpers/api/test-app.ts'

const encoded = (text: string, encoding: Encoding): Buffer => Buffer.from(encodeText(text, encoding) ?? [])

const TEXTS: readonly (readonly [Encoding, string])[] = [
  ['windows-1252', 'Élève à Noël – œuf'],
  ['windows-1250', 'název=čeština'],
  ['windows-1251', 'Привет, как дела'],
  ['koi8-r', 'настройки и имя'],
  ['gbk', '测试'],
  ['big5', '資料庫設定檔案'],
  ['shift_jis', 'こんにちは世界'],
  ['euc-kr', '한국어 설정 파일'],
  ['utf-16le', 'größe 1'],
  ['utf-16be-bom', 'größe 1'],
]

describe('the content of a file', () => {
  it.each(TEXTS)('in %s is what its author wrote', async (encoding, text) => {
    const bytes = encoded(text, encoding)
    // The second name promises no text, so that its bytes decide.
    await using server = await testApp({ files: { 'a.txt': bytes, 'a.json': bytes } })
    const ann = await server.user('ann', { download: true, modify: true })
    for (const name of ['a.txt', 'a.json']) {
      const answer = await ann.ask('GET', `/api/resources/${name}`)
      expect(answer.json()).toMatchObject({ type: 'text', content: text, encoding })
    }
    const listing = (await ann.ask('GET', '/api/resources/')).json<{ items: { type: string }[] }>()
    expect(listing.items.map(({ type }) => type)).toEqual(['text', 'text'])
  })

  it('in UTF-8 names no encoding, and keeps its byte order mark for editors that know no other', async () => {
    await using server = await testApp({
      files: { 'a.txt': 'größe', 'b.txt': '\ufeffgröße', 'c.txt': 'a plain text\0, broken' },
    })
    const ann = await server.user('ann', { download: true })
    for (const [name, content] of Object.entries({ a: 'größe', b: '\ufeffgröße', c: 'a plain text\0, broken' })) {
      const answer = (await ann.ask('GET', `/api/resources/${name}.txt`)).json<Resource>()
      expect([answer.content, answer.encoding]).toEqual([content, undefined])
    }
  })

  it('of ten megabytes blocks nobody else', async () => {
    const line = encoded('数据库配置，测试\n', 'gbk')
    const bytes = Buffer.alloc(10_485_760, line)
    await using server = await testApp({ files: { 'large.txt': bytes, 'small.txt': 'small' } })
    const ann = await server.user('ann', { download: true })
    const large = ann.ask('GET', '/api/resources/large.txt')
    expect((await ann.ask('GET', '/api/resources/small.txt')).json()).toMatchObject({ content: 'small' })
    const { content = '' } = (await large).json<{ content?: string }>()
    expect(content.startsWith('数据库配置，测试\n')).toBe(true)
  })
})

describe('the likely encodings of a sample', () => {
  const sampleOf = (bytes: Uint8Array) =>
    JSON.stringify({ sample: Buffer.from(encodingSample(bytes)).toString('base64') })

  it('are told to anyone, the likeliest first', async () => {
    await using server = await testApp()
    const payload = sampleOf(encoded('настройки и имя\n'.repeat(5000), 'koi8-r'))
    const answer = await server.ask('POST', '/api/encodings', { payload })
    const { encodings } = answer.json<{ encodings: Encoding[] }>()
    expect([answer.statusCode, encodings[0], encodings.at(-1)]).toEqual([200, 'koi8-r', 'windows-1252'])
  })

  it.each([
    ['too long', JSON.stringify({ sample: 'A'.repeat(30_000) })],
    ['not base64', JSON.stringify({ sample: '<>' })],
    ['missing', '{}'],
  ])('are refused if it is %s', async (_what, payload) => {
    await using server = await testApp()
    expect((await server.ask('POST', '/api/encodings', { payload })).statusCode).toBe(400)
  })

  it('are answered to others while one address asks for more than it gets', async () => {
    await using server = await testApp()
    const payload = sampleOf(Uint8Array.from({ length: 16_384 }, (_, index) => 0x80 + ((index * 7) % 127)))
    const answers = await Promise.all(
      Array.from({ length: 200 }, async () => (await server.ask('POST', '/api/encodings', { payload })).statusCode),
    )
    expect(answers).toContain(200)
    expect(answers).toContain(503)
    expect(new Set(answers)).toEqual(new Set([200, 503]))
    const payloadOfOther = sampleOf(encoded('测试', 'gbk'))
    expect((await server.ask('POST', '/api/encodings', { payload: payloadOfOther })).statusCode).toBe(200)
  })
})
