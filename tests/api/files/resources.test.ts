import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { FlatResource, Listing, Resource } from '../../../src/domain/files/resource.ts'
import { testApp } from '../../helpers/api/test-app.ts'

describe('GET /api/resources of a folder', () => {
  it('lists it, and keeps the trailing slash of the request', async () => {
    await using server = await testApp({ files: { 'docs/b.txt': 'b', 'docs/sub/': '', 'docs/a.txt': 'aa' } })
    const ann = await server.user('ann')
    const answer = await ann.ask('GET', '/api/resources/docs/')
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    const listing = answer.json<Listing>()
    expect(listing).toMatchObject({ path: '/docs/', name: 'docs', numDirs: 1, numFiles: 2, isDir: true })
    expect(listing.items.map(({ path }) => path)).toEqual(['/docs/sub', '/docs/a.txt', '/docs/b.txt'])
    expect((await ann.ask('GET', '/api/resources/docs')).json<Listing>().path).toBe('/docs')
  })

  it.each([
    ['zstd', zstdDecompressSync],
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('compresses a long listing with %s, part by part', async (encoding, unpack) => {
    const long = 'long '.repeat(40)
    const files = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`${index} ${long}.txt`, '']))
    await using server = await testApp({ files })
    const ann = await server.user('ann')
    const plain = await ann.ask('GET', '/api/resources/')
    const packed = await ann.ask('GET', '/api/resources/', { headers: { 'accept-encoding': encoding } })
    expect(packed.headers['content-encoding']).toBe(encoding)
    expect(packed.headers.vary).toMatch(/accept-encoding/i)
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4)
    expect(unpack(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
  })

  it('does not compress a short listing', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    const ann = await server.user('ann')
    const answer = await ann.ask('GET', '/api/resources/', { headers: { 'accept-encoding': 'br' } })
    expect(answer.headers).not.toHaveProperty('content-encoding')
  })

  it('answers 404 for a missing folder', async () => {
    await using server = await testApp()
    const ann = await server.user('ann')
    expect((await ann.ask('GET', '/api/resources/none/')).statusCode).toBe(404)
  })
})

describe('GET /api/resources of a file', () => {
  it('has the text, and an ETag for saving it', async () => {
    await using server = await testApp({ files: { 'a.txt': '\ufeffHällo' } })
    const ann = await server.user('ann', { download: true, modify: true })
    const answer = await ann.ask('GET', '/api/resources/a.txt')
    expect(answer.json()).toMatchObject({ path: '/a.txt', type: 'text', content: '\ufeffHällo', size: 9 })
    expect(answer.headers.etag).toMatch(/^"[0-9a-f]+"$/)
  })

  it('calls a text textImmutable for users who may not modify it', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    const ann = await server.user('ann', { download: true })
    expect((await ann.ask('GET', '/api/resources/a.txt')).json<Resource>().type).toBe('textImmutable')
  })

  it('CVE-2026-35606: keeps the text from users who may not download', async () => {
    await using server = await testApp({ files: { 'a.txt': 'secret' } })
    const ann = await server.user('ann', { modify: true })
    const answer = await ann.ask('GET', '/api/resources/a.txt')
    expect([answer.statusCode, answer.body.includes('secret')]).toEqual([200, false])
  })

  it('gives a checksum in place of the text', async () => {
    await using server = await testApp({ files: { 'a.txt': 'Hello, world!\n' } })
    const ann = await server.user('ann', { download: true })
    const answer = await ann.ask('GET', '/api/resources/a.txt?checksum=md5')
    expect(answer.json<Resource>()).toMatchObject({ checksums: { md5: '746308829575e17c3331bbcb00c0898b' } })
    expect(answer.json<Resource>()).not.toHaveProperty('content')
  })

  it('refuses unknown checksums', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    const ann = await server.user('ann', { download: true })
    for (const name of ['MD5', 'crc32']) {
      const answer = await ann.ask('GET', `/api/resources/a.txt?checksum=${name}`)
      expect([answer.statusCode, answer.body]).toEqual([400, '400 Bad Request\n'])
    }
  })

  it('gives the bytes of a text when X-Encoding asks for them', async () => {
    await using server = await testApp({ files: { 'a.csv': 'a;b' } })
    const ann = await server.user('ann', { download: true, modify: true })
    const headers = { 'x-encoding': 'true' }
    const answer = await ann.ask('GET', '/api/resources/a.csv', { headers })
    expect([answer.headers['content-type'], answer.body]).toEqual(['application/octet-stream', 'a;b'])
  })

  it.each([{ 'x-encoding': 'true' }, {}])(
    'CVE-2026-35606: tells neither bytes nor a checksum, by which content can be guessed, without the permission',
    async (headers) => {
      await using server = await testApp({ files: { 'a.txt': 'a' } })
      const ann = await server.user('ann')
      const query = 'x-encoding' in headers ? '' : '?checksum=md5'
      const answer = await ann.ask('GET', `/api/resources/a.txt${query}`, {
        headers,
      })
      expect([answer.statusCode, answer.body]).toEqual([202, '202 Accepted\n'])
    },
  )
})

describe('GET /api/measure', () => {
  it('adds up what the user can see beneath a folder', async () => {
    await using server = await testApp({
      files: { 'a/b/c.txt': 'ccc', 'a/d.txt': 'dd', 'a/deny/e.txt': 'eeeee', 'f.txt': '' },
    })
    const ann = await server.user('ann', {}, { rules: [{ allow: false, path: '/a/deny', regex: false, regexp: null }] })
    expect((await ann.ask('GET', '/api/measure/a')).json()).toEqual({ bytes: 5, files: 2, folders: 1 })
    expect((await ann.ask('GET', '/api/measure/f.txt')).statusCode).toBe(400)
    expect((await ann.ask('GET', '/api/measure/none')).statusCode).toBe(404)
  })
})

describe('GET /api/resources/recursive', () => {
  it('lists everything beneath in one flat list', async () => {
    await using server = await testApp({ files: { 'a/b/c.txt': 'c', 'a/d.txt': 'd' } })
    const ann = await server.user('ann')
    const rows = (await ann.ask('GET', '/api/resources/recursive/a')).json<FlatResource[]>()
    expect(rows.map(({ path, isDir }) => [path, isDir])).toEqual([
      ['/a/b', true],
      ['/a/b/c.txt', false],
      ['/a/d.txt', false],
    ])
  })

  it('gives an empty list for an empty folder', async () => {
    await using server = await testApp({ files: { 'a/': '' } })
    const ann = await server.user('ann')
    expect((await ann.ask('GET', '/api/resources/recursive/a')).body).toBe('[]')
  })

  it('says that a file is no folder', async () => {
    await using server = await testApp({ files: { 'a.txt': '' } })
    const ann = await server.user('ann')
    const answer = await ann.ask('GET', '/api/resources/recursive/a.txt')
    expect(answer.body).toBe('400 Bad Request (path is not a directory)\n')
  })

  it('does not capture names that only begin with "recursive"', async () => {
    await using server = await testApp({ files: { 'recursive-notes.txt': 'n' } })
    const ann = await server.user('ann')
    expect((await ann.ask('GET', '/api/resources/recursive-notes.txt')).statusCode).toBe(200)
  })
})

describe('GET /api/usage', () => {
  it('gives the total and used bytes of the disk', async () => {
    await using server = await testApp({ files: { 'a.txt': 'a' } })
    const ann = await server.user('ann')
    const { total, used } = (await ann.ask('GET', '/api/usage/')).json<{ total: number; used: number }>()
    expect(total).toBeGreaterThan(used)
    expect((await ann.ask('GET', '/api/usage/a.txt')).json()).toEqual({ total: 0, used: 0 })
  })
})

describe('POST /api/resources', () => {
  it('creates a file from the body, whatever its type, and missing parent folders', async () => {
    await using server = await testApp()
    const ann = await server.user('ann', { create: true })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await ann.ask('POST', '/api/resources/new/dir/a%20b.txt', { payload: 'raw bytes', headers })
    expect([answer.statusCode, answer.body]).toEqual([200, '200 OK\n'])
    const path = join(server.root, 'new/dir/a b.txt')
    expect(await readFile(path, 'utf8')).toBe('raw bytes')
    const { mtimeNs, size } = await stat(path, { bigint: true })
    expect(answer.headers.etag).toBe(`"${mtimeNs.toString(16)}${size.toString(16)}"`)
  })

  it('creates an empty file without a body', async () => {
    await using server = await testApp()
    const ann = await server.user('ann', { create: true })
    expect((await ann.ask('POST', '/api/resources/empty')).statusCode).toBe(200)
    expect(await readFile(join(server.root, 'empty'), 'utf8')).toBe('')
  })

  it('creates a folder for a trailing slash, and keeps one that exists', async () => {
    await using server = await testApp({ files: { 'old/a.txt': 'a' } })
    const ann = await server.user('ann', { create: true })
    for (const url of ['/api/resources/new/deep/', '/api/resources/old/']) {
      const answer = await ann.ask('POST', url, { payload: 'ignored' })
      expect([answer.statusCode, answer.headers.etag]).toEqual([200, undefined])
    }
    expect(await readdir(join(server.root, 'new'))).toEqual(['deep'])
    expect(await readdir(join(server.root, 'old'))).toEqual(['a.txt'])
  })

  it('leaves existing files and folders alone with If-None-Match', async () => {
    await using server = await testApp({ files: { 'old/a.txt': 'a' } })
    const ann = await server.user('ann', { create: true, modify: true })
    const ask = async (path: string) =>
      await ann.ask('POST', `/api/resources/${path}`, { payload: 'new', headers: { 'if-none-match': '*' } })
    for (const path of ['old/', 'old/a.txt/', 'old/a.txt', 'old/a.txt?override=true']) {
      expect((await ask(path)).statusCode, path).toBe(412)
    }
    expect(await readFile(join(server.root, 'old/a.txt'), 'utf8')).toBe('a')
    for (const path of ['fresh/', 'fresh/b.txt']) expect((await ask(path)).statusCode, path).toBe(200)
    expect(await readFile(join(server.root, 'fresh/b.txt'), 'utf8')).toBe('new')
  })

  it('replaces a file only when asked to, with the permission to modify', async () => {
    await using server = await testApp({ files: { 'a.txt': 'old' } })
    const creator = await server.user('creator', { create: true })
    const editor = await server.user('editor', { create: true, modify: true })
    expect((await creator.ask('POST', '/api/resources/a.txt', { payload: 'new' })).body).toBe('409 Conflict\n')
    expect((await editor.ask('POST', '/api/resources/a.txt?override=TRUE', { payload: 'new' })).statusCode).toBe(409)
    expect((await creator.ask('POST', '/api/resources/a.txt?override=true', { payload: 'new' })).statusCode).toBe(403)
    expect(await readFile(join(server.root, 'a.txt'), 'utf8')).toBe('old')
    expect((await editor.ask('POST', '/api/resources/a.txt?override=true', { payload: 'new' })).statusCode).toBe(200)
    expect(await readFile(join(server.root, 'a.txt'), 'utf8')).toBe('new')
  })

  it('never replaces a folder', async () => {
    await using server = await testApp({ files: { 'dir/a.txt': 'kept' } })
    const ann = await server.user('ann', { create: true, modify: true })
    const answer = await ann.ask('POST', '/api/resources/dir?override=true', { payload: 'x' })
    expect(answer.statusCode).toBe(409)
    expect(await readFile(join(server.root, 'dir/a.txt'), 'utf8')).toBe('kept')
  })

  it('never replaces a file with a folder', async () => {
    await using server = await testApp({ files: { 'a.txt': 'kept' } })
    const ann = await server.user('ann', { create: true, modify: true })
    expect((await ann.ask('POST', '/api/resources/a.txt/?override=true')).statusCode).toBe(409)
    expect(await readFile(join(server.root, 'a.txt'), 'utf8')).toBe('kept')
  })

  it('CVE-2026-55667: keeps the old file when an overwrite is aborted', async () => {
    await using server = await testApp({ files: { 'a.txt': 'old' } })
    const ann = await server.user('ann', { create: true, modify: true })
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.app.server.address() as AddressInfo
    const upload = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/api/resources/a.txt?override=true',
      headers: { 'x-auth': ann.token, 'content-length': 1_000_000 },
    })
    const broken = once(upload, 'error')
    upload.write('x'.repeat(100_000))
    await expect.poll(async () => (await readdir(server.root)).length).toBe(2)
    upload.destroy()
    await broken
    await expect.poll(async () => await readdir(server.root)).toEqual(['a.txt'])
    expect(await readFile(join(server.root, 'a.txt'), 'utf8')).toBe('old')
  })

  it('refuses a compressed body', async () => {
    await using server = await testApp()
    const ann = await server.user('ann', { create: true })
    const headers = { 'content-encoding': 'gzip' }
    expect((await ann.ask('POST', '/api/resources/a', { payload: 'x', headers })).statusCode).toBe(415)
    expect(await readdir(server.root)).toEqual([])
  })

  it('changes nothing on a read-only server', async () => {
    await using server = await testApp({ options: { readOnly: true } })
    const ann = await server.user('ann', { create: true })
    expect((await ann.ask('POST', '/api/resources/a', { payload: 'x' })).statusCode).toBe(403)
    expect(await readdir(server.root)).toEqual([])
  })
})
