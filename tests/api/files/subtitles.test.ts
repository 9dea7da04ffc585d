import { execFile } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { encodeText } from '../../../src/domain/text/text-codec.ts'
import { serveShared, shareOf, withPassword } from '../../helpers/api/shared.ts'
import { testApp, type TestApp } from '../../helpers/api/test-app.ts'

const run = promisify(execFile)
const SRT = '1\r\n00:00:01,000 --> 00:00:02,500\r\nH\u00e9\r\n'
const VTT = 'WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.500\nH\u00e9\n\n'

async function serve(): Promise<TestApp> {
  return await testApp({
    files: {
      'a.srt': SRT,
      'wide.srt': Buffer.from(`\ufeff${SRT}`, 'utf16le'),
      'narrow.srt': Buffer.from(SRT, 'latin1'),
      'old-mac.srt': SRT.replaceAll('\r\n', '\r'),
      'A.SRT': SRT,
      'a.vtt': 'WEBVTT\n',
      'bad.srt': 'garbage',
      'huge.srt': Buffer.alloc(5 * 1024 * 1024 + 1, 'x'),
      'note.txt': '',
      'folder.srt/': '',
    },
  })
}

it.each(['a.srt', 'A.SRT', 'wide.srt', 'narrow.srt', 'old-mac.srt'])('%s is sent as WebVTT', async (name) => {
  await using server = await serve()
  const ann = await server.user('ann', { download: true })
  const answer = await ann.ask('GET', `/api/subtitle/${name}?inline=true`)
  expect([answer.statusCode, answer.body]).toEqual([200, VTT])
  expect(answer.headers).toMatchObject({
    'content-type': 'text/vtt',
    'content-disposition': `inline; filename="${name}"; filename*=utf-8''${name}`,
    'accept-ranges': 'bytes',
  })
  expect(answer.headers['content-security-policy']).toMatch(/^sandbox/)
})

it('a file in WebVTT is sent as it is', async () => {
  await using server = await serve()
  const ann = await server.user('ann', { download: true })
  const answer = await ann.ask('GET', '/api/subtitle/a.vtt')
  expect([answer.body, answer.headers['content-type']]).toEqual(['WEBVTT\n', 'text/vtt'])
})

const cue = (text: string) => `WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`

it.each([
  ['utf-16le-bom', 'H\u00e9'],
  ['windows-1251', 'Привет, мир'],
  ['windows-1250', 'Őrült árvíztűrő'],
  ['gbk', '你好世界'],
  ['shift_jis', 'こんにちは'],
] as const)('a file in WebVTT and %s is sent in UTF-8, as browsers expect', async (encoding, text) => {
  const srt = `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`
  const files = {
    'a.vtt': Buffer.from(encodeText(cue(text), encoding) ?? []),
    'a.srt': Buffer.from(encodeText(srt, encoding) ?? []),
  }
  await using server = await testApp({ files })
  const ann = await server.user('ann', { download: true })
  expect((await ann.ask('GET', '/api/subtitle/a.vtt')).body).toBe(cue(text))
  expect((await ann.ask('GET', '/api/subtitle/a.srt')).body).toContain(text)
})

it.each(['empty.srt', 'empty.vtt', 'blank.ass'])('%s is sent as WebVTT without a subtitle', async (name) => {
  await using server = await testApp({ files: { 'empty.srt': '', 'empty.vtt': '', 'blank.ass': '\ufeff\r\n' } })
  const ann = await server.user('ann', { download: true })
  const answer = await ann.ask('GET', `/api/subtitle/${name}`)
  expect([answer.statusCode, answer.body]).toEqual([200, 'WEBVTT\n'])
})

it('ranges and conditions apply to the converted text', async () => {
  await using server = await serve()
  const ann = await server.user('ann', { download: true })
  const part = await ann.ask('GET', '/api/subtitle/a.srt', { headers: { range: 'bytes=0-5' } })
  expect([part.statusCode, part.body]).toEqual([206, 'WEBVTT'])
  const headers = { 'if-none-match': String(part.headers.etag) }
  expect((await ann.ask('GET', '/api/subtitle/a.srt', { headers })).statusCode).toBe(304)
})

it.each([
  ['note.txt', 400, '400 Bad Request\n'],
  ['folder.srt', 400, '400 Bad Request\n'],
  ['none.srt', 404, '404 Not Found\n'],
  ['bad.srt', 415, '415 Unsupported Media Type\n'],
  ['huge.srt', 413, '413 Request Entity Too Large\n'],
])('%s is answered with %i', async (name, status, body) => {
  await using server = await serve()
  const ann = await server.user('ann', { download: true })
  const answer = await ann.ask('GET', `/api/subtitle/${name}`)
  expect([answer.statusCode, answer.body]).toEqual([status, body])
})

it('every file is answered with 202 without the permission to download, and a denied one with 403', async () => {
  await using server = await serve()
  const ann = await server.user('ann')
  for (const name of ['a.srt', 'none.srt'])
    expect((await ann.ask('GET', `/api/subtitle/${name}`)).body).toBe('202 Accepted\n')
  const rules = [{ regex: false, allow: false, path: '/a.srt', regexp: null }]
  const bob = await server.user('bob', { download: true }, { rules })
  expect((await bob.ask('GET', '/api/subtitle/a.srt')).statusCode).toBe(403)
})

it('a pipe is refused at once instead of waiting for what comes out of it', async () => {
  await using server = await serve()
  await run('mkfifo', [join(server.root, 'pipe.srt')])
  const ann = await server.user('ann', { download: true })
  expect((await ann.ask('GET', '/api/subtitle/pipe.srt')).statusCode).toBe(403)
})

it.each([
  '..%2Foutside.srt',
  'dir%2F..%2F..%2Foutside.srt',
  'a.srt?path=../outside.srt',
  'a.srt?name=..%2Foutside.srt&subtitle=/outside.srt&index=..',
  '%252e%252e%252foutside.srt',
  'link.srt',
])('CVE-2026-54910: %s never sends subtitles from outside of the scope', async (path) => {
  const secret = SRT.replace(/[A-Za-z]+$/m, 'secret')
  await using server = await testApp({ files: { 'outside.srt': secret, 'home/a.srt': SRT, 'home/dir/': '' } })
  await symlink('../outside.srt', join(server.root, 'home/link.srt'))
  const ann = await server.user('ann', { download: true }, { scope: '/home' })
  const answer = await server.askExactly('GET', `/api/subtitle/${path}`, { headers: { 'x-auth': ann.token } })
  expect(answer.body).not.toContain('secret')
  expect(answer.statusCode).toBe(
    path.startsWith('a.srt') ? 200 : path === 'link.srt' ? 403 : path.startsWith('%25') ? 404 : 301,
  )
})

it('visitors of a link get the subtitles in its folder only, and need its password', async () => {
  const files = { 'films/a.mp4': 'film', 'films/a.srt': SRT, 'films/a.mp4.txt': 'words', 'other/b.srt': SRT }
  const { server, ann } = await serveShared({ files })
  await using _server = server
  const { hash } = await shareOf(ann, '/films', { password: 'open' })
  const ask = async (rest: string, extras = {}) =>
    await server.ask('GET', `/api/public/subtitle/${hash}${rest}`, extras)
  const answer = await ask('/a.srt?inline=true', withPassword('open'))
  expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([200, VTT, 'text/vtt'])
  expect(answer.headers['content-security-policy']).toMatch(/^sandbox/)
  expect((await ask('/a.srt')).statusCode).toBe(401)
  expect((await ask('/a.srt', withPassword('wrong'))).statusCode).toBe(401)
  expect((await ask('/a.mp4.txt', withPassword('open'))).statusCode).toBe(400)
  for (const path of ['/b.srt', '/%2e%2e/other/b.srt', '/..%2fother/b.srt']) {
    const { statusCode, body } = await ask(path, withPassword('open'))
    expect(statusCode, path).not.toBe(200)
    expect(body).not.toContain('WEBVTT')
  }
})
