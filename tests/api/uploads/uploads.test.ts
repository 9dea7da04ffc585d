import { createHash } from 'node:crypto'
import { link, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { rawSocket } from '../../helpers/api/raw-socket.ts'
import { testApp, type Client, type TestApp } from '../../helpers/api/test-app.ts'

const PART = 'application/offset+octet-stream'

interface World extends AsyncDisposable {
  readonly server: TestApp
  readonly bob: Client
  begin(path: string, length: number | string, query?: string): ReturnType<Client['ask']>
  part(path: string, offset: number | string, payload: string | Buffer, type?: string): ReturnType<Client['ask']>
}

async function openWorld(files: Record<string, string> = {}): Promise<World> {
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
    await using world = await openWorld()
    const begun = await world.begin('/docs/a%20b.txt', 10, '?override=false')
    expect([begun.statusCode, begun.body, begun.headers.location]).toEqual([
      201,
      '201 Created\n',
      '/api/tus/docs/a%20b.txt',
    ])
    const first = await world.part('/docs/a%20b.txt', 0, '12345')
    expect([first.statusCode, first.headers['upload-offset'], first.body]).toEqual([204, '5', ''])
    const listed = await world.bob.ask('GET', '/api/resources/docs/')
    expect(listed.json()).toMatchObject({ items: [] })
    expect((await world.part('/docs/a%20b.txt', 5, '67890')).statusCode).toBe(204)
    expect(await contentOf(world, 'docs/a b.txt')).toBe('1234567890')
    expect(await readdir(join(world.server.root, 'docs'))).toEqual(['a b.txt'])
  })

  it('reports when hard links of the replaced file keep the old content', async () => {
    await using world = await openWorld({ 'a.txt': 'old' })
    await link(join(world.server.root, 'a.txt'), join(world.server.root, 'b.txt'))
    const upload = async () => {
      await world.begin('/a.txt', 3, '?override=true')
      return (await world.part('/a.txt', 0, 'new')).headers
    }
    expect(await upload()).toMatchObject({ 'x-filemgr-links-parted': '1' })
    expect(await contentOf(world, 'b.txt')).toBe('old')
    expect(await upload()).not.toHaveProperty('x-filemgr-links-parted')
  })

  it.each([
    ['mtime MTUwMDAwMDAwMC4yNQ==', 1_500_000_000_250],
    ['filename YS50eHQ=,mtime MTUwMDAwMDAwMA==', 1_500_000_000_000],
  ])('keeps the time of the file that is sent as "%s"', async (metadata, modified) => {
    await using world = await openWorld()
    const headers = { 'upload-length': '3', 'upload-metadata': metadata }
    await world.bob.ask('POST', '/api/tus/a.txt', { headers })
    await world.part('/a.txt', 0, '123')
    expect((await stat(join(world.server.root, 'a.txt'))).mtimeMs).toBe(modified)
  })

  it.each(['mtime', 'mtime LS0x', 'mtime eWVzdGVyZGF5', 'mtime MWU5'])(
    'ignores "%s", which is no time',
    async (metadata) => {
      await using world = await openWorld()
      const before = Date.now() - 5000
      const headers = { 'upload-length': '3', 'upload-metadata': metadata }
      await world.bob.ask('POST', '/api/tus/a.txt', { headers })
      expect((await world.part('/a.txt', 0, '123')).statusCode).toBe(204)
      expect((await stat(join(world.server.root, 'a.txt'))).mtimeMs).toBeGreaterThan(before)
    },
  )

  it.each(['HEAD', 'GET'] as const)('reports its offset by %s', async (method) => {
    await using world = await openWorld()
    await world.begin('/a.txt', 10)
    await world.part('/a.txt', 0, '123')
    const answer = await world.bob.ask(method, '/api/tus/a.txt')
    expect([answer.statusCode, answer.body]).toEqual([200, method === 'GET' ? '200 OK\n' : ''])
    expect(answer.headers).toMatchObject({
      'upload-offset': '3',
      'upload-length': '10',
      'cache-control': 'no-store',
      'tus-resumable': '1.0.0',
    })
  })

  it('is answered for an hour after its end, in case the last answer was lost', async () => {
    await using world = await openWorld()
    await world.begin('/a.txt', 3)
    await world.part('/a.txt', 0, '123')
    expect((await world.bob.ask('HEAD', '/api/tus/a.txt')).headers['upload-offset']).toBe('3')
    expect((await world.part('/a.txt', 3, '')).statusCode).toBe(204)
    expect((await world.bob.ask('DELETE', '/api/tus/a.txt')).statusCode).toBe(404)
    world.server.context.clock.move(60 * 60 * 1000)
    expect((await world.bob.ask('HEAD', '/api/tus/a.txt')).statusCode).toBe(404)
  })

  it('takes no more bytes after its end, and answers a part only when the whole of it has arrived', async () => {
    await using world = await openWorld()
    await world.begin('/a.txt', 3)
    await world.part('/a.txt', 0, '123')
    const answerTo = async (rest: string) => {
      using connection = await rawSocket(world.server.app)
      connection.socket.write(
        `PATCH /api/tus/a.txt HTTP/1.1\r\nHost: localhost\r\nX-Auth: ${world.bob.token}\r\nContent-Type: ${PART}\r\n` +
          'Upload-Offset: 3\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n',
      )
      // An answer to the first part of this request would arrive before the one to another request.
      expect((await world.bob.ask('GET', '/api/resources/')).statusCode).toBe(200)
      const early = connection.received()
      connection.socket.write(rest)
      await connection.closed
      return [early, connection.received().slice(0, 12)]
    }
    expect(await answerTo('0\r\n\r\n')).toEqual(['', 'HTTP/1.1 204'])
    expect(await answerTo('1\r\n4\r\n0\r\n\r\n')).toEqual(['', 'HTTP/1.1 413'])
    expect(await contentOf(world, 'a.txt')).toBe('123')
  })

  it('of no bytes is complete at once', async () => {
    await using world = await openWorld()
    expect((await world.begin('/empty', 0)).statusCode).toBe(201)
    expect(await contentOf(world, 'empty')).toBe('')
  })

  it('accepts its first bytes in the request that begins it', async () => {
    await using world = await openWorld()
    const headers = { 'upload-length': '3', 'content-type': PART }
    const begun = await world.bob.ask('POST', '/api/tus/a.txt', { headers, payload: '123' })
    expect([begun.statusCode, begun.headers['upload-offset']]).toEqual([201, '3'])
    expect(await contentOf(world, 'a.txt')).toBe('123')
  })

  it('ignores a body of another type in the request that begins it', async () => {
    await using world = await openWorld()
    const headers = { 'upload-length': '3', 'content-type': 'text/plain' }
    expect((await world.bob.ask('POST', '/api/tus/a.txt', { headers, payload: 'xyz!' })).statusCode).toBe(201)
    expect((await world.bob.ask('HEAD', '/api/tus/a.txt')).headers['upload-offset']).toBe('0')
  })

  it('replaces a file only with override', async () => {
    await using world = await openWorld({ 'a.txt': 'old' })
    expect((await world.begin('/a.txt', 3)).statusCode).toBe(409)
    expect((await world.begin('/a.txt', 3, '?override=true')).statusCode).toBe(201)
    expect(await contentOf(world, 'a.txt')).toBe('old')
    await world.part('/a.txt', 0, 'new')
    expect(await contentOf(world, 'a.txt')).toBe('new')
  })

  it('keeps a file that was created under its name meanwhile', async () => {
    await using world = await openWorld()
    await world.begin('/a.txt', 3)
    await writeFile(join(world.server.root, 'a.txt'), 'other')
    expect((await world.part('/a.txt', 0, 'new')).statusCode).toBe(409)
    expect(await contentOf(world, 'a.txt')).toBe('other')
  })

  it('is replaced by a new upload of the same user', async () => {
    await using world = await openWorld()
    await world.begin('/a.txt', 10)
    await world.part('/a.txt', 0, '123')
    expect((await world.begin('/a.txt', 2)).statusCode).toBe(201)
    expect((await world.bob.ask('HEAD', '/api/tus/a.txt')).headers).toMatchObject({
      'upload-offset': '0',
      'upload-length': '2',
    })
    expect(await names(world)).toHaveLength(1)
  })

  it('can be cancelled by its owner without the permission to delete', async () => {
    await using world = await openWorld({ 'kept.txt': 'kept' })
    await world.begin('/a.txt', 10)
    expect((await world.bob.ask('DELETE', '/api/tus/a.txt')).statusCode).toBe(204)
    expect(await names(world)).toEqual(['kept.txt'])
    expect((await world.bob.ask('DELETE', '/api/tus/a.txt')).statusCode).toBe(404)
    expect((await world.bob.ask('DELETE', '/api/tus/kept.txt')).statusCode).toBe(404)
  })

  it('can be neither read nor cancelled by another user', async () => {
    await using world = await openWorld()
    const eve = await world.server.user('eve', { create: true, delete: true })
    await world.begin('/a.txt', 10)
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
    await using world = await openWorld()
    await world.begin('/a.txt', 10)
    expect((await world.part('/a.txt', offset, payload, type)).statusCode).toBe(status)
    expect((await world.bob.ask('HEAD', '/api/tus/a.txt')).headers['upload-offset']).toBe('0')
  })

  it('at another offset is told the right one', async () => {
    await using world = await openWorld()
    await world.begin('/a.txt', 10)
    await world.part('/a.txt', 0, '123')
    expect((await world.part('/a.txt', 7, '890')).headers).toMatchObject({ 'upload-offset': '3' })
    expect((await world.part('/a.txt', 0, '123')).headers).toMatchObject({ 'upload-offset': '3' })
  })

  it('of a file without an upload is refused', async () => {
    await using world = await openWorld({ 'a.txt': 'old' })
    expect((await world.part('/a.txt', 0, 'new')).statusCode).toBe(404)
    expect(await contentOf(world, 'a.txt')).toBe('old')
  })
})

describe('the beginning of an upload', () => {
  it.each(['abc', '-1', '1e3', '0x10', '', '12345678901234567'])(
    'with the length %j touches nothing',
    async (length) => {
      await using world = await openWorld({ 'a.txt': 'old' })
      expect((await world.begin('/a.txt', length, '?override=true')).statusCode).toBe(400)
      expect(await contentOf(world, 'a.txt')).toBe('old')
      expect(await names(world)).toEqual(['a.txt'])
    },
  )

  it('is refused for a part of a parallel upload, the last of which would replace the target', async () => {
    await using world = await openWorld({ 'a.txt': 'old' })
    for (const concat of ['partial', 'final;/api/tus/1 /api/tus/2']) {
      const headers = { 'upload-length': '3', 'upload-concat': concat }
      expect((await world.bob.ask('POST', '/api/tus/a.txt?override=true', { headers })).statusCode).toBe(400)
    }
    expect(await contentOf(world, 'a.txt')).toBe('old')
    expect(await names(world)).toEqual(['a.txt'])
  })

  it('is refused for a folder, and for a path with a slash at its end', async () => {
    await using world = await openWorld({ 'folder/a': '' })
    expect((await world.begin('/folder', 3)).statusCode).toBe(400)
    expect((await world.begin('/', 3)).statusCode).toBe(400)
    expect((await world.begin('/new/', 3)).statusCode).toBe(400)
    expect(await names(world)).toEqual(['folder'])
  })

  it('is refused when the disk has no room for it', async () => {
    await using world = await openWorld()
    expect((await world.begin('/a.txt', 2 ** 52)).statusCode).toBe(507)
    expect(await names(world)).toEqual([])
  })

  it('needs the permission to modify for override', async () => {
    await using world = await openWorld({ 'a.txt': 'old' })
    const eve = await world.server.user('eve', { create: true })
    const headers = { 'upload-length': '3' }
    expect((await eve.ask('POST', '/api/tus/a.txt?override=true', { headers })).statusCode).toBe(403)
  })

  it('is refused to a user who has 32 unfinished ones', async () => {
    await using world = await openWorld()
    for (let index = 0; index < 32; index += 1) expect((await world.begin(`/${index}`, 9)).statusCode).toBe(201)
    expect((await world.begin('/more', 9)).statusCode).toBe(429)
    expect((await world.begin('/7', 9)).statusCode).toBe(201)
  })

  it('is described to clients that ask for the capabilities', async () => {
    await using world = await openWorld()
    const answer = await world.server.ask('OPTIONS', '/api/tus/a.txt')
    expect([answer.statusCode, answer.headers['tus-version']]).toEqual([204, '1.0.0'])
  })
})

describe('unfinished uploads', () => {
  it('can be listed and cancelled by administrators', async () => {
    await using world = await openWorld()
    await world.begin('/a.txt', 10)
    await world.part('/a.txt', 0, '123')
    const { unfinishedUploads } = world.server.context.services
    const [listed] = await unfinishedUploads.list(OPERATOR)
    expect(listed).toMatchObject({ username: 'bob', path: '/a.txt', offset: 3, length: 10 })
    await unfinishedUploads.remove(OPERATOR, listed?.id ?? '')
    expect(await names(world)).toEqual([])
    expect((await world.bob.ask('HEAD', '/api/tus/a.txt')).statusCode).toBe(404)
  })

  it('expire a day after their last byte, and nothing else is removed', async () => {
    await using world = await openWorld({ 'a.txt': 'old' })
    const { clock, services } = world.server.context
    clock.move(Date.now() - clock.now())
    const bob = await world.server.login('bob')
    const headers = { 'upload-length': '10' }
    expect((await bob.ask('POST', '/api/tus/a.txt?override=true', { headers })).statusCode).toBe(201)
    expect(await services.unfinishedUploads.sweep()).toBe(0)
    clock.move(24 * 60 * 60 * 1000 + 1000)
    expect(await services.unfinishedUploads.sweep()).toBe(1)
    expect(await names(world)).toEqual(['a.txt'])
    expect(await contentOf(world, 'a.txt')).toBe('old')
  })
})

describe('many requests for one upload', () => {
  it('at the same offset store exactly one of their bodies', async () => {
    await using world = await openWorld()
    await world.begin('/a.bin', 200_000)
    const bodies = Array.from({ length: 20 }, (_, index) => Buffer.alloc(200_000, index + 1))
    const ask = async (payload: Buffer) =>
      await world.server.askExactly('PATCH', '/api/tus/a.bin', {
        headers: { 'x-auth': world.bob.token, 'upload-offset': '0', 'content-type': PART },
        payload,
      })
    await world.server.askExactly('GET', '/health')
    const statuses = (await Promise.all(bodies.map(ask))).map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(new Set(statuses.filter((status) => status !== 204))).not.toContain(500)
    const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    expect(bodies.map(digest)).toContain(digest(await readFile(join(world.server.root, 'a.bin'))))
  })
})
