import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openDescriptors } from '../../contract/storage/local-world.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { withMethod } from '../../helpers/api/with-method.ts'
import { openLocalStorage } from '../../../src/storage/local/local-storage.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { serveArchives } from '../../helpers/api/served-archives.ts'
import { testApp, type Client } from '../../helpers/api/test-app.ts'

const runFile = promisify(execFile)

/** As in a terminal of today: without a locale unzip would unpack "ü" as a question mark. */
const run = async (command: string, args: readonly string[]) =>
  await runFile(command, args, { env: { ...process.env, LC_ALL: 'C.UTF-8' } })
/** Names of the members as the system's tar tells them. */
async function namesInTar(tar: Buffer): Promise<string[]> {
  await using folder = await tempFolder({ 'a.tar': tar })
  const { stdout } = await run('tar', ['--quoting-style=literal', '-tf', folder.at('a.tar')])
  return stdout.trim().split('\n')
}

async function namesIn(ann: Client, url: string): Promise<string[]> {
  const answer = await ann.ask('GET', `${url}${url.includes('?') ? '&' : '?'}algo=tar`)
  expect(answer.statusCode).toBe(200)
  return answer.rawPayload.every((byte) => byte === 0) ? [] : await namesInTar(answer.rawPayload)
}

describe('formats', () => {
  it.each(['rar', 'tar.gz', 'ZIP', 'constructor'])('refuses algo=%s', async (algo) => {
    await using world = await serveArchives()
    expect((await world.ann.ask('GET', `/api/raw/docs/?algo=${algo}`)).statusCode).toBe(400)
  })

  it.each(['/api/raw/docs/empty/', '/api/raw/docs?files=none.gif'])(
    '%s without members is an empty zip of unknown type',
    async (url) => {
      await using world = await serveArchives()
      const answer = await world.ann.ask('GET', url)
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/octet-stream'])
      expect(answer.rawPayload.subarray(0, 4).toString('latin1')).toBe('PK\x05\x06')
    },
  )
})

describe('an archive', () => {
  const named = async (ann: Client, url: string) => (await ann.ask('GET', url)).headers['content-disposition']

  it('of a single folder holds only its content, and of a single file that file', async () => {
    await using world = await serveArchives()
    expect(await namesIn(world.ann, '/api/raw/?files=docs')).toEqual(await namesIn(world.ann, '/api/raw/docs'))
    expect(await namesIn(world.ann, '/api/raw/docs?files=a.txt')).toEqual(['a.txt'])
    expect(await named(world.ann, '/api/raw/docs?files=a.txt')).toMatch(/''a\.txt\.zip$/)
  })

  it('has paths from the deepest folder that holds all items', async () => {
    await using world = await serveArchives()
    const url = '/api/raw/?files=docs/a.txt,docs/gr%25C3%25B6%25C3%259Fe'
    expect(await namesIn(world.ann, url)).toEqual(['a.txt', 'größe', 'größe/日本 😀.txt'])
    expect(await named(world.ann, url)).toMatch(/''_docs\.zip$/)
    expect(await named(world.ann, '/api/raw/?files=docs,other.txt')).toMatch(/''_files\.zip$/)
    expect(await named(world.ann, '/api/raw/')).toMatch(/''files\.zip$/)
  })

  it('holds each file once, and nothing that is missing', async () => {
    await using world = await serveArchives()
    const url = '/api/raw/?files=other.txt,none,docs/a.txt,docs,other.txt,docs/'
    const names = await namesIn(world.ann, url)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toEqual(expect.arrayContaining(['other.txt', 'docs/a.txt']))
    expect(await namesIn(world.ann, '/api/raw/docs?files=none.gif')).toEqual([])
  })

  it('never holds files from outside of the folder', async () => {
    await using world = await serveArchives()
    expect(await namesIn(world.ann, '/api/raw/docs?files=..%2F..%2Fother.txt,a.txt')).toEqual(['a.txt'])
  })

  it('is refused for more than 1000 items, or for names that cannot be decoded', async () => {
    await using world = await serveArchives()
    const ask = async (files: string) => (await world.ann.ask('GET', `/api/raw/docs?files=${files}`)).statusCode
    expect(await ask(Array.from({ length: 1001 }, (_, i) => i).join(','))).toBe(400)
    expect(await ask('%25zz')).toBe(400)
    expect(await ask('%2500')).toBe(400)
  })

  it('leaves out denied files and hidden dotfiles', async () => {
    await using server = await testApp({
      files: { 'd/a.txt': 'a', 'd/.hidden': 'h', 'd/secret/b.txt': 'b', 'd/sub/c.txt': 'c' },
    })
    const rules = [{ regex: false, allow: false, path: '/d/secret', regexp: null }]
    const ann = await server.user('ann', { download: true }, { rules, hideDotfiles: true })
    expect(await namesIn(ann, '/api/raw/d')).toEqual(['a.txt', 'sub', 'sub/c.txt'])
    expect(await namesIn(ann, '/api/raw/d?files=secret')).toEqual([])
    expect(await namesIn(ann, '/api/raw/d?files=secret/b.txt,.hidden,a.txt')).toEqual(['a.txt'])
  })

  it('follows links inside the scope only, none in circles, and does not wait for pipes', async () => {
    await using server = await testApp({ files: { 'd/a.txt': 'a', 'other/b.txt': 'b', 'out.txt': 'out' } })
    await mkdir(join(server.root, 'home/x'), { recursive: true })
    await writeFile(join(server.root, 'home/x/in.txt'), 'in')
    for (const [target, name] of [
      ['x', 'in'],
      ['..', 'up'],
      ['.', 'circle'],
      ['../out.txt', 'out.txt'],
      ['no', 'dangling'],
    ] as const)
      await symlink(target, join(server.root, 'home', name))
    await run('mkfifo', [join(server.root, 'home/pipe')])
    const ann = await server.user('ann', { download: true }, { scope: '/home' })
    expect(await namesIn(ann, '/api/raw/')).toEqual(['in', 'in/in.txt', 'x', 'x/in.txt'])
  })

  it('GHSA-83xp-526h-j3ww: has names that are safe everywhere and unique', async () => {
    await using server = await testApp({
      files: { 'd/..\\..\\x': '1', 'd/.._.._x': '2', 'd/c:x': '3', 'd/a\u001bb': '4' },
    })
    const ann = await server.user('ann', { download: true })
    expect((await namesIn(ann, '/api/raw/d')).toSorted()).toEqual(['.._.._x', '.._.(1)._x', 'a_b', 'c:x'].toSorted())
  })

  it('has a text file that says what could not be read', async () => {
    await using server = await testApp({ files: { 'd/a.txt': 'a' } })
    const ann = await server.user('ann', { download: true })
    const deep = Array.from({ length: 130 }, () => 'n').join('/')
    await mkdir(join(server.root, 'd', deep), { recursive: true })
    const answer = await ann.ask('GET', '/api/raw/d?algo=tar')
    await using folder = await tempFolder({ 'a.tar': answer.rawPayload, 'out/': '' })
    await run('tar', ['-xf', folder.at('a.tar'), '-C', folder.at('out')])
    const note = await readFile(folder.at('out/not in this archive.txt'), 'utf8')
    expect(note).toContain('folders are nested deeper than 128')
  })
})

describe('a zip in ranges', () => {
  const URL = '/api/raw/docs/'
  const ranged = async (ann: Client, headers: Record<string, string>) => await ann.ask('GET', URL, { headers })

  it('is the same bytes as the whole', async () => {
    await using world = await serveArchives()
    const whole = await world.ann.ask('GET', URL)
    const etag = String(whole.headers.etag)
    const size = whole.rawPayload.length
    const pieces: Buffer[] = []
    for (let start = 0; start < size; start += 1_000_000) {
      const answer = await ranged(world.ann, { range: `bytes=${start}-${start + 999_999}`, 'if-range': etag })
      const end = Math.min(start + 1_000_000, size)
      expect(answer.statusCode).toBe(206)
      expect(answer.headers).toMatchObject({
        etag,
        'content-range': `bytes ${start}-${end - 1}/${size}`,
        'content-length': String(end - start),
        'content-type': 'application/zip',
        'content-disposition': whole.headers['content-disposition'],
      })
      pieces.push(answer.rawPayload)
    }
    expect(Buffer.concat(pieces).equals(whole.rawPayload)).toBe(true)
    const rest = await ranged(world.ann, { range: `bytes=${size - 100}-`, 'if-match': etag })
    expect([rest.statusCode, rest.rawPayload.equals(whole.rawPayload.subarray(-100))]).toEqual([206, true])
  })

  it('is sent whole without an If-Range header, or when that names another archive', async () => {
    await using world = await serveArchives()
    const { headers } = await world.ann.ask('GET', URL)
    const statusOf = async (asked: Record<string, string>) =>
      (await ranged(world.ann, { range: 'bytes=5-9', ...asked })).statusCode
    expect(await statusOf({})).toBe(200)
    expect(await statusOf({ 'if-range': new Date().toUTCString() })).toBe(200)
    expect(await statusOf({ 'if-range': String(headers.etag), range: 'bytes=1-2,4-5' })).toBe(200)
    await writeFile(join(world.server.root, 'docs/a.txt'), 'omega')
    expect(await statusOf({ 'if-range': String(headers.etag) })).toBe(200)
    expect(await statusOf({ 'if-match': String(headers.etag) })).toBe(412)
  })

  it('is refused beyond the end, and not sent again to clients that have it', async () => {
    await using world = await serveArchives()
    const { headers } = await world.ann.ask('GET', URL)
    const etag = String(headers.etag)
    const beyond = await ranged(world.ann, { range: 'bytes=99999999-', 'if-range': etag })
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${headers['content-length']}`])
    expect((await ranged(world.ann, { 'if-none-match': etag })).statusCode).toBe(304)
  })

  it('is another one for a user who may see less', async () => {
    await using world = await serveArchives()
    const rules = [{ regex: false, allow: false, path: '/docs/a.txt', regexp: null }]
    const bob = await world.server.user('bob', { download: true }, { rules })
    const { headers } = await world.ann.ask('GET', URL)
    const answer = await bob.ask('GET', URL, { headers: { range: 'bytes=5-9', 'if-range': String(headers.etag) } })
    expect(answer.statusCode).toBe(200)
    expect(answer.rawPayload.includes('alpha')).toBe(false)
  })
})

describe('an archive that cannot be made', () => {
  /** A server whose disk fails after so many parts of an archive. */
  async function failing(parts: number): Promise<{ url: string; token: string } & AsyncDisposable> {
    const held = new AsyncDisposableStack()
    const files = held.use(await tempFolder({ 'd/a.txt': 'a' }))
    const disk = await openLocalStorage(files.path)
    async function* broken(): AsyncGenerator<Uint8Array, void, void> {
      for (let part = 0; part < parts; part += 1) yield Buffer.from('PK\x03\x04')
      throw Object.assign(new Error('i/o error'), { code: 'EIO' })
    }
    const openScope: Storage['openScope'] = async (...where) =>
      withMethod(await disk.openScope(...where), 'archive', async () => ({ parts: broken, leftOut: () => [] }))
    const server = held.use(await testApp({ storage: withMethod(disk, 'openScope', openScope) }))
    const { token } = await server.user('ann', { download: true })
    const url = await server.app.listen({ host: '127.0.0.1', port: 0 })
    return { url: `${url}/api/raw/d`, token, [Symbol.asyncDispose]: async () => await held.disposeAsync() }
  }

  it('is an error response when nothing has been sent yet', async () => {
    await using server = await failing(0)
    const answer = await fetch(server.url, { headers: { 'x-auth': server.token } })
    expect([answer.status, await answer.text()]).toEqual([500, '500 Internal Server Error\n'])
    expect(answer.headers.get('content-disposition')).toBeNull()
  })

  it('breaks the connection afterwards, so that nobody takes it for complete', async () => {
    await using server = await failing(3)
    const answer = await fetch(server.url, { headers: { 'x-auth': server.token } })
    expect(answer.status).toBe(200)
    await expect(answer.arrayBuffer()).rejects.toThrow('terminated')
  })
})

describe('many archives at once', () => {
  it.each(['zip', 'tar', 'targz', 'tarzst'])(
    'refuse the ninth %s of one user, and close their files when they are aborted',
    async (algo) => {
      await using world = await serveArchives()
      const actor = await world.server.context.actor('admin')
      const open = async () => await world.server.context.services.downloads.open(actor, '/docs', { algo })
      const breakOff = async (download: Awaited<ReturnType<typeof open>>) => {
        if (download.kind === 'archive' && download.archive.content !== undefined)
          for await (const part of download.archive.content.parts()) if (part.length > 0) break
      }
      // This starts all threads, whose descriptors stay open.
      const first = await Promise.all([open(), open()])
      await Promise.all(first.map(breakOff))
      for (const download of first) await download[Symbol.asyncDispose]()
      const before = openDescriptors()
      const held = await Promise.all(Array.from({ length: 8 }, open))
      await expect(open()).rejects.toMatchObject({ code: 'BUSY' })
      await Promise.all(held.map(breakOff))
      for (const download of held) await download[Symbol.asyncDispose]()
      // The storage may have closed the served folder meanwhile.
      await expect.poll(openDescriptors).toBeLessThanOrEqual(before)
      const again = await open()
      await again[Symbol.asyncDispose]()
    },
  )
})
