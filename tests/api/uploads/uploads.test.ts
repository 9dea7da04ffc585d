import { createHash } from 'node:crypto'
import { link, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { testApp, type Client, type TestApp } from '../../helpers/api/test-app.ts'

const PART = 'application/offset+octet-stream'

interface World extends AsyncDisposable {
  readonly server: TestApp
  readonly bob: Client
  begin(path: string, length: number | string, query?: string): ReturnType<Client['ask']>
  part(path: string, offset: number | string, payload: string | Buffer, type?: string): ReturnType<Client['ask']>
}

async function world(files: Record<string, string> = {}): Promise<World> {
  const server = await testApp({ files })
  const bob = await server.user('bob', { create: true, modify: true })
  return {
    server,
    bob,
    begin: async (path, length, query = '') =>
      await bob.ask('POST', `/api/tus${path}${query}`, { headers: { 'upload-length': String(length) } }),
    part: async (path, offset, payload, type = PART) =>
      await bob.ask('PATCH', `/api/tus${path}`, {
        headers: { 'upload-offset': String(offset), 'content-type': type },
        payload,
      }),
    [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose](),
  }
}

const contentOf = async ({ server }: World, name: string) => await readFile(join(server.root, name), 'utf8')
const names = async ({ server }: World) => await readdir(server.root)

describe('a resumable upload', () => {
  it('is invisible until its last byte is in', async () => {
    await using place = await world()
    const begun = await place.begin('/docs/a%20b.txt', 10, '?override=false')
    expect([begun.statusCode, begun.body, begun.headers.location]).toEqual([
      201,
      '201 Created\n',
      '/api/tus/docs/a%20b.txt',
    ])
    const first = await place.part('/docs/a%20b.txt', 0, '12345')
    expect([first.statusCode, first.headers['upload-offset'], first.body]).toEqual([204, '5', ''])
    const listed = await place.bob.ask('GET', '/api/resources/docs/')
    expect(listed.json()).toMatchObject({ items: [] })
    expect((await place.part('/docs/a%20b.txt', 5, '67890')).statusCode).toBe(204)
    expect(await contentOf(place, 'docs/a b.txt')).toBe('1234567890')
    expect(await readdir(join(place.server.root, 'docs'))).toEqual(['a b.txt'])
  })

  it('tells when the file it replaces has other names, which keep the old content', async () => {
    await using place = await world({ 'a.txt': 'old' })
    await link(join(place.server.root, 'a.txt'), join(place.server.root, 'b.txt'))
    const upload = async () => {
      await place.begin('/a.txt', 3, '?override=true')
      return (await place.part('/a.txt', 0, 'new')).headers
    }
    expect(await upload()).toMatchObject({ 'x-filemgr-links-parted': '1' })
    expect(await contentOf(place, 'b.txt')).toBe('old')
    expect(await upload()).not.toHaveProperty('x-filemgr-links-parted')
  })

  it.each([
    ['mtime MTUwMDAwMDAwMC4yNQ==', 1_500_000_000_250],
    ['filename YS50eHQ=,mtime MTUwMDAwMDAwMA==', 1_500_000_000_000],
  ])('keeps the time of the file that comes as "%s"', async (metadata, modified) => {
    await using place = await world()
    const headers = { 'upload-length': '3', 'upload-metadata': metadata }
    await place.bob.ask('POST', '/api/tus/a.txt', { headers })
    await place.part('/a.txt', 0, '123')
    expect((await stat(join(place.server.root, 'a.txt'))).mtimeMs).toBe(modified)
  })

  it.each(['mtime', 'mtime LTE=', 'mtime eWVzdGVyZGF5', 'mtime MWU5'])(
    'passes over "%s", which is no time',
    async (metadata) => {
      await using place = await world()
      const before = Date.now() - 5000
      const headers = { 'upload-length': '3', 'upload-metadata': metadata }
      await place.bob.ask('POST', '/api/tus/a.txt', { headers })
      expect((await place.part('/a.txt', 0, '123')).statusCode).toBe(204)
      expect((await stat(join(place.server.root, 'a.txt'))).mtimeMs).toBeGreaterThan(before)
    },
  )

  it.each(['HEAD', 'GET'] as const)('says by %s how far it is', async (method) => {
    await using place = await world()
    await place.begin('/a.txt', 10)
    await place.part('/a.txt', 0, '123')
    const answer = await place.bob.ask(method, '/api/tus/a.txt')
    expect([answer.statusCode, answer.body]).toEqual([200, method === 'GET' ? '200 OK\n' : ''])
    expect(answer.headers).toMatchObject({
      'upload-offset': '3',
      'upload-length': '10',
      'cache-control': 'no-store',
      'tus-resumable': '1.0.0',
    })
  })

  it('answers for an hour after its end as if the last answer had been lost', async () => {
    await using place = await world()
    await place.begin('/a.txt', 3)
    await place.part('/a.txt', 0, '123')
    expect((await place.bob.ask('HEAD', '/api/tus/a.txt')).headers['upload-offset']).toBe('3')
    expect((await place.part('/a.txt', 3, '')).statusCode).toBe(204)
    expect((await place.bob.ask('DELETE', '/api/tus/a.txt')).statusCode).toBe(404)
    place.server.context.clock.move(60 * 60 * 1000)
    expect((await place.bob.ask('HEAD', '/api/tus/a.txt')).statusCode).toBe(404)
  })

  it('of no bytes is complete at once', async () => {
    await using place = await world()
    expect((await place.begin('/empty', 0)).statusCode).toBe(201)
    expect(await contentOf(place, 'empty')).toBe('')
  })

  it('takes the first bytes with its beginning', async () => {
    await using place = await world()
    const headers = { 'upload-length': '3', 'content-type': PART }
    const begun = await place.bob.ask('POST', '/api/tus/a.txt', { headers, payload: '123' })
    expect([begun.statusCode, begun.headers['upload-offset']]).toEqual([201, '3'])
    expect(await contentOf(place, 'a.txt')).toBe('123')
  })

  it('passes over a body of another type at its beginning', async () => {
    await using place = await world()
    const headers = { 'upload-length': '3', 'content-type': 'text/plain' }
    expect((await place.bob.ask('POST', '/api/tus/a.txt', { headers, payload: 'xyz!' })).statusCode).toBe(201)
    expect((await place.bob.ask('HEAD', '/api/tus/a.txt')).headers['upload-offset']).toBe('0')
  })

  it('replaces a file only when it is told to', async () => {
    await using place = await world({ 'a.txt': 'old' })
    expect((await place.begin('/a.txt', 3)).statusCode).toBe(409)
    expect((await place.begin('/a.txt', 3, '?override=true')).statusCode).toBe(201)
    expect(await contentOf(place, 'a.txt')).toBe('old')
    await place.part('/a.txt', 0, 'new')
    expect(await contentOf(place, 'a.txt')).toBe('new')
  })

  it('keeps a file that was made under its name meanwhile', async () => {
    await using place = await world()
    await place.begin('/a.txt', 3)
    await writeFile(join(place.server.root, 'a.txt'), 'other')
    expect((await place.part('/a.txt', 0, 'new')).statusCode).toBe(409)
    expect(await contentOf(place, 'a.txt')).toBe('other')
  })

  it('gives way to a new one of the same user', async () => {
    await using place = await world()
    await place.begin('/a.txt', 10)
    await place.part('/a.txt', 0, '123')
    expect((await place.begin('/a.txt', 2)).statusCode).toBe(201)
    expect((await place.bob.ask('HEAD', '/api/tus/a.txt')).headers).toMatchObject({
      'upload-offset': '0',
      'upload-length': '2',
    })
    expect(await names(place)).toHaveLength(1)
  })

  it('is given up by its owner, who needs no permission to delete', async () => {
    await using place = await world({ 'kept.txt': 'kept' })
    await place.begin('/a.txt', 10)
    expect((await place.bob.ask('DELETE', '/api/tus/a.txt')).statusCode).toBe(204)
    expect(await names(place)).toEqual(['kept.txt'])
    expect((await place.bob.ask('DELETE', '/api/tus/a.txt')).statusCode).toBe(404)
    expect((await place.bob.ask('DELETE', '/api/tus/kept.txt')).statusCode).toBe(404)
  })

  it('belongs to its user', async () => {
    await using place = await world()
    const eve = await place.server.user('eve', { create: true, delete: true })
    await place.begin('/a.txt', 10)
    for (const method of ['HEAD', 'DELETE'] as const)
      expect((await eve.ask(method, '/api/tus/a.txt')).statusCode).toBe(404)
  })
})

describe('a part', () => {
  it.each([
    ['of another type', 0, '1', `${PART}; a=b`, 415],
    ['without a usable offset', 'x', '1', PART, 400],
    ['beyond the length', 11, '1', PART, 400],
    ['at another offset', 2, '1', PART, 409],
    ['at a negative offset', -1, '1', PART, 400],
    ['of more bytes than remain', 0, '12345678901', PART, 413],
  ] as const)('%s is refused and changes nothing', async (_, offset, payload, type, status) => {
    await using place = await world()
    await place.begin('/a.txt', 10)
    expect((await place.part('/a.txt', offset, payload, type)).statusCode).toBe(status)
    expect((await place.bob.ask('HEAD', '/api/tus/a.txt')).headers['upload-offset']).toBe('0')
  })

  it('of a file that nobody uploads is refused', async () => {
    await using place = await world({ 'a.txt': 'old' })
    expect((await place.part('/a.txt', 0, 'new')).statusCode).toBe(404)
    expect(await contentOf(place, 'a.txt')).toBe('old')
  })
})

describe('the beginning of an upload', () => {
  it.each(['abc', '-1', '1e3', '0x10', '', '12345678901234567'])(
    'with the length %j touches nothing',
    async (length) => {
      await using place = await world({ 'a.txt': 'old' })
      expect((await place.begin('/a.txt', length, '?override=true')).statusCode).toBe(400)
      expect(await contentOf(place, 'a.txt')).toBe('old')
      expect(await names(place)).toEqual(['a.txt'])
    },
  )

  it('is refused for a part of a parallel upload, the last of which would replace the target', async () => {
    await using place = await world({ 'a.txt': 'old' })
    for (const concat of ['partial', 'final;/api/tus/1 /api/tus/2']) {
      const headers = { 'upload-length': '3', 'upload-concat': concat }
      expect((await place.bob.ask('POST', '/api/tus/a.txt?override=true', { headers })).statusCode).toBe(400)
    }
    expect(await contentOf(place, 'a.txt')).toBe('old')
    expect(await names(place)).toEqual(['a.txt'])
  })

  it('is refused where a folder is, or is named', async () => {
    await using place = await world({ 'folder/a': '' })
    expect((await place.begin('/folder', 3)).statusCode).toBe(400)
    expect((await place.begin('/', 3)).statusCode).toBe(400)
    expect((await place.begin('/new/', 3)).statusCode).toBe(400)
    expect(await names(place)).toEqual(['folder'])
  })

  it('is refused when the disk cannot take so much', async () => {
    await using place = await world()
    expect((await place.begin('/a.txt', 2 ** 52)).statusCode).toBe(507)
    expect(await names(place)).toEqual([])
  })

  it('asks for the permission to modify where it replaces', async () => {
    await using place = await world({ 'a.txt': 'old' })
    const eve = await place.server.user('eve', { create: true })
    const headers = { 'upload-length': '3' }
    expect((await eve.ask('POST', '/api/tus/a.txt?override=true', { headers })).statusCode).toBe(403)
  })

  it('is refused to a user who has 32 unfinished ones', async () => {
    await using place = await world()
    for (let index = 0; index < 32; index += 1) expect((await place.begin(`/${index}`, 9)).statusCode).toBe(201)
    expect((await place.begin('/more', 9)).statusCode).toBe(429)
    expect((await place.begin('/7', 9)).statusCode).toBe(201)
  })

  it('is described to clients that ask for the capabilities', async () => {
    await using place = await world()
    const answer = await place.server.ask('OPTIONS', '/api/tus/a.txt')
    expect([answer.statusCode, answer.headers['tus-version']]).toEqual([204, '1.0.0'])
  })
})

describe('unfinished uploads', () => {
  it('are listed to administrators and given up by them', async () => {
    await using place = await world()
    await place.begin('/a.txt', 10)
    await place.part('/a.txt', 0, '123')
    const { unfinishedUploads } = place.server.context.services
    const [listed] = await unfinishedUploads.list(OPERATOR)
    expect(listed).toMatchObject({ username: 'bob', path: '/a.txt', offset: 3, length: 10 })
    await unfinishedUploads.remove(OPERATOR, listed?.id ?? '')
    expect(await names(place)).toEqual([])
    expect((await place.bob.ask('HEAD', '/api/tus/a.txt')).statusCode).toBe(404)
  })

  it('end a day after their last byte, and nothing else goes', async () => {
    await using place = await world({ 'a.txt': 'old' })
    const { clock, services } = place.server.context
    clock.move(Date.now() - clock.now())
    const bob = await place.server.login('bob')
    const headers = { 'upload-length': '10' }
    expect((await bob.ask('POST', '/api/tus/a.txt?override=true', { headers })).statusCode).toBe(201)
    expect(await services.unfinishedUploads.sweep()).toBe(0)
    clock.move(24 * 60 * 60 * 1000 + 1000)
    expect(await services.unfinishedUploads.sweep()).toBe(1)
    expect(await names(place)).toEqual(['a.txt'])
    expect(await contentOf(place, 'a.txt')).toBe('old')
  })
})

describe('many requests for one upload', () => {
  it('at the same offset leave one of their bodies', async () => {
    await using place = await world()
    await place.begin('/a.bin', 200_000)
    const bodies = Array.from({ length: 20 }, (_, index) => Buffer.alloc(200_000, index + 1))
    const ask = async (payload: Buffer) =>
      await place.server.askExactly('PATCH', '/api/tus/a.bin', {
        headers: { 'x-auth': place.bob.token, 'upload-offset': '0', 'content-type': PART },
        payload,
      })
    await place.server.askExactly('GET', '/health')
    const statuses = (await Promise.all(bodies.map(ask))).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(new Set(statuses.filter((status) => status !== 204))).not.toContain(500)
    const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    expect(bodies.map(digest)).toContain(digest(await readFile(join(place.server.root, 'a.bin'))))
  })
})
