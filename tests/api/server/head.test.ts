import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { AuditPage } from '../../../src/domain/server/audit.ts'
import { detailsOf, serveShared, shareOf, withPassword } from '../../helpers/api/shared.ts'
import { testApp, type Answer, type RequestExtras } from '../../helpers/api/test-app.ts'
import { quarters } from '../../helpers/samples/pictures.ts'

const PAGE = { 'index.html': '<html><head></head></html>', 'static/a-12345678.js': 'alert(1)' }

/** Status and headers without those that differ between any two replies, or state that a body is empty or has no known length. */
function headOf({ statusCode, headers }: Answer): object {
  const { date: _date, 'content-security-policy': _nonce, 'transfer-encoding': _chunked, ...rest } = headers
  return { ...rest, statusCode, 'content-length': rest['content-length'] === '0' ? undefined : rest['content-length'] }
}

async function serve() {
  const files = {
    'docs/a.txt': 'alpha',
    'docs/large.bin': randomBytes(3_000_000),
    'docs/picture.png': await quarters(40, 30).png().toBuffer(),
    'docs/a.srt': '1\n00:00:01,000 --> 00:00:02,000\nhello\n',
    ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`many/a long name number ${index}.txt`, ''])),
  }
  return await serveShared({ files, page: PAGE })
}

const RANGE: RequestExtras = { headers: { range: 'bytes=1-2' } }
const ADDRESSES: [url: string, extras?: RequestExtras][] = [
  ['/'],
  ['/files/docs/'],
  ['/share/none'],
  ['/static/a-12345678.js'],
  ['/static/none.js'],
  ['/health'],
  ['/api/raw'],
  ['/api/raw/docs/a.txt'],
  ['/api/raw/docs/a.txt?inline=true'],
  ['/api/raw/docs/large.bin'],
  ['/api/raw/docs/large.bin', RANGE],
  ['/api/raw/docs/large.bin', { headers: { range: 'bytes=9000000-' } }],
  ['/api/raw/docs/a.txt', { headers: { 'if-none-match': '*' } }],
  ['/api/raw/docs/a.txt', { headers: { 'if-match': '"other"' } }],
  ['/api/raw/docs/none'],
  ['/api/raw/docs?algo=tar'],
  ['/api/raw/docs?algo=targz'],
  ['/api/raw/docs?algo=rar'],
]

it.each(ADDRESSES)('HEAD %s is answered like GET, without the body', async (url, extras) => {
  const { server, ann } = await serve()
  await using _server = server
  const [got, asked] = [await ann.ask('GET', url, extras), await ann.ask('HEAD', url, extras)]
  expect(headOf(asked)).toEqual(headOf(got))
  expect(asked.body).toBe('')
})

it('HEAD over a connection has the length of a file and no body', async () => {
  await using server = await testApp({ files: { 'large.bin': Buffer.alloc(3_000_000) } })
  const { token } = await server.user('ann', { download: true })
  const headers = { 'x-auth': token, connection: 'close' }
  for (const range of [{}, { range: 'bytes=0-4' }, { range: 'bytes=0-4,8-9' }]) {
    const sent = { headers: { ...headers, ...range } }
    const asked = await server.askExactly('HEAD', '/api/raw/large.bin', sent)
    const got = await server.askExactly('GET', '/api/raw/large.bin', sent)
    expect([asked.statusCode, asked.headers['content-length'], asked.rawPayload.length]).toEqual([
      got.statusCode,
      got.headers['content-length'],
      0,
    ])
  }
})

it('HEAD of a zip is answered without looking for its content', async () => {
  const { server, ann } = await serve()
  await using _server = server
  const { headers } = await ann.ask('GET', '/api/raw/docs?algo=zip')
  const asked = await ann.ask('HEAD', '/api/raw/docs?algo=zip')
  expect(asked.statusCode).toBe(200)
  for (const name of ['content-type', 'content-disposition']) expect(asked.headers[name]).toBe(headers[name])
  expect(asked.headers['content-length']).toBeUndefined()
})

it('HEAD is not a download in the activity log', async () => {
  await using server = await testApp({ files: { 'large.bin': Buffer.alloc(30_000_000) } })
  const admin = await server.admin()
  expect((await admin.ask('HEAD', '/api/raw/large.bin')).statusCode).toBe(200)
  const { entries } = (await admin.ask('GET', '/api/audit?action=downloads.raw')).json<AuditPage>()
  expect(entries).toEqual([])
})

describe('HEAD of a public link', () => {
  it('is answered like GET', async () => {
    const { server, ann } = await serve()
    await using _server = server
    const { hash } = await shareOf(ann, '/docs')
    for (const rest of [
      `share/${hash}`,
      `share/${hash}/a.txt`,
      `dl/${hash}/a.txt`,
      `dl/${hash}/none`,
      `link/${hash}`,
      `preview/thumb/${hash}/picture.png`,
      `subtitle/${hash}/a.srt`,
      'dl/none',
    ]) {
      const [got, asked] = [
        await server.ask('GET', `/api/public/${rest}`),
        await server.ask('HEAD', `/api/public/${rest}`),
      ]
      expect([rest, headOf(asked), asked.body]).toEqual([rest, headOf(got), ''])
    }
  })

  it('counts neither as a visit nor as a download, and is refused once none are left', async () => {
    const { server, ann } = await serve()
    await using _server = server
    const share = await shareOf(ann, '/docs/a.txt', { terms: { maxDownloads: 1 } })
    const ask = async (method: 'GET' | 'HEAD', call = 'dl') =>
      (await server.ask(method, `/api/public/${call}/${share.hash}`)).statusCode
    for (const call of ['dl', 'dl', 'share', 'link']) expect(await ask('HEAD', call)).toBe(200)
    expect(await detailsOf(ann, share)).toMatchObject({ downloads: 0, openings: 0 })
    expect(await ask('GET')).toBe(200)
    expect([await ask('HEAD'), await ask('GET')]).toEqual([403, 403])
  })

  it('needs the password of the link', async () => {
    const { server, ann } = await serve()
    await using _server = server
    const { hash } = await shareOf(ann, '/docs', { password: 'open' })
    const url = `/api/public/dl/${hash}/a.txt`
    expect((await server.ask('HEAD', url)).statusCode).toBe(401)
    expect((await server.ask('HEAD', url, withPassword('open'))).statusCode).toBe(200)
  })
})

it.each(['/api/users', '/api/settings', '/api/resources/', '/api/search/?query=x'])(
  'HEAD %s is unknown',
  async (url) => {
    await using server = await testApp()
    const admin = await server.admin()
    expect((await admin.ask('HEAD', url)).statusCode).toBe(404)
  },
)
