import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { parseVirtualPath } from '../../src/domain/files/virtual-path.ts'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { storagePathOf } from '../../src/storage/storage.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { type Moto, startMoto } from '../helpers/cluster/moto.ts'
import { type S3Server, startS3Server } from '../helpers/cluster/s3-server.ts'
import { s3OfFile } from '../helpers/cluster/server-of-file.ts'
import { movableClock } from '../helpers/movable-clock.ts'

const LARGE = 8 * 1024 * 1024
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' }
const MEMBER = { create: true, modify: true, rename: true, delete: false, share: true, download: true }

/** Not `fetch`, which states its own Sec-Fetch-Mode. */
async function get(url: URL, headers: Record<string, string> = {}): Promise<Answer> {
  const [response] = (await once(request(url, { headers }).end(), 'response')) as [IncomingMessage]
  const body = await buffer(response)
  return { status: response.statusCode, headers: response.headers, body, location: response.headers.location }
}

interface Answer extends Pick<IncomingMessage, 'headers'> {
  readonly status: number | undefined
  readonly body: Buffer
  readonly location: string | undefined
}

const startServer = async (): Promise<S3Server | Moto> => await startS3Server()
const SERVERS = [
  { name: 'versitygw', start: startServer, isStrict: true },
  // Neither checks signatures nor sends the signed headers.
  { name: 'moto', start: startMoto, isStrict: false },
]

describe.each(SERVERS)('direct downloads from $name', ({ start, isStrict }) => {
  const server = s3OfFile(start)
  const bytes = randomBytes(LARGE + 1)

  async function world(args: readonly string[] = ['--s3-direct', server().env['AWS_ENDPOINT_URL'] ?? '']) {
    const root = `s3://${server().bucket}/${randomBytes(8).toString('hex')}`
    const daemon = await startTestDaemon({ root, env: server().env, args })
    const at = (path: string) => new URL(path, daemon.url)
    const change = async (method: string, path: string, body: BodyInit = '') => {
      const reply = await daemon.fetch(path, { method, body })
      expect(reply.status, await reply.clone().text()).toBeLessThan(300)
      return reply
    }
    const put = async (path: string, body = bytes) =>
      await change('POST', `api/resources/${path}`, new Uint8Array(body))
    const open = async (path: string, headers: Record<string, string> = {}) =>
      await get(at(path), { ...NAVIGATION, ...headers })
    const visit = async (path: string, headers: Record<string, string> = {}) =>
      await open(path, { cookie: `auth=${daemon.token}`, ...headers })
    return {
      daemon,
      at,
      change,
      put,
      open,
      visit,
      link: async (path: string, terms: object = {}) => {
        const reply = await change('POST', `api/share/${path}`, JSON.stringify({ terms }))
        return ((await reply.json()) as { hash: string }).hash
      },
      [Symbol.asyncDispose]: async () => await daemon[Symbol.asyncDispose](),
    }
  }

  it('gives a browser that follows a link the address of a large file, for a minute', async () => {
    await using here = await world()
    await here.put('dir/ü & b.bin')
    const { status, headers, location = '' } = await here.visit('api/raw/dir/%C3%BC%20%26%20b.bin')
    expect([status, headers['cache-control']]).toEqual([302, 'no-store'])
    const address = new URL(location)
    expect(address.origin).toBe(server().env['AWS_ENDPOINT_URL'])
    expect(address.searchParams.get('X-Amz-Expires')).toBe('60')
    const file = await get(address)
    expect(file.body.equals(bytes)).toBe(true)
    if (!isStrict) return
    expect(file.headers).toMatchObject({
      'content-disposition': `attachment; filename="u & b.bin"; filename*=utf-8''%C3%BC%20&%20b.bin`,
      'content-type': 'application/octet-stream',
      'cache-control': 'private, no-cache',
    })
  })

  it('gives it to visitors of a link, whose answers nobody keeps', async () => {
    await using here = await world()
    await here.put('a.bin')
    const hash = await here.link('a.bin')
    const { status, headers, location = '' } = await here.open(`api/public/dl/${hash}`)
    expect([status, headers['cache-control'], headers['referrer-policy']]).toEqual([302, 'no-store', 'no-referrer'])
    const file = await get(new URL(location))
    expect(file.body.equals(bytes)).toBe(true)
    if (isStrict) expect(file.headers['cache-control']).toBe('no-store')
  })

  it('sends the bytes itself to programs that do not ask for the address, and for parts and small files', async () => {
    await using here = await world()
    await here.put('a.bin')
    await here.put('small.bin', bytes.subarray(0, LARGE - 1))
    const { token } = here.daemon
    const whole = [200, LARGE + 1]
    const of = ({ status, body }: Answer) => [status, body.length]
    expect(of(await get(here.at('api/raw/a.bin'), { 'x-auth': token }))).toEqual(whole)
    expect(of(await here.visit('api/raw/a.bin', { 'x-auth': token }))).toEqual(whole)
    expect(of(await here.visit('api/raw/a.bin', { 'sec-fetch-mode': 'no-cors' }))).toEqual(whole)
    expect(of(await here.visit('api/raw/a.bin', { 'sec-fetch-dest': 'iframe' }))).toEqual(whole)
    expect(of(await here.visit('api/raw/a.bin', { range: 'bytes=5-9' }))).toEqual([206, 5])
    expect(of(await here.visit('api/raw/small.bin'))).toEqual([200, LARGE - 1])
    expect((await here.visit('api/raw/a.bin', { 'sec-fetch-dest': 'empty' })).status).toBe(302)
    const asked = await get(here.at('api/raw/a.bin?direct=true'), { 'x-auth': token })
    expect(asked.status).toBe(302)
    expect((await get(new URL(asked.location ?? ''))).body.equals(bytes)).toBe(true)
  })

  it('shows only types without scripts from the bucket', async () => {
    await using here = await world()
    await here.put('a.svg')
    await here.put('a.mp4')
    expect((await here.visit('api/raw/a.svg?inline=true')).status).toBe(200)
    const film = await here.visit('api/raw/a.mp4?inline=true')
    expect(film.status).toBe(302)
    if (!isStrict) return
    expect((await get(new URL(film.location ?? ''))).headers).toMatchObject({
      'content-disposition': `inline; filename="a.mp4"; filename*=utf-8''a.mp4`,
      'content-type': 'video/mp4',
    })
  })

  it('gives no address without the permission, by a rule or by a link that is over or counts', async () => {
    await using here = await world()
    await here.put('a.bin')
    await here.put('secret/a.bin')
    const join = async (username: string, perm: object) => {
      const data = { username, password: 'a long passphrase', scope: '/', perm: { admin: false, ...MEMBER, ...perm } }
      const sent = { what: 'user', which: [], current_password: here.daemon.password, data }
      await here.change('POST', 'api/users', JSON.stringify(sent))
      const login = JSON.stringify({ username, password: 'a long passphrase' })
      const reply = await fetch(here.at('api/login'), { method: 'POST', body: login })
      return { cookie: `auth=${await reply.text()}` }
    }
    const reader = await join('reader', { download: false, share: false })
    const refused = await here.open('api/raw/a.bin?direct=true', reader)
    expect([refused.status, refused.location]).toEqual([202, undefined])
    await here.change('PUT', 'api/settings', await withRule(here.daemon))
    const member = await join('member', {})
    expect((await here.open('api/raw/a.bin', member)).status).toBe(302)
    expect((await here.open('api/raw/secret/a.bin', member)).status).toBe(403)
    const counted = await here.link('a.bin', { maxDownloads: 1 })
    const first = await here.open(`api/public/dl/${counted}?direct=true`)
    expect([first.status, first.body.length]).toEqual([200, LARGE + 1])
    expect((await here.open(`api/public/dl/${counted}?direct=true`)).status).toBe(403)
    const viewed = await here.link('a.bin', { allows: 'view' })
    expect((await here.open(`api/public/dl/${viewed}?direct=true`)).status).toBe(403)
    const ended = await here.link('a.bin')
    await here.change('DELETE', `api/share/${ended}`)
    expect((await here.open(`api/public/dl/${ended}?direct=true`)).status).toBe(404)
  })

  it('is off unless an address is given', async () => {
    await using here = await world([])
    await here.put('a.bin')
    expect((await here.visit('api/raw/a.bin?direct=true')).status).toBe(200)
  })
})

describe('signed addresses', () => {
  const server = s3OfFile(startS3Server)

  it('are refused by the server when they are old or changed', async () => {
    const clock = movableClock(Date.now())
    const direct = server().env['AWS_ENDPOINT_URL']
    await using storage = openS3Storage({ bucket: server().bucket, prefix: 'old/' }, { direct, clock })
    using scope = await storage.openScope(storagePathOf(parseVirtualPath('/')), 'inside')
    const path = parseVirtualPath('/a.txt')
    await scope.write(path, Readable.from([Buffer.from('a')]), { replace: true, fileMode: 0o640, folderMode: 0o750 })
    await using file = await scope.open(path)
    const sign = async () =>
      new URL((await file.direct?.({ type: 'text/plain', disposition: 'inline', cacheControl: 'no-store' })) ?? '')
    const address = await sign()
    expect((await get(address)).status).toBe(200)
    address.searchParams.set('response-content-type', 'text/html')
    expect((await get(address)).status).toBe(403)
    clock.move(-61_000)
    expect((await get(await sign())).status).toBe(403)
  })
})

async function withRule(daemon: TestDaemon): Promise<string> {
  const settings = (await (await daemon.fetch('api/settings')).json()) as object
  const rules = [{ allow: false, regex: false, path: '/secret', regexp: { raw: '' } }]
  return JSON.stringify({ ...settings, rules })
}

it('--s3-direct without a bucket, or with no address, is refused before the start', async () => {
  const start = async (root: string, address: string) => {
    const { code, stderr } = await runCli(['serve', root, '--ephemeral', '--port', '0', '--s3-direct', address])
    return { code, lines: stderr.trimEnd().split('\n') }
  }
  const folder = await start('.', 'https://s3.example.org')
  expect(folder).toMatchObject({ code: 2, lines: [expect.stringContaining('--s3-direct is only for a bucket')] })
  expect(await start('s3://files', 's3.example.org')).toMatchObject({ code: 2 })
})
