import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ARCHIVE_EXTENSIONS } from '../../../src/domain/files/archives/archive-format.ts'
import type { Permissions } from '../../../src/domain/access/permissions.ts'
import type { Listing, Resource } from '../../../src/domain/files/resource.ts'
import { denyAll, download, MAY_SHARE, serveShared, shareOf, visit, withPassword } from '../../helpers/api/shared.ts'
import { testApp } from '../../helpers/api/test-app.ts'

const FILES = {
  'docs/a.txt': 'alphabet soup',
  'docs/.dot': 'dot',
  'docs/page.html': '<script>alert(1)</script>',
  'docs/sub/b.txt': 'beta',
  'docs/sub/film.mp4': 'film',
  'docs/sub/film.srt': 'words',
  'other/secret.txt': 'secret',
}

const serve = async (perm: Partial<Permissions> = {}) => await serveShared({ files: FILES }, perm)

describe('a link to a folder', () => {
  it('shows paths in the share, under its name, sorted by name whatever the owner prefers', async () => {
    const { server, ann } = await serve()
    await using _server = server
    await server.context.store.update((draft) => {
      for (const user of draft.users) user.sorting = { by: 'size', asc: true }
    })
    const share = await shareOf(ann, '/docs')
    const listing = (await visit(server, share)).json<Listing>()
    expect(listing).toMatchObject({ path: '/', name: 'docs', numDirs: 1, numFiles: 3, isDir: true, type: '' })
    expect(listing.sorting).toEqual({ by: 'name', asc: false })
    expect(listing.items.map(({ path }) => path)).toEqual(['/sub', '/.dot', '/a.txt', '/page.html'])
    expect(listing).not.toHaveProperty('token')
    for (const rest of ['/sub', '/sub/']) {
      const sub = (await visit(server, share, rest)).json<Listing>()
      expect(sub).toMatchObject({ path: '/sub', name: 'docs' })
      expect(sub.items.map(({ path, subtitles }) => [path, subtitles])).toEqual([
        ['/sub/b.txt', undefined],
        ['/sub/film.mp4', ['/sub/film.srt']],
        ['/sub/film.srt', undefined],
      ])
    }
    expect((await visit(server, await shareOf(ann, '/'))).json()).toMatchObject({ path: '/', name: 'files' })
  })

  it('shows a file without its content, and with the type that its owner sees', async () => {
    const { server, ann } = await serve()
    await using _server = server
    const max = await server.user('max', { ...MAY_SHARE, modify: true })
    const facts = { path: '/a.txt', name: 'a.txt', size: 13, extension: '.txt', isDir: false, isSymlink: false }
    const shown = (await visit(server, await shareOf(ann, '/docs'), '/a.txt?checksum=md5')).json<Resource>()
    expect(shown).toMatchObject({ ...facts, type: 'textImmutable' })
    expect(Object.keys(shown)).not.toEqual(expect.arrayContaining(['content', 'checksums']))
    expect((await visit(server, await shareOf(max, '/docs'), '/a.txt')).json()).toMatchObject({
      ...facts,
      type: 'text',
    })
  })

  it('answers for missing paths as in the folder of the owner', async () => {
    const { server, ann } = await serve()
    await using _server = server
    const share = await shareOf(ann, '/docs')
    expect((await visit(server, share, '/nothing')).statusCode).toBe(404)
    expect((await visit(server, share, '/a.txt/below')).statusCode).toBe(400)
    expect((await visit(server, share, '/docs')).statusCode).toBe(404)
  })
})

describe('a link to a file', () => {
  it('shows that file, whatever path follows the hash', async () => {
    const { server, ann } = await serve()
    await using _server = server
    const share = await shareOf(ann, '/docs/a.txt')
    for (const rest of ['', '/', '/a.txt', '/whatever/else.txt']) {
      const shown = await visit(server, share, rest)
      expect(shown.json(), rest).toMatchObject({ path: '', name: 'a.txt', size: 13, extension: '.txt' })
      const bytes = await download(server, share, rest)
      expect([bytes.body, bytes.headers['content-disposition']]).toEqual([
        'alphabet soup',
        `attachment; filename="a.txt"; filename*=utf-8''a.txt`,
      ])
    }
  })

  it('follows a symbolic link in the folder of the owner', async () => {
    const { server, ann } = await serve()
    await using _server = server
    symlinkSync('docs/a.txt', join(server.root, 'link'))
    const share = await shareOf(ann, '/link')
    expect((await visit(server, share)).json()).toMatchObject({ path: '', name: 'link', size: 13 })
    expect((await download(server, share)).body).toBe('alphabet soup')
  })
})

describe('downloads by a link', () => {
  it('are sent whole, in ranges, or not again if unchanged', async () => {
    const { server, ann } = await serve()
    await using _server = server
    const share = await shareOf(ann, '/docs')
    const whole = await download(server, share, '/a.txt')
    expect(whole).toMatchObject({ statusCode: 200, body: 'alphabet soup' })
    expect(whole.headers).toMatchObject({ 'accept-ranges': 'bytes', 'content-type': 'application/octet-stream' })
    const part = await download(server, share, '/a.txt', { headers: { range: 'bytes=5-7' } })
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, 'bet', 'bytes 5-7/13'])
    const two = await download(server, share, '/a.txt', { headers: { range: 'bytes=0-1,3-4' } })
    expect(two.headers['content-type']).toMatch(/^multipart\/byteranges/)
    expect((await download(server, share, '/a.txt', { headers: { range: 'bytes=99-' } })).statusCode).toBe(416)
    const headers = { 'if-modified-since': 'Tue, 02 Jan 2099 03:04:05 GMT' }
    expect((await download(server, share, '/a.txt', { headers })).statusCode).toBe(304)
  })

  it('are shown in the browser only in a sandbox', async () => {
    const { server, ann } = await serve()
    await using _server = server
    const share = await shareOf(ann, '/docs')
    const page = await download(server, share, '/page.html?inline=true')
    expect(page.headers['content-disposition']).toBe(`inline; filename="page.html"; filename*=utf-8''page.html`)
    expect(page.headers['content-security-policy']).toMatch(/^sandbox;/)
    expect((await download(server, share, '/a.txt?inline=true')).headers['content-type']).toMatch(/^text\/plain/)
  })

  it.each(Object.entries(ARCHIVE_EXTENSIONS))('send a folder as an archive of kind %s', async (algo, extension) => {
    const { server, ann } = await serve()
    await using _server = server
    const answer = await download(server, await shareOf(ann, '/docs'), `?algo=${algo}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-disposition']).toBe(
      `attachment; filename="docs${extension}"; filename*=utf-8''docs${extension}`,
    )
    expect(answer.rawPayload.length).toBeGreaterThan(100)
  })

  it('resume a zip, until the owner denies something in it', async () => {
    const { server, ann } = await serve()
    await using _server = server
    const share = await shareOf(ann, '/docs')
    const whole = await download(server, share)
    const { etag } = whole.headers
    const size = whole.rawPayload.length
    expect(whole.headers['content-length']).toBe(String(size))
    const goOn = async () =>
      await download(server, share, '', { headers: { range: 'bytes=100-', 'if-range': String(etag) } })
    const rest = await goOn()
    expect([rest.statusCode, rest.headers['content-range']]).toEqual([206, `bytes 100-${size - 1}/${size}`])
    expect(rest.rawPayload.equals(whole.rawPayload.subarray(100))).toBe(true)
    expect(rest.headers['cache-control']).toBe(whole.headers['cache-control'])
    await denyAll(server, '/docs/sub')
    const denied = await goOn()
    expect([denied.statusCode, denied.rawPayload.includes('beta')]).toEqual([200, false])
  })

  it('are named after the share, the folder in it, or the common folder of several items', async () => {
    const { server, ann } = await serve()
    await using _server = server
    const [docs, root] = [await shareOf(ann, '/docs'), await shareOf(ann, '/')]
    const named = async (share: typeof docs, rest: string) =>
      (await download(server, share, rest)).headers['content-disposition']?.toString().replace(/.*''/, '')
    expect(await named(docs, '/')).toBe('docs.zip')
    expect(await named(docs, '/sub/')).toBe('sub.zip')
    expect(await named(docs, '/?files=a.txt,sub')).toBe('_docs.zip')
    expect(await named(docs, '/?files=a.txt&algo=targz')).toBe('a.txt.tar.gz')
    expect(await named(root, '')).toBe('files.zip')
    expect((await download(server, docs, '?algo=rar')).statusCode).toBe(400)
  })

  it('send archives of the requested items only, and of nothing outside of the share', async () => {
    const { server, ann } = await serve()
    await using _server = server
    const share = await shareOf(ann, '/docs')
    const members = async (rest: string) => {
      const { rawPayload } = await download(server, share, rest)
      return execFileSync('tar', ['-t'], { input: rawPayload }).toString().trim().split('\n').filter(Boolean).toSorted()
    }
    expect(await members('?algo=tar')).toEqual([
      '.dot',
      'a.txt',
      'page.html',
      'sub',
      'sub/b.txt',
      'sub/film.mp4',
      'sub/film.srt',
    ])
    expect(await members('?algo=tar&files=..%2Fother,a.txt')).toEqual(['a.txt'])
    expect(await members('?algo=tar&files=%252e%252e%252fother%252fsecret.txt')).toEqual([])
  })
})

describe('every answer to a visitor', () => {
  it('is not cached, sends no referrer, and is not indexed', async () => {
    const { server, ann } = await serve()
    await using _server = server
    const share = await shareOf(ann, '/docs')
    const locked = await shareOf(ann, '/docs', { password: 'open' })
    const answers = [
      await visit(server, share),
      await visit(server, share, '/nothing'),
      await visit(server, locked),
      await visit(server, locked, '', withPassword('open')),
      await visit(server, { hash: 'unknown' as never }),
      await download(server, share, '/a.txt'),
      await download(server, share, '/a.txt', { headers: { range: 'bytes=0-1' } }),
      await download(server, share, '/a.txt', { headers: { range: 'bytes=99-' } }),
      await download(server, share, '?algo=zip'),
      await server.ask('POST', `/api/public/share/${share.hash}`),
    ]
    for (const { statusCode, headers } of answers) {
      expect(headers, String(statusCode)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
        'x-content-type-options': 'nosniff',
      })
    }
  })

  it('reveals neither the path in the folder of the owner nor where that folder is', async () => {
    const { server, ann } = await serve()
    await using _server = server
    const share = await shareOf(ann, '/docs/sub')
    for (const rest of ['', '/b.txt', '/film.mp4', '/nothing']) {
      const { body, headers } = await visit(server, share, rest, { headers: { accept: 'application/json' } })
      expect(`${body}${JSON.stringify(headers)}`).not.toMatch(/docs|filemgr-test/)
    }
  })
})

describe('addresses of links', () => {
  it('without a hash are answered with 404, and not redirected', async () => {
    const { server } = await serve()
    await using _server = server
    for (const url of [
      '/api/public/share',
      '/api/public/share/',
      '/api/public/dl',
      '/api/public/dl/',
      '/api/public/x',
    ]) {
      expect((await server.ask('GET', url)).statusCode, url).toBe(404)
    }
  })

  it('are for reading only', async () => {
    const { server, ann } = await serve()
    await using _server = server
    const { hash } = await shareOf(ann, '/docs')
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      const answer = await server.ask(method, `/api/public/share/${hash}`)
      expect([answer.statusCode, answer.body], method).toEqual([405, ''])
      expect((await server.ask(method, `/api/public/dl/${hash}/a.txt`)).statusCode, method).toBe(404)
    }
  })

  it('work beneath a base URL', async () => {
    await using server = await testApp({ files: FILES, options: { baseURL: '/fm' } })
    const answer = await server.ask('POST', '/fm/api/login', {
      payload: JSON.stringify({ username: 'admin', password: 'correct horse battery staple' }),
    })
    const headers = { 'x-auth': answer.body }
    const made = await server.ask('POST', '/fm/api/share/docs', { headers, payload: '{"password":"open"}' })
    const url = `/fm/api/public/share/${made.json<{ hash: string }>().hash}`
    expect((await server.ask('GET', url)).statusCode).toBe(401)
    expect((await server.ask('GET', url, withPassword('open'))).statusCode).toBe(200)
  })
})
