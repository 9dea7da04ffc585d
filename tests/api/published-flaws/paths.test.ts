import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { ALL_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { testApp, type Client, type TestApp, type TestAppInput } from '../../helpers/api/test-app.ts'

const PART = 'application/offset+octet-stream'
const DENY_SECRETS = { regex: false, allow: false, path: '/secrets', regexp: null }

interface World extends AsyncDisposable {
  readonly server: TestApp
  readonly bob: Client
  /** Beside the served folder: nothing may reach it. */
  readonly outside: string
}

async function world(files: TestAppInput['files'] = {}, perm = ALL_PERMISSIONS): Promise<World> {
  const outside = await tempFolder({ 'secret.txt': 'secret' })
  const server = await testApp({ files })
  const bob = await server.user('bob', { ...perm, admin: false })
  return {
    server,
    bob,
    outside: outside.path,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await outside[Symbol.asyncDispose]()
    },
  }
}

const begin = async (client: Client, path: string, length: string, more: Record<string, string> = {}) =>
  (await client.ask('POST', `/api/tus${path}`, { headers: { 'upload-length': length, ...more } })).statusCode

const part = async (client: Client, path: string, offset: number, payload: string | Buffer) =>
  (
    await client.ask('PATCH', `/api/tus${path}`, {
      headers: { 'upload-offset': String(offset), 'content-type': PART },
      payload,
    })
  ).statusCode

const transfer = async (client: Client, action: string, from: string, to: string, more = '') =>
  (await client.ask('PATCH', `/api/resources${from}?action=${action}&destination=${encodeURIComponent(to)}${more}`))
    .statusCode

const contentOf = ({ server }: World, name: string) => readFileSync(join(server.root, name), 'utf8')
const namesIn = ({ server }: World, folder = '.') => readdirSync(join(server.root, folder)).toSorted()
const secretOf = ({ outside }: World) => [readdirSync(outside), readFileSync(join(outside, 'secret.txt'), 'utf8')]
const UNTOUCHED = [['secret.txt'], 'secret']

describe('flaws that were published about uploads', () => {
  it('CVE-2026-29188: giving up an upload deletes no file, for any user and whatever is there', async () => {
    await using place = await world({ 'a.txt': 'a', 'folder/b.txt': 'b' })
    const eve = await place.server.user('eve', { create: true })
    for (const path of ['/a.txt', '/folder', '/folder/', '/folder/b.txt', '/'])
      expect([403, 404]).toContain((await eve.ask('DELETE', `/api/tus${path}`)).statusCode)
    expect(await begin(place.bob, '/a.txt?override=true', '3')).toBe(201)
    expect((await eve.ask('DELETE', '/api/tus/a.txt')).statusCode).toBe(404)
    expect((await place.bob.ask('DELETE', '/api/tus/a.txt')).statusCode).toBe(204)
    expect(namesIn(place)).toEqual(['a.txt', 'folder'])
    expect([contentOf(place, 'a.txt'), contentOf(place, 'folder/b.txt')]).toEqual(['a', 'b'])
  })

  it('CVE-2026-32759: a negative or endless length begins nothing, completes nothing and tells nobody', async () => {
    await using place = await world({ 'a.txt': 'old' })
    const written: string[] = []
    place.server.context.services.fileChanges.subscribe(async (change) => {
      written.push(change.kind)
    })
    for (const length of ['-1', '-0', '9007199254740992', '1e9', '0x5', ' ', '+3', 'NaN', '1,2'])
      expect(await begin(place.bob, '/a.txt?override=true', length), length).toBe(400)
    expect([namesIn(place), contentOf(place, 'a.txt'), written]).toEqual([['a.txt'], 'old', []])
  })

  it('a part may not bring more than was declared, and what came too much is cut off', async () => {
    await using place = await world()
    await begin(place.bob, '/a.bin', '400000')
    expect(await part(place.bob, '/a.bin', 0, '1234')).toBe(204)
    const headers = {
      'x-auth': place.bob.token,
      'upload-offset': '4',
      'content-type': PART,
      'transfer-encoding': 'chunked',
    }
    const answer = await place.server.askExactly('PATCH', '/api/tus/a.bin', { headers, payload: Buffer.alloc(600_000) })
    expect(answer.statusCode).toBe(413)
    const [staged = ''] = namesIn(place)
    expect(statSync(join(place.server.root, staged)).size).toBe(4)
  })

  it('an upload that nobody goes on with takes only its own bytes along when it ends', async () => {
    await using place = await world({ 'a.txt': 'old' })
    const { clock, services } = place.server.context
    clock.move(Date.now() - clock.now())
    const bob = await place.server.login('bob')
    await begin(bob, '/a.txt?override=true', '3')
    await begin(bob, '/b.txt', '3')
    writeFileSync(join(place.server.root, 'b.txt'), 'made meanwhile')
    clock.move(25 * 60 * 60 * 1000)
    expect(await services.unfinishedUploads.sweep()).toBe(2)
    expect([namesIn(place), contentOf(place, 'a.txt'), contentOf(place, 'b.txt')]).toEqual([
      ['a.txt', 'b.txt'],
      'old',
      'made meanwhile',
    ])
  })

  it.each(['../../etc/cron.d/x', '..%2f..%2fx', '/etc/passwd', 'a/../../x'])(
    'what a client says of the name "%s" never becomes a path: only the address does',
    async (name) => {
      // The folder above the served one: other tests put files into the usual one.
      await using above = await tempFolder()
      vi.stubEnv('TMPDIR', above.path)
      await using place = await world()
      const metadata = `filename ${Buffer.from(name).toString('base64')},filepath ${Buffer.from(name).toString('base64')}`
      const more = { 'upload-metadata': metadata, 'upload-id': name, 'x-file-name': name }
      expect(await begin(place.bob, '/a.txt', '3', more)).toBe(201)
      expect(await part(place.bob, '/a.txt', 0, 'abc')).toBe(204)
      expect(namesIn(place)).toEqual(['a.txt'])
      expect(dirname(place.server.root)).toBe(above.path)
      expect(readdirSync(above.path)).not.toContain('x')
    },
  )

  it('a short list of names with spaces and commas does not hold the server for ever', async () => {
    await using place = await world()
    for (const metadata of [`${'a ,'.repeat(60)},`, `${'a , '.repeat(60)}\u00e9`, ' '.repeat(9000), 'a '.repeat(4000)])
      expect(await begin(place.bob, '/a.txt', '3', { 'upload-metadata': metadata })).toBe(201)
    const { headers } = await place.bob.ask('HEAD', '/api/tus/a.txt')
    expect(headers).not.toHaveProperty('upload-metadata')
    await begin(place.bob, '/a.txt', '3', { 'upload-metadata': 'filename YQ==, type , b,c ZA==' })
    const kept = await place.bob.ask('HEAD', '/api/tus/a.txt')
    expect(kept.headers['upload-metadata']).toBe('filename YQ==, type , b,c ZA==')
  })

  it('uploads are not put together from others, which would name their paths', async () => {
    await using place = await world({ 'secrets/a.txt': 'secret' })
    const { headers } = await place.server.ask('OPTIONS', '/api/tus/a.txt')
    expect(headers['tus-extension']).not.toContain('concatenation')
    const concat = { 'upload-concat': 'final;/api/tus/secrets/a.txt /api/tus/../x' }
    expect((await place.bob.ask('POST', '/api/tus/a.txt', { headers: concat })).statusCode).toBe(400)
    expect(namesIn(place)).toEqual(['secrets'])
  })

  it('a form is kept as it is sent and is never parsed: its parts name no files', async () => {
    await using place = await world()
    const payload = '--x\r\nContent-Disposition: form-data; name="f"; filename="../../evil"\r\n\r\nbytes\r\n--x--\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    expect((await place.bob.ask('POST', '/api/resources/form', { headers, payload })).statusCode).toBe(200)
    expect([namesIn(place), contentOf(place, 'form')]).toEqual([['form'], payload])
  })

  it('CVE-2025-52900: what is uploaded is not readable for the world', async () => {
    await using place = await world()
    await place.bob.ask('POST', '/api/resources/new/a.txt', { payload: 'a' })
    await begin(place.bob, '/other/b.txt', '1')
    const [staged = ''] = namesIn(place, 'other')
    const modeOf = (name: string) => statSync(join(place.server.root, name)).mode & 0o007
    expect([modeOf('new'), modeOf('new/a.txt'), modeOf('other'), modeOf(`other/${staged}`)]).toEqual([0, 0, 0, 0])
    await part(place.bob, '/other/b.txt', 0, 'b')
    expect(modeOf('other/b.txt')).toBe(0)
  })
})

describe('flaws that were published about paths and links', () => {
  it('CVE-2026-55668: nothing is created through a dangling link, by whichever way it comes', async () => {
    await using place = await world({ 'source.txt': 'x' })
    symlinkSync(join(place.outside, 'made.txt'), join(place.server.root, 'link'))
    symlinkSync(join(place.outside, 'made'), join(place.server.root, 'folder'))
    const { bob } = place
    for (const path of ['/link', '/folder/a.txt']) {
      for (const override of ['', '?override=true']) {
        expect((await bob.ask('POST', `/api/resources${path}${override}`, { payload: 'x' })).statusCode).not.toBe(200)
        expect(await begin(bob, `${path}${override}`, '1')).not.toBe(201)
      }
      expect((await bob.ask('PUT', `/api/resources${path}`, { payload: 'x' })).statusCode).not.toBe(200)
      expect(await transfer(bob, 'copy', '/source.txt', path, '&override=true')).not.toBe(200)
    }
    expect((await bob.ask('POST', '/api/resources/folder/sub/')).statusCode).not.toBe(200)
    expect(secretOf(place)).toEqual(UNTOUCHED)
  })

  it('CVE-2026-55667: a refused upload removes neither its target nor what a link there leads to', async () => {
    await using place = await world({ 'kept.txt': 'kept', 'folder/a.txt': 'a' })
    symlinkSync(join(place.outside, 'secret.txt'), join(place.server.root, 'out'))
    symlinkSync('kept.txt', join(place.server.root, 'link'))
    for (const path of ['/out', '/link', '/kept.txt', '/folder', '/folder/a.txt'])
      for (const override of ['', '?override=true']) {
        await place.bob.ask('POST', `/api/resources${path}${override}`, {
          payload: 'x',
          headers: { 'content-encoding': 'gzip' },
        })
        await begin(place.bob, `${path}${override}`, '-1')
        await begin(place.bob, `${path}${override}`, String(2 ** 52))
      }
    expect(namesIn(place)).toEqual(['folder', 'kept.txt', 'link', 'out'])
    expect([contentOf(place, 'kept.txt'), contentOf(place, 'folder/a.txt')]).toEqual(['kept', 'a'])
    expect(secretOf(place)).toEqual(UNTOUCHED)
  })

  it('a folder is never replaced by an upload, nor emptied by one that fails', async () => {
    await using place = await world({ 'folder/a.txt': 'a' })
    expect((await place.bob.ask('POST', '/api/resources/folder?override=true', { payload: 'x' })).statusCode).toBe(409)
    expect(await begin(place.bob, '/folder?override=true', '3')).toBe(400)
    await begin(place.bob, '/new?override=true', '3')
    mkdirSync(join(place.server.root, 'new'))
    expect(await part(place.bob, '/new', 0, 'abc')).toBe(409)
    expect([namesIn(place, 'folder'), namesIn(place, 'new')]).toEqual([['a.txt'], []])
  })

  it.each(['copy', 'rename'])(
    'CVE-2026-32758: the destination of a %s is cleaned before the rules see it',
    async (action) => {
      await using place = await world({ 'a.txt': 'a', 'secrets/b.txt': 'b', 'open/': '' })
      await place.server.context.store.update((draft) => {
        draft.settings.rules = [DENY_SECRETS]
      })
      for (const to of [
        '/secrets/c.txt',
        '//secrets/c.txt',
        '/open/../secrets/c.txt',
        '/./secrets/c.txt',
        'secrets/c.txt',
      ])
        for (const text of [to, encodeURIComponent(to)])
          expect(await transfer(place.bob, action, '/a.txt', text, '&override=true'), text).toBe(403)
      expect(namesIn(place, 'secrets')).toEqual(['b.txt'])
      expect(contentOf(place, 'a.txt')).toBe('a')
    },
  )

  it('CVE-2026-30914: one path is one path for every call, however it is spelled', async () => {
    await using place = await world({ 'secrets/b.txt': 'b' })
    await place.server.context.store.update((draft) => {
      draft.settings.rules = [DENY_SECRETS]
    })
    const calls = [
      ['GET', '/api/resources'],
      ['GET', '/api/raw'],
      ['PUT', '/api/resources'],
      ['DELETE', '/api/resources'],
      ['POST', '/api/tus'],
      ['HEAD', '/api/tus'],
    ] as const
    const { server, bob } = place
    for (const [method, base] of calls)
      for (const path of ['/secrets/b.txt', '/secrets%2Fb.txt', '/%73ecrets/b.txt', '/secrets/b.txt/']) {
        const headers = { 'x-auth': bob.token, 'upload-length': '1' }
        const { statusCode } = await server.askExactly(method, `${base}${path}`, { headers })
        expect([403, 405], `${method} ${base}${path}`).toContain(statusCode)
      }
    expect(contentOf(place, 'secrets/b.txt')).toBe('b')
  })

  it('copying or deleting a folder does not act on what is denied in it', async () => {
    await using place = await world({ 'folder/secrets/b.txt': 'b', 'folder/a.txt': 'a' })
    await place.server.context.store.update((draft) => {
      draft.settings.rules = [{ ...DENY_SECRETS, path: '/folder/secrets' }]
    })
    expect(await transfer(place.bob, 'copy', '/folder', '/other')).toBe(403)
    expect(await transfer(place.bob, 'rename', '/folder', '/other')).toBe(403)
    expect((await place.bob.ask('DELETE', '/api/resources/folder')).statusCode).toBe(403)
    expect((await place.bob.ask('DELETE', '/api/resources/folder?trash=true')).statusCode).toBe(403)
    expect([namesIn(place), namesIn(place, 'folder')]).toEqual([['folder'], ['a.txt', 'secrets']])
  })

  it('moving over a file asks for the right to replace it, and at both ends for what happens there', async () => {
    await using place = await world({ 'a.txt': 'a', 'b.txt': 'b' })
    const mover = await place.server.user('mover', { rename: true })
    expect(await transfer(mover, 'rename', '/a.txt', '/b.txt')).toBe(409)
    expect(await transfer(mover, 'rename', '/a.txt', '/b.txt', '&override=true')).toBe(403)
    expect([contentOf(place, 'a.txt'), contentOf(place, 'b.txt')]).toEqual(['a', 'b'])
  })

  it('the bytes of an unfinished upload are reached by nobody under their hidden name', async () => {
    await using place = await world({}, ALL_PERMISSIONS)
    await begin(place.bob, '/a.txt', '6')
    await part(place.bob, '/a.txt', 0, 'abc')
    const [staged = ''] = namesIn(place)
    const { bob } = place
    for (const path of ['/api/resources', '/api/raw'])
      expect((await bob.ask('GET', `${path}/${staged}`)).statusCode).toBe(404)
    expect((await bob.ask('DELETE', `/api/resources/${staged}`)).statusCode).toBe(404)
    expect(await transfer(bob, 'rename', `/${staged}`, '/b.txt')).toBe(404)
    expect(await transfer(bob, 'copy', `/${staged}`, '/b.txt')).toBe(404)
    expect((await bob.ask('POST', '/api/resources/.abcdefghijkl.fm-tmp', { payload: 'x' })).statusCode).not.toBe(200)
    expect((await bob.ask('GET', '/api/search/?query=fm-tmp')).body.trim()).toBe('')
    expect(existsSync(join(place.server.root, staged))).toBe(true)
  })

  it('search and archives follow no link out of the scope', async () => {
    await using place = await world({ 'a.txt': 'a' })
    symlinkSync(place.outside, join(place.server.root, 'out'))
    expect((await place.bob.ask('GET', '/api/search/?query=secret')).body.trim()).toBe('')
    const archive = await place.bob.ask('GET', '/api/raw/?algo=tar')
    expect(archive.statusCode).toBe(200)
    expect(archive.rawPayload.includes('secret')).toBe(false)
  })
})
