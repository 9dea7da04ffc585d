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
  /** A folder beside the served one: nothing may reach it. */
  readonly outside: string
}

async function openWorld(files: TestAppInput['files'] = {}, perm = ALL_PERMISSIONS): Promise<World> {
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

describe('published flaws of uploads', () => {
  it('CVE-2026-29188: cancelling an upload deletes no file, for any user and any path', async () => {
    await using world = await openWorld({ 'a.txt': 'a', 'folder/b.txt': 'b' })
    const eve = await world.server.user('eve', { create: true })
    for (const path of ['/a.txt', '/folder', '/folder/', '/folder/b.txt', '/'])
      expect([403, 404]).toContain((await eve.ask('DELETE', `/api/tus${path}`)).statusCode)
    expect(await begin(world.bob, '/a.txt?override=true', '3')).toBe(201)
    expect((await eve.ask('DELETE', '/api/tus/a.txt')).statusCode).toBe(404)
    expect((await world.bob.ask('DELETE', '/api/tus/a.txt')).statusCode).toBe(204)
    expect(namesIn(world)).toEqual(['a.txt', 'folder'])
    expect([contentOf(world, 'a.txt'), contentOf(world, 'folder/b.txt')]).toEqual(['a', 'b'])
  })

  it('CVE-2026-32759: an invalid length neither begins nor completes an upload, and causes no event', async () => {
    await using world = await openWorld({ 'a.txt': 'old' })
    const written: string[] = []
    world.server.context.services.fileChanges.subscribe(async (change) => {
      written.push(change.kind)
    })
    for (const length of ['-1', '-0', '9007199254740992', '1e9', '0x5', ' ', '+3', 'NaN', '1,2'])
      expect(await begin(world.bob, '/a.txt?override=true', length), length).toBe(400)
    expect([namesIn(world), contentOf(world, 'a.txt'), written]).toEqual([['a.txt'], 'old', []])
  })

  it('a part with more bytes than declared is refused, and its bytes are cut off', async () => {
    await using world = await openWorld()
    await begin(world.bob, '/a.bin', '400000')
    expect(await part(world.bob, '/a.bin', 0, '1234')).toBe(204)
    const headers = {
      'x-auth': world.bob.token,
      'upload-offset': '4',
      'content-type': PART,
      'transfer-encoding': 'chunked',
    }
    const answer = await world.server.askExactly('PATCH', '/api/tus/a.bin', { headers, payload: Buffer.alloc(600_000) })
    expect(answer.statusCode).toBe(413)
    const [staged = ''] = namesIn(world)
    expect(statSync(join(world.server.root, staged)).size).toBe(4)
  })

  it('an abandoned upload removes only its own bytes when it expires', async () => {
    await using world = await openWorld({ 'a.txt': 'old' })
    const { clock, services } = world.server.context
    clock.move(Date.now() - clock.now())
    const bob = await world.server.login('bob')
    await begin(bob, '/a.txt?override=true', '3')
    await begin(bob, '/b.txt', '3')
    writeFileSync(join(world.server.root, 'b.txt'), 'made meanwhile')
    clock.move(25 * 60 * 60 * 1000)
    expect(await services.unfinishedUploads.sweep()).toBe(2)
    expect([namesIn(world), contentOf(world, 'a.txt'), contentOf(world, 'b.txt')]).toEqual([
      ['a.txt', 'b.txt'],
      'old',
      'made meanwhile',
    ])
  })

  it.each(['../../etc/cron.d/x', '..%2f..%2fx', '/etc/passwd', 'a/../../x'])(
    'the name "%s" in a header never becomes a path: only the address does',
    async (name) => {
      // A folder of its own above the served one: other tests put files into the usual one.
      await using above = await tempFolder()
      vi.stubEnv('TMPDIR', above.path)
      await using world = await openWorld()
      const metadata = `filename ${Buffer.from(name).toString('base64')},filepath ${Buffer.from(name).toString('base64')}`
      const more = { 'upload-metadata': metadata, 'upload-id': name, 'x-file-name': name }
      expect(await begin(world.bob, '/a.txt', '3', more)).toBe(201)
      expect(await part(world.bob, '/a.txt', 0, 'abc')).toBe(204)
      expect(namesIn(world)).toEqual(['a.txt'])
      expect(dirname(world.server.root)).toBe(above.path)
      expect(readdirSync(above.path)).not.toContain('x')
    },
  )

  it('metadata with many spaces and commas does not block the server', async () => {
    await using world = await openWorld()
    for (const metadata of [`${'a ,'.repeat(60)},`, `${'a , '.repeat(60)}\u00e9`, ' '.repeat(9000), 'a '.repeat(4000)])
      expect(await begin(world.bob, '/a.txt', '3', { 'upload-metadata': metadata })).toBe(201)
    const { headers } = await world.bob.ask('HEAD', '/api/tus/a.txt')
    expect(headers).not.toHaveProperty('upload-metadata')
    await begin(world.bob, '/a.txt', '3', { 'upload-metadata': 'filename YQ==, type , b,c ZA==' })
    const kept = await world.bob.ask('HEAD', '/api/tus/a.txt')
    expect(kept.headers['upload-metadata']).toBe('filename YQ==, type , b,c ZA==')
  })

  it('uploads cannot be concatenated from others, whose paths they would name', async () => {
    await using world = await openWorld({ 'secrets/a.txt': 'secret' })
    const { headers } = await world.server.ask('OPTIONS', '/api/tus/a.txt')
    expect(headers['tus-extension']).not.toContain('concatenation')
    const concat = { 'upload-concat': 'final;/api/tus/secrets/a.txt /api/tus/../x' }
    expect((await world.bob.ask('POST', '/api/tus/a.txt', { headers: concat })).statusCode).toBe(400)
    expect(namesIn(world)).toEqual(['secrets'])
  })

  it('a form in place of a file is refused and never parsed: its parts name no files', async () => {
    await using world = await openWorld()
    const payload = '--x\r\nContent-Disposition: form-data; name="f"; filename="../../evil"\r\n\r\nbytes\r\n--x--\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    expect((await world.bob.ask('POST', '/api/resources/form', { headers, payload })).statusCode).toBe(415)
    expect(namesIn(world)).toEqual([])
  })

  it('CVE-2025-52900: uploaded files are not world-readable', async () => {
    await using world = await openWorld()
    await world.bob.ask('POST', '/api/resources/new/a.txt', { payload: 'a' })
    await begin(world.bob, '/other/b.txt', '1')
    const [staged = ''] = namesIn(world, 'other')
    const modeOf = (name: string) => statSync(join(world.server.root, name)).mode & 0o007
    expect([modeOf('new'), modeOf('new/a.txt'), modeOf('other'), modeOf(`other/${staged}`)]).toEqual([0, 0, 0, 0])
    await part(world.bob, '/other/b.txt', 0, 'b')
    expect(modeOf('other/b.txt')).toBe(0)
  })
})

describe('published flaws of paths and links', () => {
  it('CVE-2026-55668: nothing is created through a dangling link, by any operation', async () => {
    await using world = await openWorld({ 'source.txt': 'x' })
    symlinkSync(join(world.outside, 'made.txt'), join(world.server.root, 'link'))
    symlinkSync(join(world.outside, 'made'), join(world.server.root, 'folder'))
    const { bob } = world
    for (const path of ['/link', '/folder/a.txt']) {
      for (const override of ['', '?override=true']) {
        expect((await bob.ask('POST', `/api/resources${path}${override}`, { payload: 'x' })).statusCode).not.toBe(200)
        expect(await begin(bob, `${path}${override}`, '1')).not.toBe(201)
      }
      expect((await bob.ask('PUT', `/api/resources${path}`, { payload: 'x' })).statusCode).not.toBe(200)
      expect(await transfer(bob, 'copy', '/source.txt', path, '&override=true')).not.toBe(200)
    }
    expect((await bob.ask('POST', '/api/resources/folder/sub/')).statusCode).not.toBe(200)
    expect(secretOf(world)).toEqual(UNTOUCHED)
  })

  it('CVE-2026-55667: a refused upload removes neither its target nor that of a link', async () => {
    await using world = await openWorld({ 'kept.txt': 'kept', 'folder/a.txt': 'a' })
    symlinkSync(join(world.outside, 'secret.txt'), join(world.server.root, 'out'))
    symlinkSync('kept.txt', join(world.server.root, 'link'))
    for (const path of ['/out', '/link', '/kept.txt', '/folder', '/folder/a.txt'])
      for (const override of ['', '?override=true']) {
        await world.bob.ask('POST', `/api/resources${path}${override}`, {
          payload: 'x',
          headers: { 'content-encoding': 'gzip' },
        })
        await begin(world.bob, `${path}${override}`, '-1')
        await begin(world.bob, `${path}${override}`, String(2 ** 52))
      }
    expect(namesIn(world)).toEqual(['folder', 'kept.txt', 'link', 'out'])
    expect([contentOf(world, 'kept.txt'), contentOf(world, 'folder/a.txt')]).toEqual(['kept', 'a'])
    expect(secretOf(world)).toEqual(UNTOUCHED)
  })

  it('a folder is never replaced by an upload, nor emptied by one that fails', async () => {
    await using world = await openWorld({ 'folder/a.txt': 'a' })
    expect((await world.bob.ask('POST', '/api/resources/folder?override=true', { payload: 'x' })).statusCode).toBe(409)
    expect(await begin(world.bob, '/folder?override=true', '3')).toBe(400)
    await begin(world.bob, '/new?override=true', '3')
    mkdirSync(join(world.server.root, 'new'))
    expect(await part(world.bob, '/new', 0, 'abc')).toBe(409)
    expect([namesIn(world, 'folder'), namesIn(world, 'new')]).toEqual([['a.txt'], []])
  })

  it.each(['copy', 'rename'])(
    'CVE-2026-32758: the destination of a %s is normalized before the rules see it',
    async (action) => {
      await using world = await openWorld({ 'a.txt': 'a', 'secrets/b.txt': 'b', 'open/': '' })
      await world.server.context.store.update((draft) => {
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
          expect(await transfer(world.bob, action, '/a.txt', text, '&override=true'), text).toBe(403)
      expect(namesIn(world, 'secrets')).toEqual(['b.txt'])
      expect(contentOf(world, 'a.txt')).toBe('a')
    },
  )

  it('CVE-2026-30914: every operation applies rules to the same normalized path', async () => {
    await using world = await openWorld({ 'secrets/b.txt': 'b' })
    await world.server.context.store.update((draft) => {
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
    const { server, bob } = world
    for (const [method, base] of calls)
      for (const path of ['/secrets/b.txt', '/secrets%2Fb.txt', '/%73ecrets/b.txt', '/secrets/b.txt/']) {
        const headers = { 'x-auth': bob.token, 'upload-length': '1' }
        const { statusCode } = await server.askExactly(method, `${base}${path}`, { headers })
        expect([403, 405], `${method} ${base}${path}`).toContain(statusCode)
      }
    expect(contentOf(world, 'secrets/b.txt')).toBe('b')
  })

  it('a folder with denied content can be neither copied, moved nor deleted', async () => {
    await using world = await openWorld({ 'folder/secrets/b.txt': 'b', 'folder/a.txt': 'a' })
    await world.server.context.store.update((draft) => {
      draft.settings.rules = [{ ...DENY_SECRETS, path: '/folder/secrets' }]
    })
    expect(await transfer(world.bob, 'copy', '/folder', '/other')).toBe(403)
    expect(await transfer(world.bob, 'rename', '/folder', '/other')).toBe(403)
    expect((await world.bob.ask('DELETE', '/api/resources/folder')).statusCode).toBe(403)
    expect((await world.bob.ask('DELETE', '/api/resources/folder?trash=true')).statusCode).toBe(403)
    expect([namesIn(world), namesIn(world, 'folder')]).toEqual([['folder'], ['a.txt', 'secrets']])
  })

  it('moving over a file needs the permission to replace it', async () => {
    await using world = await openWorld({ 'a.txt': 'a', 'b.txt': 'b' })
    const mover = await world.server.user('mover', { rename: true })
    expect(await transfer(mover, 'rename', '/a.txt', '/b.txt')).toBe(409)
    expect(await transfer(mover, 'rename', '/a.txt', '/b.txt', '&override=true')).toBe(403)
    expect([contentOf(world, 'a.txt'), contentOf(world, 'b.txt')]).toEqual(['a', 'b'])
  })

  it('an unfinished upload cannot be reached by its hidden name', async () => {
    await using world = await openWorld({}, ALL_PERMISSIONS)
    await begin(world.bob, '/a.txt', '6')
    await part(world.bob, '/a.txt', 0, 'abc')
    const [staged = ''] = namesIn(world)
    const { bob } = world
    for (const path of ['/api/resources', '/api/raw'])
      expect((await bob.ask('GET', `${path}/${staged}`)).statusCode).toBe(404)
    expect((await bob.ask('DELETE', `/api/resources/${staged}`)).statusCode).toBe(404)
    expect(await transfer(bob, 'rename', `/${staged}`, '/b.txt')).toBe(404)
    expect(await transfer(bob, 'copy', `/${staged}`, '/b.txt')).toBe(404)
    expect((await bob.ask('POST', '/api/resources/.abcdefghijkl.fm-tmp', { payload: 'x' })).statusCode).not.toBe(200)
    expect((await bob.ask('GET', '/api/search/?query=fm-tmp')).body.trim()).toBe('')
    expect(existsSync(join(world.server.root, staged))).toBe(true)
  })

  it('search and archives follow no link out of the scope', async () => {
    await using world = await openWorld({ 'a.txt': 'a' })
    symlinkSync(world.outside, join(world.server.root, 'out'))
    expect((await world.bob.ask('GET', '/api/search/?query=secret')).body.trim()).toBe('')
    const archive = await world.bob.ask('GET', '/api/raw/?algo=tar')
    expect(archive.statusCode).toBe(200)
    expect(archive.rawPayload.includes('secret')).toBe(false)
  })
})
