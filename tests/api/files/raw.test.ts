import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { truncate, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { AuditPage } from '../../../src/domain/server/audit.ts'
import { openRequest } from '../../helpers/api/open-request.ts'
import { testApp, type TestApp } from '../../helpers/api/test-app.ts'

const run = promisify(execFile)
const MODIFIED = new Date('2024-01-02T03:05:05Z')
const LAST_MODIFIED = 'Tue, 02 Jan 2024 03:05:05 GMT'

async function serve(): Promise<TestApp> {
  const server = await testApp({
    files: { 'hello.txt': 'Hello, world!\n', 'a.svg': '<svg/>', 'a.js': 'alert(1)', 'dir/a.txt': '', 'empty.txt': '' },
  })
  await utimes(join(server.root, 'hello.txt'), MODIFIED, MODIFIED)
  return server
}

describe('GET /api/raw of a file', () => {
  it('sends it as a download of unknown type', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const { statusCode, headers, body } = await ann.ask('GET', '/api/raw/hello.txt')
    expect([statusCode, body]).toEqual([200, 'Hello, world!\n'])
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="hello.txt"; filename*=utf-8''hello.txt`,
      'content-length': '14',
      'accept-ranges': 'bytes',
      'last-modified': LAST_MODIFIED,
      'cache-control': 'private, no-cache',
      'cross-origin-resource-policy': 'same-origin',
    })
  })

  it('sends a large file whole or as a range, with the same headers and one line in the activity log', async () => {
    const large = randomBytes(5_000_000)
    await using server = await testApp({ files: { 'large.bin': large } })
    const { token } = await server.user('ann', { download: true })
    const headers = { 'x-auth': token, connection: 'close' }
    const whole = await server.askExactly('GET', '/api/raw/large.bin', { headers })
    expect([whole.statusCode, whole.headers['content-length']]).toEqual([200, '5000000'])
    expect(whole.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'accept-ranges': 'bytes' })
    expect(whole.rawPayload.equals(large)).toBe(true)
    const range = { headers: { ...headers, range: 'bytes=100000-4200000' } }
    const part = await server.askExactly('GET', '/api/raw/large.bin', range)
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, 'bytes 100000-4200000/5000000'])
    expect(part.rawPayload.equals(large.subarray(100_000, 4_200_001))).toBe(true)
    const admin = await server.admin()
    const { entries } = (await admin.ask('GET', '/api/audit?action=downloads.raw')).json<AuditPage>()
    expect(entries).toMatchObject([{ target: '/large.bin', outcome: 'done' }])
  })

  it('cuts the connection when the file shrinks meanwhile, so that nobody takes it for complete', async () => {
    await using server = await testApp({ files: { 'large.bin': Buffer.alloc(20_000_000) } })
    const ann = await server.user('ann', { download: true })
    using download = await openRequest(server.app, ann, 'GET', '/api/raw/large.bin')
    const answer = await download.answer
    await truncate(join(server.root, 'large.bin'), 10)
    answer.on('error', () => undefined).resume()
    expect(await download.ended).toBe(false)
    const failure = { level: 'error', message: 'a reply was cut off', facts: { operation: 'downloads.raw' } }
    await expect.poll(() => server.log.filter(({ level }) => level === 'error')).toMatchObject([failure])
  })

  it('logs no error when a client goes away in the middle', async () => {
    await using server = await testApp({ files: { 'large.bin': Buffer.alloc(20_000_000) } })
    const ann = await server.user('ann', { download: true })
    {
      using download = await openRequest(server.app, ann, 'GET', '/api/raw/large.bin')
      await download.answer
    }
    const connections = promisify(server.app.server.getConnections.bind(server.app.server))
    await expect.poll(async () => await connections()).toBe(0)
    expect(server.log.filter(({ level }) => level === 'error')).toEqual([])
  })

  it('shows it in the browser when asked', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const { headers } = await ann.ask('GET', '/api/raw/hello.txt?inline=true')
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `inline; filename="hello.txt"; filename*=utf-8''hello.txt`,
      'content-security-policy': "script-src 'none'; frame-ancestors 'self'",
      'x-frame-options': 'SAMEORIGIN',
    })
  })

  it('CVE-2021-37794: gives an SVG no scripts and no origin', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const { headers } = await ann.ask('GET', '/api/raw/a.svg?inline=true')
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it('never sends the content type of a script', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    expect((await ann.ask('GET', '/api/raw/a.js?inline=true')).headers['content-type']).toBe(
      'text/plain; charset=utf-8',
    )
  })

  it('sends files that are too large to be read at once', async () => {
    await using server = await testApp({ files: { big: Buffer.alloc(3_000_000, 'x') } })
    const ann = await server.user('ann', { download: true })
    const answer = await ann.ask('GET', '/api/raw/big')
    expect(answer.rawPayload.equals(Buffer.alloc(3_000_000, 'x'))).toBe(true)
    const part = await ann.ask('GET', '/api/raw/big', { headers: { range: 'bytes=2999990-' } })
    expect([part.statusCode, part.body]).toEqual([206, 'x'.repeat(10)])
  })

  it('answers 202 without the permission, also for missing files', async () => {
    await using server = await serve()
    const ann = await server.user('ann')
    for (const url of ['/api/raw/hello.txt', '/api/raw/none']) {
      const answer = await ann.ask('GET', url)
      expect([answer.statusCode, answer.body]).toEqual([202, '202 Accepted\n'])
    }
  })

  it('answers 404 for a missing file', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    expect((await ann.ask('GET', '/api/raw/none')).statusCode).toBe(404)
  })

  it('refuses a pipe at once instead of waiting for what comes out of it', async () => {
    await using server = await serve()
    await run('mkfifo', [join(server.root, 'pipe')])
    const ann = await server.user('ann', { download: true })
    expect((await ann.ask('GET', '/api/raw/pipe')).statusCode).toBe(403)
    expect((await ann.ask('GET', '/api/resources/pipe?checksum=md5')).statusCode).toBe(403)
  })
})

describe('ranges', () => {
  it.each([
    ['bytes=0-4', 'bytes 0-4/14', 'Hello'],
    ['bytes=7-', 'bytes 7-13/14', 'world!\n'],
    ['bytes=-2', 'bytes 12-13/14', '!\n'],
  ])('%s', async (range, contentRange, body) => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const answer = await ann.ask('GET', '/api/raw/hello.txt', { headers: { range } })
    expect([answer.statusCode, answer.headers['content-range'], answer.body]).toEqual([206, contentRange, body])
  })

  it('come as multipart when there are several', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const answer = await ann.ask('GET', '/api/raw/hello.txt?inline=true', { headers: { range: 'bytes=0-1,4-5' } })
    expect(answer.statusCode).toBe(206)
    expect(answer.headers['content-type']).toMatch(/^multipart\/byteranges; boundary=[0-9a-f]{60}$/)
    expect(answer.body).toContain(
      'Content-Range: bytes 4-5/14\r\nContent-Type: text/plain; charset=utf-8\r\n\r\no,\r\n',
    )
    expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length)
  })

  it.each([
    ['bytes=99-', 'bytes */14', 'invalid range: failed to overlap\n'],
    ['lines=1-2', undefined, 'invalid range\n'],
  ])('%s are refused', async (range, contentRange, body) => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const answer = await ann.ask('GET', '/api/raw/hello.txt', { headers: { range } })
    expect([answer.statusCode, answer.headers['content-range'], answer.body]).toEqual([416, contentRange, body])
    expect(answer.headers).not.toHaveProperty('accept-ranges')
  })

  it('are ignored when the file has changed', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const ask = async (ifRange: string) =>
      (await ann.ask('GET', '/api/raw/hello.txt', { headers: { range: 'bytes=0-1', 'if-range': ifRange } })).statusCode
    expect(await ask(LAST_MODIFIED)).toBe(206)
    expect(await ask('"other"')).toBe(200)
  })

  it('of an empty file give the empty file', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const answer = await ann.ask('GET', '/api/raw/empty.txt', { headers: { range: 'bytes=0-4' } })
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
  })
})

describe('conditions', () => {
  it('avoid sending a file that the client already has', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const etag = String((await ann.ask('GET', '/api/raw/hello.txt')).headers.etag)
    for (const headers of [
      { 'if-modified-since': LAST_MODIFIED },
      { 'if-none-match': etag },
      { 'if-none-match': '*' },
    ]) {
      const answer = await ann.ask('GET', '/api/raw/hello.txt', { headers })
      expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([304, '', undefined])
    }
  })

  it('refuse a file that has changed since', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const headers = { 'if-unmodified-since': 'Mon, 01 Jan 2024 00:00:00 GMT' }
    expect((await ann.ask('GET', '/api/raw/hello.txt', { headers })).statusCode).toBe(412)
  })
})
