import { readFile, readdir } from 'node:fs/promises'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { PAGE_HEADER } from '../../../src/domain/page-contract.ts'
import { openTerminal } from '../../helpers/api/open-terminal.ts'
import { shareOf } from '../../helpers/api/shared.ts'
import { type RequestExtras, testApp, type TestApp } from '../../helpers/api/test-app.ts'

const EVERYTHING = { create: true, modify: true, delete: true, share: true, download: true, execute: true }
const PAGE = {
  'index.html': '<html lang="en"><head></head><script type="application/json" id="filemgr-config"></script></html>',
}
const PART = { 'content-type': 'application/offset+octet-stream' }
const inMetadata = (key: string, value: string) => `${key} ${Buffer.from(value).toString('base64')}`

async function listening({ app }: TestApp): Promise<number> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

/** The reply to a request whose target is sent as it is. */
async function rawReply(server: TestApp, target: string, headers: readonly string[] = ['host: localhost']) {
  const socket = connect(await listening(server), '127.0.0.1')
  socket.write(`GET ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\nconnection: close\r\n\r\n`)
  return await text(socket)
}

describe('a server with a base URL', () => {
  const serve = async () => {
    const server = await testApp({
      files: { 'a.txt': 'a' },
      page: PAGE,
      options: { baseURL: '/fb', enableExec: true },
    })
    return { server, bob: await server.user('bob', EVERYTHING, { commands: ['echo'] }) }
  }

  it.each(['/health', '/health/live', '/health/ready', '/api/resources/', '/api/raw/a.txt', '/', '/files/', '/login'])(
    'answers %s with and without its prefix',
    async (address) => {
      const { server, bob } = await serve()
      await using _server = server
      for (const url of [address, `/fb${address}`]) expect((await bob.ask('GET', url)).statusCode).toBe(200)
      expect((await server.ask('GET', `/fbx${address}`)).statusCode).not.toBe(500)
    },
  )

  it('keeps the prefix in redirects, addresses of uploads and of jobs, cookies and the page', async () => {
    const { server, bob } = await serve()
    await using _server = server
    expect((await bob.ask('GET', '/api/raw')).headers.location).toBe('/fb/api/raw/')
    expect((await bob.ask('GET', '/api//raw/a.txt')).headers.location).toBe('/fb/api/raw/a.txt')
    const begun = await bob.ask('POST', '/api/tus/new.bin', { headers: { 'upload-length': '3' } })
    expect([begun.statusCode, begun.headers.location]).toEqual([201, '/fb/api/tus/new.bin'])
    expect((await server.ask('GET', '/')).body).toContain('"BaseURL":"/fb"')
    const payload = JSON.stringify({ username: 'bob', password: 'correct horse battery staple' })
    const signedIn = await server.ask('POST', '/api/login', { payload, headers: { [PAGE_HEADER]: '1' } })
    expect(String(signedIn.headers['set-cookie'])).toContain('Path=/fb')
  })

  it('guards addresses without the prefix as those with it', async () => {
    const { server, bob } = await serve()
    await using _server = server
    const { hash } = await shareOf({ token: bob.token, ask: bob.ask }, '/a.txt', { password: 'of the link' })
    for (const base of ['', '/fb']) {
      expect((await server.ask('GET', `${base}/api/resources/`)).statusCode).toBe(401)
      expect((await server.ask('GET', `${base}/api/settings`)).statusCode).toBe(401)
      expect((await server.ask('GET', `${base}/api/public/dl/${hash}`)).statusCode).toBe(401)
      expect((await server.ask('POST', `${base}/api/public/share/${hash}`)).statusCode).toBe(405)
    }
  })

  it('opens terminals under both', async () => {
    const { server, bob } = await serve()
    await using _server = server
    const port = await listening(server)
    for (const base of ['', 'fb/']) {
      const terminal = await openTerminal(new URL(`http://127.0.0.1:${port}/${base}`), {
        headers: { 'x-auth': bob.token },
      })
      terminal.socket.send('echo hi')
      expect((await terminal.ended).lines).toEqual(['hi'])
    }
  })
})

describe('an absolute target', () => {
  it('is the path at its host', async () => {
    await using server = await testApp()
    expect(await rawReply(server, 'http://localhost/health/live')).toMatch(/^HTTP\/1.1 200 /)
    expect(await rawReply(server, 'HTTP://localhost/api/settings')).toMatch(/^HTTP\/1.1 401 /)
    expect(await rawReply(server, 'http://localhost')).toMatch(/^HTTP\/1.1 (200|503) /)
    expect(await rawReply(server, 'http://localhost/api/../api/settings')).toMatch(/location: \/api\/settings/i)
  })

  it('cannot hide a foreign host name where nobody signs in', async () => {
    await using server = await testApp({ options: { noAuth: true } })
    expect(await rawReply(server, 'http://evil.example/api/settings')).toMatch(/^HTTP\/1.1 421 /)
    expect(await rawReply(server, 'http://localhost/api/settings', ['host: evil.example'])).toMatch(/^HTTP\/1.1 401 /)
  })
})

it('the hash of a link may follow "/api/share" at once', async () => {
  await using server = await testApp({ files: { 'a.txt': 'a' } })
  const bob = await server.user('bob', EVERYTHING)
  const { hash } = await shareOf(bob, '/a.txt')
  expect((await bob.ask('DELETE', `/api/share${hash}`)).statusCode).toBe(200)
  expect((await bob.ask('GET', '/api/shares')).statusCode).toBe(200)
  expect((await server.ask('GET', `/api/public/share/${hash}`)).statusCode).toBe(404)
})

describe('tus', () => {
  it('takes the method from a header, for uploads only', async () => {
    await using server = await testApp({ files: { 'old.txt': 'old' } })
    const bob = await server.user('bob', EVERYTHING)
    await bob.ask('POST', '/api/tus/new.txt', { headers: { 'upload-length': '3' } })
    const as = (method: string) => ({ 'x-http-method-override': method })
    const headers = { ...PART, 'upload-offset': '0', ...as('PATCH') }
    const own = { 'x-auth': bob.token }
    const override = async (url: string, extras: RequestExtras) =>
      (await server.askExactly('POST', url, { ...extras, headers: { ...own, ...extras.headers } })).statusCode
    expect(await override('/api/tus/new.txt', { headers, payload: 'new' })).toBe(204)
    expect(await readFile(join(server.root, 'new.txt'), 'utf8')).toBe('new')
    await bob.ask('POST', '/api/tus/gone.txt', { headers: { 'upload-length': '3' } })
    expect(await override('/api/tus/gone.txt', { headers: as('delete') })).toBe(204)
    expect(await override('/api/resources/old.txt', { headers: as('DELETE') })).toBe(409)
    expect((await bob.ask('GET', '/api/tus/new.txt', { headers: as('DELETE') })).statusCode).not.toBe(204)
    expect((await readdir(server.root)).toSorted()).toEqual(['new.txt', 'old.txt'])
  })

  it('refuses another version, and names its own', async () => {
    await using server = await testApp()
    const bob = await server.user('bob', EVERYTHING)
    const headers = { 'upload-length': '3', 'tus-resumable': '0.2.2' }
    const answer = await bob.ask('POST', '/api/tus/a', { headers })
    expect([answer.statusCode, answer.headers['tus-version']]).toEqual([412, '1.0.0'])
    expect(
      (await bob.ask('POST', '/api/tus/a', { headers: { ...headers, 'tus-resumable': '1.0.0' } })).statusCode,
    ).toBe(201)
    expect((await bob.ask('HEAD', '/api/tus/a', { headers })).statusCode).toBe(412)
    expect((await bob.ask('PATCH', '/api/tus/a', { headers: { ...headers, ...PART } })).statusCode).toBe(412)
    expect((await bob.ask('DELETE', '/api/tus/a', { headers })).statusCode).toBe(412)
  })

  it('takes the name of the file from the metadata where the address is that of a folder', async () => {
    await using server = await testApp({ files: { 'docs/': '' } })
    const bob = await server.user('bob', EVERYTHING)
    const headers = { 'upload-length': '0', 'upload-metadata': inMetadata('filename', 'a ü.txt') }
    const begun = await bob.ask('POST', '/api/tus/docs/', { headers })
    expect([begun.statusCode, begun.headers.location]).toEqual([201, '/api/tus/docs/a%20%C3%BC.txt'])
    expect(await readdir(join(server.root, 'docs'))).toEqual(['a ü.txt'])
    const outside = { ...headers, 'upload-metadata': inMetadata('filename', '../b.txt') }
    expect((await bob.ask('POST', '/api/tus/docs/', { headers: outside })).statusCode).toBe(400)
    expect((await bob.ask('POST', '/api/tus/docs/', { headers: { 'upload-length': '0' } })).statusCode).toBe(400)
  })

  it.each(['', '/'])('does so by a link, sent to its hash and "%s"', async (end) => {
    await using server = await testApp({ files: { 'docs/': '' } })
    const bob = await server.user('bob', EVERYTHING)
    const { hash } = await shareOf(bob, '/docs', { terms: { allows: 'upload' } })
    const headers = { 'upload-length': '3', 'upload-metadata': inMetadata('filename', 'a.txt') }
    const begun = await server.ask('POST', `/api/public/tus/${hash}${end}`, { headers })
    expect(begun.statusCode).toBe(201)
    const part = { payload: 'abc', headers: { ...PART, 'upload-offset': '0' } }
    expect((await server.ask('PATCH', String(begun.headers.location), part)).statusCode).toBe(204)
    expect(await readFile(join(server.root, 'docs/a.txt'), 'utf8')).toBe('abc')
  })
})

describe('401', () => {
  const challengeOf = async (server: TestApp, url: string, headers: Readonly<Record<string, string>> = {}) =>
    (await server.ask('GET', url, { headers })).headers['www-authenticate']

  it('says how programs can authenticate, and opens no window in browsers', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    const bob = await server.user('bob', EVERYTHING)
    const { hash } = await shareOf(bob, '/a.txt', { password: 'of the link' })
    expect(await challengeOf(server, '/api/raw/a.txt')).toMatch(/^Basic .*, Bearer /)
    expect(await challengeOf(server, `/api/public/dl/${hash}`)).toMatch(/^Basic /)
    for (const url of ['/api/raw/a.txt', `/api/public/dl/${hash}`])
      expect(await challengeOf(server, url, { 'accept-language': 'de' })).toBeUndefined()
    expect(await challengeOf(server, '/api/raw/a.txt', { 'x-auth': 'a.b.c' })).toBeUndefined()
  })

  it('takes no password of a link from what a browser sends to a proxy', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    const bob = await server.user('bob', EVERYTHING)
    const { hash } = await shareOf(bob, '/a.txt', { password: 'of the link' })
    const headers = { authorization: `Basic ${Buffer.from('ann:secret').toString('base64')}`, 'accept-language': 'de' }
    for (let tries = 0; tries < 20; tries += 1)
      expect((await server.ask('GET', `/api/public/dl/${hash}`, { headers })).statusCode).toBe(401)
  })
})

describe('a form', () => {
  it.each([
    ['POST', '/api/resources/new.txt'],
    ['POST', '/api/resources/new.txt?override=true'],
    ['PUT', '/api/resources/old.txt'],
    ['POST', '/api/tus/new.txt'],
  ] as const)('is refused by %s %s, which takes the bytes of a file', async (method, url) => {
    await using server = await testApp({ files: { 'old.txt': 'old' } })
    const bob = await server.user('bob', EVERYTHING)
    const payload = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nbytes\r\n--b--\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=b', 'upload-length': '3' }
    const answer = await bob.ask(method, url, { payload, headers })
    expect([answer.statusCode, answer.body]).toEqual([415, expect.stringContaining('/api/upload') as string])
    expect(await readdir(server.root)).toEqual(['old.txt'])
    expect(await readFile(join(server.root, 'old.txt'), 'utf8')).toBe('old')
  })
})
