import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import { Parser } from 'tar'
import { describe, expect, it } from 'vitest'
import { ALL_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { Explanation } from '../../../src/domain/access/explanation.ts'
import { type GivenPlace, NO_ROOT, type PlaceView } from '../../../src/domain/accounts/place.ts'
import type { TrashOutcome } from '../../../src/domain/files/change-many.ts'
import type { FolderSizes, Resource } from '../../../src/domain/files/resource.ts'
import type { TrashItem } from '../../../src/domain/files/trash.ts'
import { RootsInReach } from '../../../src/services/stored-roots.ts'
import type { ShareView } from '../../../src/domain/shares/share.ts'
import { grantOf } from '../../helpers/api/granted.ts'
import { type TestApp, testApp, type TestAppInput } from '../../helpers/api/test-app.ts'
import { type FileTree, tempFolder } from '../../helpers/temp-folder.ts'

const PHOTOS: FileTree = { '2024/a.txt': 'alpha', '2024/sub/b.txt': 'beta', 'c.txt': 'gamma' }
const json = (value: object) => ({ payload: JSON.stringify(value) })
const MAY = { ...ALL_PERMISSIONS, admin: false }

/** A site with a second root, and a user who has an own folder and a place there. */
async function open(place: Partial<GivenPlace> = {}, input: TestAppInput = {}) {
  await using held = new AsyncDisposableStack()
  const disk = held.use(await tempFolder(PHOTOS))
  const server: TestApp = held.use(await testApp({ files: { 'own.txt': 'own', 'family/f.txt': 'family' }, ...input }))
  const { roots, users } = server.context.services
  const photos = await roots.create(OPERATOR, { name: 'Photos', location: disk.path })
  const given = (more: Partial<GivenPlace> = {}): GivenPlace => ({
    root: photos.id,
    scope: '/',
    name: '',
    rules: [],
    permissionRules: [],
    ...more,
  })
  const anna = await server.user('anna', MAY)
  const { id } = users.find('anna')
  const give = async (...places: Partial<GivenPlace>[]) =>
    await users.update(OPERATOR, id, { places: places.map(given) })
  await give(place)
  const all = held.move()
  const dispose = async () => await all.disposeAsync()
  return { server, disk: disk.path, photos, anna, give, id, [Symbol.asyncDispose]: dispose }
}

const namesIn = (reply: Pick<LightMyRequestResponse, 'json'>) =>
  reply.json<{ items: Resource[] }>().items.map(({ name }) => name)

/** The files of a tar. */
async function textsIn(tar: Uint8Array): Promise<Record<string, string>> {
  const reading: Promise<readonly [string, string]>[] = []
  const parser = new Parser({
    onReadEntry: (entry) => {
      const text = entry.concat()
      if (entry.type === 'File') reading.push(text.then((bytes) => [entry.path, bytes.toString()]))
    },
  })
  parser.end(Buffer.from(tar))
  return Object.fromEntries(await Promise.all(reading))
}

describe('a user with several places', () => {
  it('finds them in "/" and works in each', async () => {
    await using world = await open({ scope: '/2024' })
    const { anna, disk, server } = world
    const root = await anna.ask('GET', '/api/resources/')
    expect([root.statusCode, namesIn(root)]).toEqual([200, ['Home', 'Photos']])
    const places = (await anna.ask('GET', '/api/places')).json<PlaceView[]>()
    expect(places.map(({ name, path, state }) => [name, path, state])).toEqual([
      ['Home', '/Home', 'here'],
      ['Photos', '/Photos', 'here'],
    ])
    const listed = await anna.ask('GET', '/api/resources/Photos/')
    expect(listed.json()).toMatchObject({ name: 'Photos', path: '/Photos/', numFiles: 1, numDirs: 1 })
    expect(listed.json<{ items: Resource[] }>().items.map(({ path }) => path)).toEqual(['/Photos/sub', '/Photos/a.txt'])
    expect((await anna.ask('GET', '/api/raw/Photos/a.txt')).body).toBe('alpha')
    expect((await anna.ask('GET', '/api/raw/Home/own.txt')).body).toBe('own')
    expect(places.some(({ logged }) => logged !== undefined)).toBe(false)
    const done = [
      await anna.ask('POST', '/api/resources/Photos/new.txt', { payload: 'new' }),
      await anna.ask('PUT', '/api/resources/Photos/a.txt', { payload: 'changed' }),
      await anna.ask('POST', '/api/resources/Home/folder/'),
      await anna.ask('PATCH', '/api/resources/Photos/new.txt?action=copy&destination=/Home/folder/copy.txt'),
      await anna.ask('PATCH', '/api/resources/Photos/sub?action=rename&destination=/Home/moved'),
      await anna.ask('PATCH', '/api/resources/Photos/new.txt?action=rename&destination=/Photos/old.txt'),
    ]
    expect(done.map(({ statusCode }) => statusCode)).toEqual(done.map(() => 200))
    expect(await readFile(join(server.root, 'folder/copy.txt'), 'utf8')).toBe('new')
    expect(await readFile(join(server.root, 'moved/b.txt'), 'utf8')).toBe('beta')
    expect((await readdir(join(disk, '2024'))).toSorted()).toEqual(['a.txt', 'old.txt'])
    // Administrators find what was done by the names of their own places.
    const admin = await server.admin()
    const { users } = server.context.services
    const given = { root: world.photos.id, scope: '/2024', name: 'Pictures', rules: [], permissionRules: [] }
    await users.update(OPERATOR, users.find('admin').id, { places: [given] })
    const own = (await admin.ask('GET', '/api/places')).json<PlaceView[]>()
    expect(own.map(({ path, logged }) => [path, logged])).toEqual([
      ['/Home', '/'],
      ['/Pictures', 'Photos:/2024'],
    ])
    const log = await admin.ask('GET', `/api/audit?target=${own[1]?.logged}/old.txt`)
    const names = { target: 'Photos:/2024/new.txt', destination: 'Photos:/2024/old.txt' }
    expect(log.json()).toMatchObject({ entries: [{ who: 'anna', effect: 'moved', ...names }] })
  })

  it('finds favourites of the time before in the own folder', async () => {
    await using world = await open()
    const { users } = world.server.context.services
    const fields = { favourites: ['/family', '/Photos/2024', '/.filemgr-shared/x'], recent: ['/'] }
    await users.update(OPERATOR, world.id, fields)
    const saved = { favourites: ['/Home/family', '/Photos/2024', '/.filemgr-shared/x'], recent: ['/'] }
    expect(users.find('anna')).toMatchObject(saved)
    await world.give()
    expect(users.find('anna')).toMatchObject(fields)
  })

  it('can change nothing in "/" itself', async () => {
    await using world = await open()
    const { anna } = world
    const tries = [
      await anna.ask('POST', '/api/resources/new.txt', { payload: 'x' }),
      await anna.ask('POST', '/api/resources/new/'),
      await anna.ask('PUT', '/api/resources/new.txt', { payload: 'x' }),
      await anna.ask('POST', '/api/tus/new.bin', { headers: { 'upload-length': '1' } }),
      await anna.ask('PATCH', '/api/resources/Home/own.txt?action=copy&destination=/own.txt'),
      await anna.ask('PATCH', '/api/resources/Home/own.txt?action=rename&destination=/own.txt'),
      await anna.ask('PATCH', '/api/resources/Photos?action=rename&destination=/Pictures'),
      await anna.ask('PATCH', '/api/resources/Photos?action=rename&destination=/Home/Photos'),
      await anna.ask('DELETE', '/api/resources/Photos'),
      await anna.ask('DELETE', '/api/resources/Photos?trash=true'),
      await anna.ask('DELETE', '/api/resources/'),
      await anna.ask('POST', '/api/share/', json({})),
      await anna.ask('POST', '/api/compress/Home', json({ names: ['own.txt'], destination: '/a.zip' })),
      await anna.ask('POST', '/api/rename/', json({ pattern: { template: 'new-{n}' } })),
    ]
    expect(tries.map(({ statusCode }) => statusCode)).toEqual(tries.map(() => 403))
    expect((await anna.ask('GET', '/api/resources/none')).statusCode).toBe(404)
    expect((await anna.ask('GET', '/api/raw/own.txt')).statusCode).toBe(404)
  })

  it('searches, measures, counts and walks all of them', async () => {
    await using world = await open()
    const { anna } = world
    const found = (await anna.ask('GET', '/api/search/?query=txt')).body.trim().split('\n')
    expect(found.map((line) => (JSON.parse(line) as { path: string }).path).toSorted()).toEqual([
      'Home/family/f.txt',
      'Home/own.txt',
      'Photos/2024/a.txt',
      'Photos/2024/sub/b.txt',
      'Photos/c.txt',
    ])
    expect((await anna.ask('GET', '/api/count/')).json()).toEqual({ items: 2 })
    expect((await anna.ask('GET', '/api/measure/')).json()).toEqual({ bytes: 23, files: 5, folders: 5 })
    const walked = (await anna.ask('GET', '/api/resources/recursive/')).json<{ path: string }[]>()
    expect(walked.map(({ path }) => path)).toContain('/Photos/2024/sub/b.txt')
    const inPhotos = (await anna.ask('GET', '/api/resources/recursive/Photos/2024')).json<{ path: string }[]>()
    expect(inPhotos.map(({ path }) => path)).toContain('/Photos/2024/sub/b.txt')
    const sizes = (await anna.ask('GET', '/api/sizes/?measure=true')).json<FolderSizes>()
    expect(sizes.sizes).toEqual([
      { name: 'Home', bytes: 9, files: 2, folders: 1 },
      { name: 'Photos', bytes: 14, files: 3, folders: 2 },
    ])
    expect((await anna.ask('GET', '/api/usage/')).json<{ total: number }>().total).toBeGreaterThan(0)
  })

  it('downloads what may be downloaded in each of them as one archive', async () => {
    await using world = await open({ permissions: [], permissionRules: [] })
    const { anna, give, server, photos } = world
    const entriesOf = async (url: string) => {
      const reply = await anna.ask('GET', url)
      expect([url, reply.statusCode]).toEqual([url, 200])
      return await textsIn(reply.rawPayload)
    }
    const all = ['Home/family/f.txt', 'Home/own.txt']
    expect(Object.keys(await entriesOf('/api/raw/?algo=tar')).toSorted()).toEqual(all)
    const rule = { regex: false, path: '/2024', regexp: null, permissions: ['download' as const] }
    await give({
      permissions: [],
      permissionRules: [rule],
      rules: [{ regex: false, allow: false, path: '/2024/sub', regexp: null }],
    })
    const some = await entriesOf('/api/raw/?algo=tar&files=Home%2Fown.txt,Photos,Photos%2Fnone')
    expect(some).toEqual({ 'Home/own.txt': 'own', 'Photos/2024/a.txt': 'alpha' })
    await give({})
    const zipped = await anna.ask('GET', '/api/raw/?files=Home,Photos')
    expect(zipped.headers['content-disposition']).toContain('_files.zip')
    expect(zipped.body).toContain('Photos/2024/sub/b.txt')
    const packed = await anna.ask(
      'POST',
      '/api/compress/',
      json({ names: ['Photos', 'Home'], destination: '/Home/all.tar' }),
    )
    expect(packed.json(), packed.body).toMatchObject({ made: ['/Home/all.tar'] })
    const made = await textsIn(await readFile(join(server.root, 'all.tar')))
    expect(made).toMatchObject({ 'Home/own.txt': 'own', 'Photos/2024/sub/b.txt': 'beta' })
    await server.context.services.roots.change(OPERATOR, photos.id, { mountPoint: world.disk })
    const left = await entriesOf('/api/raw/?algo=tar&files=Home%2Fown.txt,Photos%2F2024')
    expect(left['Home/own.txt']).toBe('own')
    expect(left['not in this archive.txt']).toContain('Photos/2024: the root "Photos" is away')
  })

  it('goes on while the disk of one is away', async () => {
    await using world = await open()
    const { anna, disk, server, photos } = world
    const mount = async (mountPoint: string) =>
      await server.context.services.roots.change(OPERATOR, photos.id, { mountPoint })
    await mount(disk)
    const items = (await anna.ask('GET', '/api/resources/')).json<{ items: Resource[] }>().items
    expect(items.map(({ name, state }) => [name, state])).toEqual([
      ['Home', undefined],
      ['Photos', 'away'],
    ])
    const places = (await anna.ask('GET', '/api/places')).json<PlaceView[]>()
    expect(places.map(({ state, total }) => [state, total !== undefined])).toEqual([
      ['here', true],
      ['away', false],
    ])
    const inside = await anna.ask('GET', '/api/resources/Photos/c.txt')
    expect(inside.statusCode).toBe(503)
    const page = await anna.ask('GET', '/api/resources/Photos/', { headers: { accept: 'application/json' } })
    expect(page.body).toContain('the root \\"Photos\\" is away')
    const found = await anna.ask('GET', '/api/search/?query=own')
    expect(found.body).toContain('Home/own.txt')
    expect(found.headers['x-places-away']).toBe('Photos')
    expect((await anna.ask('GET', '/api/trash')).json()).toEqual([])
    await mount('')
    expect((await anna.ask('GET', '/api/raw/Photos/c.txt')).body).toBe('gamma')
  })
})

describe('what may be done in a place', () => {
  it('is what gives it says, with its rules', async () => {
    const rule = { regex: false, path: '/2024', regexp: null, permissions: ['download' as const, 'create' as const] }
    const denied = { regex: false, allow: false, path: '/2024/sub', regexp: null }
    await using world = await open({ permissions: ['download'], rules: [denied], permissionRules: [rule] })
    const { anna, server, id, give } = world
    expect((await anna.ask('GET', '/api/raw/Photos/c.txt')).body).toBe('gamma')
    expect((await anna.ask('POST', '/api/resources/Photos/new.txt', { payload: 'x' })).statusCode).toBe(403)
    expect((await anna.ask('POST', '/api/resources/Photos/2024/new.txt', { payload: 'x' })).statusCode).toBe(200)
    expect((await anna.ask('GET', '/api/resources/Photos/2024/sub')).statusCode).toBe(403)
    // Its rules say nothing about other places.
    expect((await anna.ask('POST', '/api/resources/Home/new.txt', { payload: 'x' })).statusCode).toBe(200)
    const why = async (action: string, path: string) =>
      (await (await server.admin()).ask('GET', `/api/why?user=anna&action=${action}&path=${path}`)).json<Explanation>()
    expect(await why('list', '/Photos/2024/sub')).toMatchObject({
      allowed: false,
      path: '/Photos/2024/sub',
      place: { name: 'Photos', root: 'Photos' },
      obstacles: [{ path: '/Photos/2024/sub', rule: { list: 'user', place: 'Photos', index: 0 } }],
    })
    expect(await why('create', '/Photos/2024/x.txt')).toMatchObject({
      allowed: true,
      permissionRules: [{ permission: 'create', placed: { place: 'Photos', index: 1 } }],
    })
    const { groups, users } = server.context.services
    const family = await groups.create(OPERATOR, { name: 'Family' })
    await groups.changeMembers(OPERATOR, family.id, { add: [id] })
    const given = { root: world.photos.id, scope: '/', name: '', rules: [], permissionRules: [] }
    await groups.change(OPERATOR, family.id, { places: [{ ...given, permissions: ['delete'] }] })
    // The same folder twice is one place.
    expect(namesIn(await anna.ask('GET', '/api/resources/'))).toEqual(['Home', 'Photos'])
    expect((await anna.ask('DELETE', '/api/resources/Photos/c.txt')).statusCode).toBe(204)
    await users.update(OPERATOR, id, { denied: ['delete'] })
    expect((await anna.ask('DELETE', '/api/resources/Photos/2024/a.txt')).statusCode).toBe(403)
    await give()
    const left = await why('create', '/Photos/x.txt')
    expect(left).toMatchObject({ allowed: false, place: { name: 'Photos', groups: ['Family'] } })
    await groups.change(OPERATOR, family.id, { places: [] })
    // The only one is "/", as ever.
    expect(namesIn(await anna.ask('GET', '/api/resources/'))).toContain('own.txt')
  })

  it('is nothing without any, and everything in the only one', async () => {
    await using world = await open()
    const { anna, server, id, photos } = world
    const setRoot = async (places: readonly object[]) =>
      await server.context.store.update((draft, now) => {
        draft.users = now.users.map((user) =>
          user.id === id ? { ...user, root: NO_ROOT, places: places as GivenPlace[] } : user,
        )
      })
    const given = { root: photos.id, scope: '/2024', name: 'Pictures', rules: [], permissionRules: [] }
    await setRoot([given])
    expect((await anna.ask('GET', '/api/raw/a.txt')).body).toBe('alpha')
    expect((await anna.ask('GET', '/api/places')).json()).toMatchObject([{ name: 'Pictures', path: '/' }])
    await setRoot([])
    const refused = await anna.ask('GET', '/api/resources/')
    expect([refused.statusCode, refused.body]).toEqual([403, expect.stringContaining('no folder is given')])
    expect((await anna.ask('GET', '/api/places')).json()).toEqual([])
  })

  it('is narrowed by a token of a path in it', async () => {
    await using world = await open()
    const { server, id } = world
    const order = { name: 'key', permissions: ['download' as const], path: '/Photos/2024' }
    const { token } = await server.context.services.apiTokens.create(OPERATOR, order, { owner: id })
    const ask = async (url: string, method: 'GET' | 'POST' = 'GET') =>
      await server.ask(method, url, { headers: { authorization: `Bearer ${token}` } })
    expect((await ask('/api/raw/Photos/2024/a.txt')).body).toBe('alpha')
    expect((await ask('/api/raw/Photos/c.txt')).statusCode).toBe(403)
    expect((await ask('/api/resources/Home/own.txt')).statusCode).toBe(403)
    expect((await ask('/api/resources/')).statusCode).toBe(403)
    expect((await ask('/api/resources/Photos/2024/x/', 'POST')).statusCode).toBe(403)
    expect((await ask('/api/places')).json()).toMatchObject([{ name: 'Photos', path: '/Photos' }])
  })
})

describe('what belongs to files in a place', () => {
  it('is found and restored from one trash', async () => {
    await using world = await open()
    const { anna, disk } = world
    expect((await anna.ask('DELETE', '/api/resources/Photos/c.txt?trash=true')).statusCode).toBe(204)
    expect((await anna.ask('DELETE', '/api/resources/Home/own.txt?trash=true')).statusCode).toBe(204)
    const items = (await anna.ask('GET', '/api/trash')).json<TrashItem[]>()
    expect(items.map(({ path }) => path).toSorted()).toEqual(['/Home/own.txt', '/Photos/c.txt'])
    const photo = items.find(({ path }) => path === '/Photos/c.txt')
    const { roots, trash } = world.server.context.services
    const ofAnna = async () => (await trash.list(OPERATOR, world.id, new RootsInReach())).map(({ path }) => path)
    expect((await ofAnna()).toSorted()).toEqual(['/Home/own.txt', '/Photos/c.txt'])
    await roots.change(OPERATOR, world.photos.id, { mountPoint: disk })
    expect(await ofAnna()).toEqual(['/Home/own.txt'])
    await roots.change(OPERATOR, world.photos.id, { mountPoint: '' })
    const again = await trash.restore(OPERATOR, photo?.id ?? '', { owner: world.id })
    expect(again.path).toBe('/Photos/c.txt')
    expect((await anna.ask('DELETE', '/api/resources/Photos/c.txt?trash=true')).statusCode).toBe(204)
    const anew = (await anna.ask('GET', '/api/trash')).json<TrashItem[]>().find(({ path }) => path === '/Photos/c.txt')
    expect((await anna.ask('POST', `/api/trash/${anew?.id}`)).json()).toEqual({ path: '/Photos/c.txt' })
    expect(await readFile(join(disk, 'c.txt'), 'utf8')).toBe('gamma')
    expect((await world.server.context.services.hiddenFiles.find()).orphaned).toEqual([])
    const ids = items.map(({ id }) => id)
    const outcomes = (await anna.ask('POST', '/api/trash', json({ action: 'delete', ids }))).json<TrashOutcome[]>()
    expect(outcomes.map(({ error }) => error?.code)).toEqual(
      items.map(({ path }) => (path === '/Home/own.txt' ? undefined : 'NOT_FOUND')),
    )
  })

  it('is shared by paths that its owner knows, until the place is taken away', async () => {
    await using world = await open({ scope: '/2024' })
    const { anna, server, give } = world
    const bob = await server.user('bob', MAY)
    const { hash, path } = (await anna.ask('POST', '/api/share/Photos/sub/b.txt', json({}))).json<ShareView>()
    expect(path).toBe('/Photos/sub/b.txt')
    await grantOf(anna, '/Photos/sub', 'bob', { allows: 'edit' })
    const link = async () => await server.ask('GET', `/api/public/dl/${hash}`)
    const there = '/api/raw/.filemgr-shared/sub%20(anna)/b.txt'
    expect((await link()).body).toBe('beta')
    expect((await bob.ask('GET', there)).body).toBe('beta')
    const shares = (await anna.ask('GET', '/api/shares')).json<ShareView[]>()
    expect(shares.map((share) => share.path)).toEqual(['/Photos/sub/b.txt'])
    expect((await anna.ask('GET', '/api/share/Photos/sub/b.txt')).json()).toHaveLength(1)
    expect((await anna.ask('GET', '/api/grants?path=/Photos/sub')).json()).toMatchObject([{ target: 'bound' }])
    await give()
    expect([(await link()).statusCode, (await bob.ask('GET', there)).statusCode]).toEqual([404, 404])
    await give({ scope: '/2024' })
    expect((await link()).body).toBe('beta')
    // It follows into another place.
    const moved = await anna.ask('PATCH', '/api/resources/Photos/sub?action=rename&destination=/Home/sub')
    expect(moved.statusCode, moved.body).toBe(200)
    expect((await link()).body).toBe('beta')
    expect((await bob.ask('GET', there)).body).toBe('beta')
    expect((await anna.ask('GET', '/api/grants')).json()).toMatchObject([{ path: '/Home/sub', target: 'bound' }])
    const details = (await anna.ask('GET', `/api/shares/${hash}`)).json<object>()
    expect(details).toMatchObject({ path: '/Home/sub/b.txt', target: 'bound' })
  })

  it('is worked on by jobs, uploads and archives across places', async () => {
    await using world = await open()
    const { anna, disk, server } = world
    const copied = await anna.ask('PATCH', '/api/resources/Photos/2024?action=copy&destination=/Home/year', {
      headers: { prefer: 'respond-async' },
    })
    expect(copied.json()).toMatchObject({ path: '/Photos/2024', destination: '/Home/year' })
    await server.context.services.jobs.find(OPERATOR, copied.json<{ id: string }>().id)
    const packed = await anna.ask(
      'POST',
      '/api/compress/Photos',
      json({ names: ['c.txt'], destination: '/Home/c.zip' }),
    )
    expect(packed.json()).toMatchObject({ made: ['/Home/c.zip'] })
    const unpacked = await anna.ask('POST', '/api/extract/Home/c.zip', json({ destination: '/Photos/2024' }))
    expect(unpacked.statusCode, unpacked.body).toBe(200)
    expect(await readFile(join(disk, '2024/c.txt'), 'utf8')).toBe('gamma')
    const begun = await anna.ask('POST', '/api/tus/Photos/big.bin', { headers: { 'upload-length': '4' } })
    expect(begun.headers['location']).toContain('/api/tus/Photos/big.bin')
    const part = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const sent = await anna.ask('PATCH', '/api/tus/Photos/big.bin', { headers: part, payload: 'four' })
    expect(sent.statusCode).toBe(204)
    expect(await readFile(join(disk, 'big.bin'), 'utf8')).toBe('four')
    const renamed = await anna.ask('POST', '/api/rename/Photos/2024/sub', json({ pattern: { template: 'new-{n}' } }))
    expect(renamed.statusCode, renamed.body).toBe(200)
    expect(await readdir(join(disk, '2024/sub'))).toEqual(['new-1.txt'])
  })
})
