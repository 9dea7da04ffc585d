import { createHash } from 'node:crypto'
import { readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { NewApiToken } from '../../../src/domain/accounts/api-token.ts'
import type { ArrivalView, LinkView } from '../../../src/domain/shares/share-terms.ts'
import { contentOf, linkOf, receiving, type ReceivingWorld } from '../../helpers/api/receiving.ts'
import { announce, receiptOf, send, sendBytes } from '../../helpers/api/send-files.ts'
import { detailsOf, download, serveShared, shareOf, visit, withPassword } from '../../helpers/api/shared.ts'
import { movableClock } from '../../helpers/movable-clock.ts'

const MINUTE = 60_000
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const arrivalsOf = async ({ ann, link }: ReceivingWorld) =>
  (await ann.ask('GET', `/api/shares/${link.hash}/arrivals`)).json<ArrivalView[]>()

describe('a link that takes files', () => {
  it.each(['a\u202egpj.exe', 'a\u2066b', 'a\u2028b', 'a\u009b2Jb', 'a\u0085b', 'a\u001bb'])(
    'refuses the file name %j, which shows as another or moves the cursor',
    async (name) => {
      await using world = await receiving()
      expect((await announce(world.server, world.link, name, { length: 1 })).statusCode).toBe(400)
      expect(await world.names()).toEqual(['a.txt', 'deny', 'sub'])
    },
  )

  it('drops from the name of a visitor what moves the cursor, reverses the text or is invisible', async () => {
    await using world = await receiving({ folders: 'visitor' })
    for (const from of ['A\u009b2Jnn', '\u202eAnn\u200f', '\u200bAnn\ufeff\u2060', 'A\u0085nn\u2029'])
      await send(world.server, world.link, 'x', 'one', { from })
    expect(new Set((await arrivalsOf(world)).map(({ from }) => from))).toEqual(new Set(['A 2Jnn', 'Ann', 'A nn']))
    expect(await world.names()).toEqual(['A 2Jnn', 'A nn', 'Ann', 'a.txt', 'deny', 'sub'])
  })

  it('stores what a visitor sends in parts, and gives a receipt', async () => {
    await using world = await receiving()
    const { server } = world
    const begun = await announce(server, world.link, 'new.txt', { length: 6 })
    const address = String(begun.headers.location)
    expect(address).toMatch(new RegExp(`^/api/public/tus/${world.link.hash}/[\\w-]{16}$`))
    expect((await sendBytes(server, address, 'abc')).headers['upload-offset']).toBe('3')
    expect((await server.ask('GET', address)).statusCode).toBe(404)
    expect((await server.ask('HEAD', address)).headers).toMatchObject({ 'upload-offset': '3', 'upload-length': '6' })
    expect(await world.names()).not.toContain('new.txt')
    expect((await sendBytes(server, address, 'def', 3)).statusCode).toBe(204)
    expect(await contentOf(world, 'new.txt')).toBe('abcdef')
    expect(await receiptOf(server, address)).toMatchObject({ name: 'new.txt', size: 6, sha256: sha256('abcdef') })
    // A client asks again after it lost the last reply.
    expect((await server.ask('HEAD', address)).headers).toMatchObject({ 'upload-offset': '6' })
  })

  it('takes parts by their offset, not by Content-Range', async () => {
    await using world = await receiving()
    const { server, link } = world
    const part = { 'content-range': 'bytes 3-5/6' }
    const begin = { ...part, 'upload-length': '6' }
    const refused = await server.ask('POST', `/api/public/tus/${link.hash}/new.txt`, { headers: begin })
    expect(refused.statusCode).toBe(400)
    const address = String((await announce(server, link, 'new.txt', { length: 6 })).headers.location)
    const headers = { ...part, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    expect((await server.ask('PATCH', address, { payload: 'abc', headers })).statusCode).toBe(400)
    expect((await server.ask('HEAD', address)).headers).toMatchObject({ 'upload-offset': '0' })
  })

  it('numbers a name that exists without telling the visitor, and replaces nothing', async () => {
    await using world = await receiving()
    const { server, link } = world
    const [one, two] = [await send(server, link, 'a.txt', 'one'), await send(server, link, 'a.txt', 'two')]
    expect([await contentOf(world, 'a.txt'), await contentOf(world, 'a(1).txt')]).toEqual(['alpha', 'one'])
    expect(await contentOf(world, 'a(2).txt')).toBe('two')
    for (const address of [one, two]) expect(await receiptOf(server, address)).toMatchObject({ name: 'a.txt' })
    const answers = [await server.ask('HEAD', one), await server.ask('GET', two)]
    expect(JSON.stringify(answers.map(({ headers, body }) => [headers, body]))).not.toContain('(')
  })

  it('stores every file when the same name is sent several times at once', async () => {
    await using world = await receiving()
    await Promise.all(Array.from({ length: 8 }, async (_, n) => await send(world.server, world.link, 'x', `file ${n}`)))
    const sent = (await world.names()).filter((name) => name.startsWith('x'))
    const contents = await Promise.all(sent.map(async (name) => await contentOf(world, name)))
    expect(contents.toSorted()).toEqual(Array.from({ length: 8 }, (_, n) => `file ${n}`))
  })

  it('shows nothing else: no list, no file, no name', async () => {
    await using world = await receiving()
    const { server, link } = world
    for (const rest of ['', '/', '/a.txt', '/none.txt', '/sub']) {
      expect((await visit(server, link, rest)).statusCode, rest).toBe(403)
      expect((await download(server, link, rest)).statusCode, rest).toBe(403)
    }
    expect((await server.ask('GET', `/api/public/preview/thumb/${link.hash}/a.txt`)).statusCode).toBe(403)
    expect(await linkOf(world)).toEqual({
      allows: 'upload',
      title: '',
      message: '',
      expire: 0,
      asksName: false,
      types: [],
      maxFileBytes: 0,
      filesLeft: null,
      bytesLeft: null,
      downloadsLeft: null,
    })
  })

  it('takes a plain name, and neither a path nor a folder', async () => {
    await using world = await receiving()
    for (const name of ['sub/x.txt', 'sub/', '', 'a\u0007.txt']) {
      const { statusCode } = await announce(world.server, world.link, name, { length: 1 })
      expect([400, 404], name).toContain(statusCode)
    }
  })

  it('takes nothing without a length, nor what its owner has no room for, and counts neither', async () => {
    await using world = await receiving({ maxFiles: 1 })
    const { server, link } = world
    const endless = await announce(server, link, 'x', { headers: { 'upload-length': 'abc' } })
    expect([endless.statusCode, endless.body]).toEqual([400, expect.stringContaining('length')])
    await server.context.store.update((draft, { users }) => {
      draft.users = users.map((user) => ({ ...user, quota: 1000 }))
    })
    const refused = await announce(server, link, 'x', { length: 2000 })
    expect([refused.statusCode, refused.body]).toEqual([507, expect.stringContaining('the recipient has no room')])
    expect(await linkOf(world)).toMatchObject({ filesLeft: 1 })
  })

  it('asks for its password first', async () => {
    await using world = await receiving({}, {}, { password: 'open' })
    const { server, link } = world
    expect((await announce(server, link, 'x', { length: 1 })).statusCode).toBe(401)
    const { token } = (await server.ask('GET', `/api/public/link/${link.hash}`, withPassword('open'))).json<LinkView>()
    const begun = await server.ask('POST', `/api/public/tus/${link.hash}/x?token=${token}`, {
      headers: { 'upload-length': '1' },
    })
    const address = String(begun.headers.location)
    expect((await sendBytes(server, address, 'x')).statusCode).toBe(204)
    expect((await sendBytes(server, address.replace(/\?.*/, ''), 'x')).statusCode).toBe(401)
  })

  it('is closed while its owner may not upload, and after it was removed', async () => {
    await using world = await receiving()
    const { server, ann, link } = world
    const begun = await announce(server, link, 'x', { length: 1 })
    await server.context.store.update((draft) => {
      for (const user of draft.users) if (user.username === 'ann') user.perm.create = false
    })
    expect((await announce(server, link, 'y', { length: 1 })).statusCode).toBe(403)
    expect((await sendBytes(server, String(begun.headers.location), 'x')).statusCode).toBe(403)
    await ann.ask('DELETE', `/api/share/${link.hash}`)
    expect((await sendBytes(server, String(begun.headers.location), 'x')).statusCode).toBe(404)
    expect(await world.names()).not.toContain('x')
  })

  it('needs a folder, and an owner who may upload', async () => {
    const { server, ann } = await serveShared()
    await using _server = server
    const create = (path: string) => ann.ask('POST', `/api/share${path}`, { payload: '{"terms":{"allows":"upload"}}' })
    expect((await create('/docs')).statusCode).toBe(403)
    const bob = await server.user('bob', { share: true, download: true, create: true })
    const file = await bob.ask('POST', '/api/share/docs/a.txt', { payload: '{"terms":{"allows":"both"}}' })
    expect(file.statusCode).toBe(400)
    const { hash } = await shareOf(bob, '/docs')
    const { apiTokens, users } = server.context.services
    const order: NewApiToken = { name: 'links', permissions: ['share', 'download'] }
    const { token } = await apiTokens.create(OPERATOR, order, { owner: users.find('bob').id })
    const headers = { authorization: `Bearer ${token}` }
    const change = await server.ask('PUT', `/api/shares/${hash}`, { payload: '{"terms":{"allows":"upload"}}', headers })
    expect(change.statusCode).toBe(403)
  })

  it('CVE-2026-44542: other links take and remove nothing', async () => {
    await using world = await receiving({ allows: 'download' })
    const { server, link } = world
    expect((await announce(server, link, 'x', { length: 1 })).statusCode).toBe(403)
    for (const method of ['PATCH', 'DELETE', 'GET', 'HEAD'] as const)
      expect((await server.ask(method, `/api/public/tus/${link.hash}/a.txt`)).statusCode).toBe(403)
    expect(await world.names()).toEqual(['a.txt', 'deny', 'sub'])
  })

  it('keeps its uploads apart from those of its owner', async () => {
    await using world = await receiving()
    const { server, ann, link } = world
    await ann.ask('POST', '/api/tus/docs/x', { headers: { 'upload-length': '3' } })
    const address = String((await announce(server, link, 'x', { length: 3 })).headers.location)
    expect((await ann.ask('DELETE', '/api/tus/docs/x')).statusCode).toBe(204)
    expect((await sendBytes(server, address, 'abc')).statusCode).toBe(204)
    expect((await ann.ask('HEAD', '/api/tus/docs/x')).statusCode).toBe(404)
    expect((await server.ask('HEAD', address.replace(/.{16}$/, 'x'))).statusCode).toBe(404)
  })
})

describe('the limits of a link', () => {
  it('hold to the byte when visitors upload at once', async () => {
    await using world = await receiving({ maxBytes: 100 })
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const { statusCode } = await announce(world.server, world.link, `${n}.bin`, { length: 7 })
        return statusCode
      }),
    )
    expect(statuses.filter((status) => status === 201)).toHaveLength(14)
    expect(statuses.filter((status) => status === 413)).toHaveLength(6)
    expect(await linkOf(world)).toMatchObject({ bytesLeft: 2 })
    expect((await announce(world.server, world.link, 'two', { length: 3 })).statusCode).toBe(413)
    expect((await announce(world.server, world.link, 'two', { length: 2 })).statusCode).toBe(201)
  })

  it.each([
    [{ maxFiles: 1 }, 'b.jpg', 1, 413],
    [{ maxFileBytes: 3 }, 'b.jpg', 4, 413],
    [{ types: ['jpg', 'png'] }, 'b.JPG', 4, 201],
    [{ types: ['jpg', 'png'] }, 'b.jpg.exe', 4, 400],
    [{ types: ['jpg', 'png'] }, 'jpg', 4, 400],
  ])('of %j answer %s of %i bytes with %i', async (terms, name, length, status) => {
    await using world = await receiving(terms)
    await send(world.server, world.link, 'first.jpg', 'a')
    expect((await announce(world.server, world.link, name, { length })).statusCode).toBe(status)
  })

  it('are free again when an upload is cancelled, expires, or was left by a killed daemon', async () => {
    const clock = movableClock(Date.now())
    await using world = await receiving({ maxFiles: 2 }, { clock })
    const { server, link } = world
    const begun = await announce(server, link, 'x', { length: 1 })
    expect((await server.ask('DELETE', String(begun.headers.location))).statusCode).toBe(204)
    expect(await linkOf(world)).toMatchObject({ filesLeft: 2 })
    await announce(server, link, 'y', { length: 1 })
    await server.context.store.update((draft) => {
      for (const share of draft.shares) {
        share.received = { files: 2, bytes: 2 }
        share.arrivals?.push({ id: 'k'.repeat(16), name: 'z', from: '', bytes: 1, begun: 1 })
      }
    })
    await server.context.services.unfinishedUploads.sweep()
    expect(await linkOf(world)).toMatchObject({ filesLeft: 1 })
    clock.move(25 * 60 * MINUTE)
    await server.context.services.unfinishedUploads.sweep()
    expect(await linkOf(world)).toMatchObject({ filesLeft: 2 })
  })

  it('are free again a quarter of an hour after an upload that hardly began, and a day after a larger one', async () => {
    const clock = movableClock(Date.now())
    await using world = await receiving({ maxFiles: 4 }, { clock })
    const { server, link } = world
    const length = 3 * 1024 * 1024
    const begun = await announce(server, link, 'small', { length })
    const part = await sendBytes(server, String(begun.headers.location), 'x')
    const large = await announce(server, link, 'large', { length })
    const continued = await sendBytes(server, String(large.headers.location), 'x'.repeat(1024 * 1024))
    await world.ann.ask('POST', '/api/tus/docs/own', { headers: { 'upload-length': '9' } })
    const minutesLeft = ({ headers }: typeof begun) =>
      Math.round((Date.parse(String(headers['upload-expires'])) - clock.now()) / MINUTE)
    expect([begun, part, large, continued].map(minutesLeft)).toEqual([15, 15, 15, 24 * 60])
    clock.move(14 * MINUTE)
    await server.context.services.unfinishedUploads.sweep()
    expect(await linkOf(world)).toMatchObject({ filesLeft: 2 })
    clock.move(2 * MINUTE)
    expect((await server.ask('HEAD', String(begun.headers.location))).statusCode).toBe(404)
    await server.context.services.unfinishedUploads.sweep()
    expect(await linkOf(world)).toMatchObject({ filesLeft: 3 })
    expect((await server.ask('HEAD', String(large.headers.location))).statusCode).toBe(200)
    expect((await world.ann.ask('HEAD', '/api/tus/docs/own')).statusCode).toBe(200)
  })

  it('of unfinished uploads make room for others at once when some have expired', async () => {
    const clock = movableClock(Date.now())
    await using world = await receiving({}, { clock })
    const { server, link } = world
    const begin = async (name: string) => (await announce(server, link, name, { length: 9 })).statusCode
    for (let index = 0; index < 32; index += 1) expect(await begin(`${index}`)).toBe(201)
    expect(await begin('more')).toBe(429)
    clock.move(16 * MINUTE)
    expect(await begin('more')).toBe(201)
    expect(await server.context.services.unfinishedUploads.list(OPERATOR)).toHaveLength(1)
  })

  it('can be changed, each on its own', async () => {
    await using world = await receiving({ maxFiles: 1, title: 'Photos' })
    await send(world.server, world.link, 'x', 'x')
    const payload = JSON.stringify({ terms: { maxFiles: 3 } })
    expect((await world.ann.ask('PUT', `/api/shares/${world.link.hash}`, { payload })).statusCode).toBe(200)
    expect(await linkOf(world)).toMatchObject({ filesLeft: 2, title: 'Photos' })
  })
})

describe('a file that a visitor sent', () => {
  it('can be removed by the visitor for half an hour, and no longer counts', async () => {
    const clock = movableClock(Date.now())
    await using world = await receiving({ maxFiles: 2 }, { clock })
    const { server, link } = world
    const [one, two] = [await send(server, link, 'x', 'one'), await send(server, link, 'y', 'two')]
    expect((await server.ask('DELETE', one)).statusCode).toBe(204)
    expect((await server.ask('DELETE', one)).statusCode).toBe(404)
    expect(await world.names()).toEqual(['a.txt', 'deny', 'sub', 'y'])
    expect(await linkOf(world)).toMatchObject({ filesLeft: 1 })
    clock.move(31 * MINUTE)
    expect((await server.ask('DELETE', two)).statusCode).toBe(403)
    expect(await receiptOf(server, two)).toMatchObject({ name: 'y', size: 3 })
  })

  it('is neither described nor removed once another file has its name', async () => {
    await using world = await receiving()
    const { server, link } = world
    const address = await send(server, link, 'x', 'one')
    await writeFile(join(server.root, 'docs/other'), 'two')
    await rename(join(server.root, 'docs/other'), join(server.root, 'docs/x'))
    expect(await receiptOf(server, address)).toMatchObject({ sha256: null })
    expect((await server.ask('DELETE', address)).statusCode).toBe(404)
    expect(await contentOf(world, 'x')).toBe('two')
  })

  it('is neither described nor removed once its owner has edited it, also at the same length', async () => {
    await using world = await receiving()
    const { server, link } = world
    const address = await send(server, link, 'x', 'one')
    await writeFile(join(server.root, 'docs/x'), 'two')
    expect(await receiptOf(server, address)).toMatchObject({ sha256: null })
    expect((await server.ask('DELETE', address)).statusCode).toBe(404)
    expect(await contentOf(world, 'x')).toBe('two')
  })

  it('keeps its receipt when another visitor sends hundreds of files', async () => {
    await using world = await receiving({}, { options: { trustedProxies: ['127.0.0.1'] } })
    const { server, link } = world
    const flooding = { headers: { 'x-forwarded-for': '192.0.2.1' } }
    const address = await send(server, link, 'x', 'one', { headers: { 'x-forwarded-for': '192.0.2.2' } })
    await send(server, link, 'empty', '', flooding)
    await server.context.store.update((draft, { shares }) => {
      draft.shares = shares.map((share) => {
        const [first, flood] = share.arrivals ?? []
        if (first === undefined || flood === undefined) return share
        const more = Array.from({ length: 498 }, (_, index) => ({ ...flood, id: String(index).padStart(16, '0') }))
        return { ...share, arrivals: [first, flood, ...more] }
      })
    })
    await send(server, link, 'empty', '', flooding)
    expect(await arrivalsOf(world)).toHaveLength(500)
    expect(await receiptOf(server, address)).toMatchObject({ name: 'x', size: 3 })
  })

  it('is listed for the owner, with name and checksum, newest first', async () => {
    await using world = await receiving({ asksName: true })
    const { server, link } = world
    expect((await announce(server, link, 'x', { length: 1 })).statusCode).toBe(400)
    await receiptOf(server, await send(server, link, 'a.txt', 'one', { from: ' Bob\u202e <b> ' }))
    await send(server, link, 'y', 'two', { from: '../Eve' })
    expect(await arrivalsOf(world)).toMatchObject([
      { path: '/docs/y', name: 'y', from: 'Eve', size: 3, sha256: null },
      { path: '/docs/a(1).txt', name: 'a.txt', from: 'Bob b', size: 3, sha256: sha256('one') },
    ])
    expect(await detailsOf(world.ann, link)).toMatchObject({ receivedFiles: 2, receivedBytes: 6 })
    const bob = await server.user('bob', { share: true, download: true })
    expect((await bob.ask('GET', `/api/shares/${link.hash}/arrivals`)).statusCode).toBe(403)
  })

  it('goes into a folder for each visitor, beside a file or a link of that name', async () => {
    await using world = await receiving({ folders: 'visitor' })
    const { server, link } = world
    expect(await linkOf(world)).toMatchObject({ asksName: true })
    await send(server, link, 'x', 'one', { from: 'Bob' })
    await send(server, link, 'x', 'two', { from: 'Bob' })
    await send(server, link, 'x', 'three', { from: 'a.txt' })
    expect((await readdir(join(server.root, 'docs/Bob'))).toSorted()).toEqual(['x', 'x(1)'])
    expect(await contentOf(world, 'a(1).txt/x')).toBe('three')
  })

  it('refuses the name of a visitor that is not UTF-8, and cuts a long one between characters', async () => {
    await using world = await receiving({ folders: 'visitor' })
    const headers = { 'upload-metadata': `from ${btoa('J\xf6rg')}` }
    const refused = await announce(world.server, world.link, 'x', { length: 1, headers })
    expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('valid text')])
    const long = 'n'.repeat(99)
    await send(world.server, world.link, 'x', 'one', { from: `${long}\u{1f600}` })
    expect(await world.names()).toEqual(['a.txt', 'deny', long, 'sub'])
  })

  it('goes into a folder for each day', async () => {
    await using world = await receiving({ folders: 'day' }, { clock: movableClock(Date.UTC(2026, 2, 1, 9)) })
    await send(world.server, world.link, 'x', 'one')
    expect(await contentOf(world, '2026-03-01/x')).toBe('one')
  })

  it('leaves neither addresses nor hashes in the logs', async () => {
    await using world = await receiving()
    const { server, link } = world
    const address = await send(server, link, 'x', 'one')
    await server.ask('DELETE', `${address}x`)
    await server.ask('DELETE', address)
    const entries = await server.context.services.audit.page({ kind: 'operator' }, {})
    expect(entries.entries).toMatchObject([
      { action: 'public.withdraw', effect: 'deleted', target: '/docs', who: 'visitor' },
      { action: 'public.append', effect: 'created', target: '/docs' },
      ...Array.from({ length: entries.entries.length - 2 }, () => ({})),
    ])
    const written = JSON.stringify([server.log, entries])
    for (const secret of [link.hash, address.slice(-16)]) expect(written).not.toContain(secret)
  })
})
