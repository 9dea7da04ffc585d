import { execFileSync } from 'node:child_process'
import { readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ALL_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { FILES_ROOT, mountOf, type RootChange } from '../../../src/domain/server/root.ts'
import { storagePathOf } from '../../../src/storage/storage.ts'
import { NEW, path } from '../../contract/storage/view.ts'
import { grantOf, MAY_ALL } from '../../helpers/api/granted.ts'
import { PASSWORD, type TestApp, testApp, type TestAppInput } from '../../helpers/api/test-app.ts'
import { type FileTree, tempFolder } from '../../helpers/temp-folder.ts'

const isRoot = process.getuid?.() === 0
const json = (value: object) => ({ payload: JSON.stringify(value) })
const PHOTOS: FileTree = { '2024/a.txt': 'alpha', '2024/sub/b.txt': 'beta', 'c.txt': 'gamma' }

/** A site with a second root beside the served folder. */
async function open(change: RootChange = {}, input: TestAppInput = {}) {
  await using held = new AsyncDisposableStack()
  const disk = held.use(await tempFolder(PHOTOS))
  const server: TestApp = held.use(await testApp({ files: { 'own.txt': 'own' }, ...input }))
  const { roots } = server.context.services
  const photos = await roots.create(OPERATOR, { name: 'Photos', location: disk.path, ...change })
  const set = async (values: RootChange) => await roots.change(OPERATOR, photos.id, values)
  const anna = await server.user('anna', { ...ALL_PERMISSIONS, admin: false }, { root: photos.id, scope: '/2024' })
  const all = held.move()
  return {
    server,
    disk: disk.path,
    photos,
    roots,
    set,
    anna,
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

describe('a user in another root', () => {
  it('sees and changes only files there', async () => {
    await using world = await open()
    const { anna, disk, server } = world
    const listed = await anna.ask('GET', '/api/resources/')
    expect(listed.json<{ items: { name: string }[] }>().items.map(({ name }) => name)).toEqual(['sub', 'a.txt'])
    expect((await anna.ask('GET', '/api/raw/a.txt')).body).toBe('alpha')
    const done = [
      await anna.ask('POST', '/api/resources/new.txt', { payload: 'new' }),
      await anna.ask('PUT', '/api/resources/a.txt', { payload: 'changed' }),
      await anna.ask('POST', '/api/resources/folder/'),
      await anna.ask('PATCH', '/api/resources/new.txt?action=copy&destination=/folder/copy.txt'),
      await anna.ask('PATCH', '/api/resources/new.txt?action=rename&destination=/moved.txt'),
      await anna.ask('GET', '/api/usage/'),
      await anna.ask('GET', '/api/search/?query=b'),
      await anna.ask('DELETE', '/api/resources/sub'),
    ]
    expect(done.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200, 200, 204])
    expect(await readFile(join(disk, '2024/a.txt'), 'utf8')).toBe('changed')
    expect(await readFile(join(disk, '2024/folder/copy.txt'), 'utf8')).toBe('new')
    expect(await readFile(join(server.root, 'own.txt'), 'utf8')).toBe('own')
  })

  it('shares, deletes, uploads and is limited there as anywhere', async () => {
    await using world = await open({}, { settings: { trash: { days: 0 } } })
    const { anna, server, disk } = world
    const link = await anna.ask('POST', '/api/share/a.txt', json({}))
    const { hash } = link.json<{ hash: string }>()
    expect((await server.ask('GET', `/api/public/dl/${hash}`)).body).toBe('alpha')
    const bob = await server.user('bob', ALL_PERMISSIONS)
    const order = { path: '/sub', to: { user: 'bob' }, allows: 'edit' }
    expect((await anna.ask('POST', '/api/grants', json(order))).statusCode).toBe(200)
    expect((await bob.ask('GET', '/api/raw/.filemgr-shared/sub%20(anna)/b.txt')).body).toBe('beta')
    // The trash is off in the settings, and on in this root.
    expect((await anna.ask('DELETE', '/api/resources/a.txt?trash=true')).statusCode).toBe(204)
    const [item] = (await anna.ask('GET', '/api/trash')).json<{ id: string }[]>()
    expect((await anna.ask('POST', `/api/trash/${item?.id}`)).statusCode).toBe(200)
    const begun = await anna.ask('POST', '/api/tus/big.bin', { headers: { 'upload-length': '4' } })
    expect(begun.statusCode).toBe(201)
    const part = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const sent = await anna.ask('PATCH', '/api/tus/big.bin', { headers: part, payload: 'four' })
    expect(sent.statusCode).toBe(204)
    expect(await readFile(join(disk, '2024/big.bin'), 'utf8')).toBe('four')
    const { users } = server.context.services
    const { id } = users.find('anna')
    await users.update(OPERATOR, id, { quota: 30 })
    expect((await anna.ask('POST', '/api/resources/much.txt', { payload: 'x'.repeat(30) })).statusCode).toBe(507)
    const { quotas, hiddenFiles } = server.context.services
    const [used] = await quotas.list(OPERATOR)
    expect(used).toMatchObject({ username: 'anna', scope: '/2024', used: { bytes: 13 } })
    await users.update(OPERATOR, id, { quota: 0 })
    await world.set({ quota: 30 })
    const full = await anna.ask('POST', '/api/resources/much.txt', { payload: 'x'.repeat(30) })
    expect([full.statusCode, full.body]).toEqual([
      507,
      expect.stringContaining('the quota of the root "Photos" has no room'),
    ])
    expect((await anna.ask('POST', '/api/resources/less.txt', { payload: 'x' })).statusCode).toBe(200)
    expect(await hiddenFiles.find()).toMatchObject({ abandoned: [], orphaned: [] })
  })

  it('keeps the root when an old client writes the whole account', async () => {
    await using world = await open()
    const admin = await world.server.admin()
    const { id } = world.server.context.services.users.find('anna')
    const { root, ...old } = (await admin.ask('GET', `/api/users/${id}`)).json<{ root: string; scope: string }>()
    expect([root, old.scope]).toEqual([world.photos.id, '/2024'])
    const body = { what: 'user', which: [], current_password: PASSWORD, data: { ...old, scope: '/' } }
    expect((await admin.ask('PUT', `/api/users/${id}`, json(body))).statusCode).toBe(200)
    expect((await world.anna.ask('GET', '/api/raw/c.txt')).body).toBe('gamma')
    expect((await world.anna.ask('GET', `/api/users/${id}`)).json()).not.toHaveProperty('root')
  })

  it('gets a home folder there', async () => {
    await using world = await open({}, { settings: { createUserDir: true } })
    const { users } = world.server.context.services
    const { root, scope } = await users.create(OPERATOR, { username: 'eve', password: PASSWORD, root: world.photos.id })
    expect([root, scope]).toEqual([world.photos.id, '/users/eve'])
    expect((await stat(join(world.disk, 'users/eve'))).isDirectory()).toBe(true)
    const unknown = users.create(OPERATOR, { username: 'tim', password: PASSWORD, root: 'unknown' })
    await expect(unknown).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'root' } })
    const reserved = users.update(OPERATOR, users.find('eve').id, { root: FILES_ROOT, scope: mountOf(world.photos.id) })
    await expect(reserved).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'scope' } })
  })
})

describe('what is shared from another root', () => {
  it('is copied and moved to and from own files', async () => {
    await using world = await open({}, { files: { 'own.txt': 'own', 'folder/x.txt': 'x', 'folder/sub/y.txt': 'yy' } })
    const { anna, server, disk, roots, set } = world
    const bob = await server.user('bob', MAY_ALL)
    await grantOf(anna, '/sub', 'bob', { allows: 'edit' })
    const there = '/.filemgr-shared/sub%20(anna)'
    const transfer = async (action: string, from: string, to: string) =>
      await bob.ask('PATCH', `/api/resources${from}?action=${action}&destination=${to}`)
    const done = [
      await transfer('copy', '/own.txt', `${there}/copied.txt`),
      await transfer('rename', '/own.txt', `${there}/moved.txt`),
      await transfer('copy', '/folder', `${there}/folder`),
      await transfer('rename', '/folder', `${there}/again/folder`),
      await transfer('copy', `${there}/folder`, '/back'),
      await transfer('rename', `${there}/b.txt`, '/b.txt'),
    ]
    expect(done.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 200])
    const names = async (folder: string) => (await readdir(folder)).toSorted()
    expect(await names(join(disk, '2024/sub'))).toEqual(['again', 'copied.txt', 'folder', 'moved.txt'])
    expect(await names(server.root)).toEqual(['b.txt', 'back'])
    expect(await readFile(join(disk, '2024/sub/again/folder/sub/y.txt'), 'utf8')).toBe('yy')
    expect(await readFile(join(server.root, 'back/x.txt'), 'utf8')).toBe('x')
    // The quota of the owner of the target is asked, though her folder is beneath that of bob by its path.
    const { users } = server.context.services
    await users.update(OPERATOR, users.find('anna').id, { quota: 20 })
    await writeFile(join(server.root, 'large.bin'), 'x'.repeat(100))
    expect((await transfer('rename', '/large.bin', `${there}/large.bin`)).statusCode).toBe(507)
    await users.update(OPERATOR, users.find('anna').id, { quota: 0 })
    await set({ readOnly: true })
    for (const action of ['copy', 'rename'])
      expect((await transfer(action, '/large.bin', `${there}/large.bin`)).statusCode).toBe(403)
    expect((await transfer('copy', `${there}/moved.txt`, '/out.txt')).statusCode).toBe(200)
    expect((await transfer('rename', `${there}/moved.txt`, '/out2.txt')).statusCode).toBe(403)
    await roots.remove(OPERATOR, world.photos.id)
    expect((await transfer('copy', '/large.bin', `${there}/large.bin`)).statusCode).toBe(404)
  })
})

describe('a root', () => {
  it('that is read-only refuses each change, also beneath all permissions', async () => {
    await using world = await open({ readOnly: true })
    const { anna, server, photos } = world
    expect((await anna.ask('POST', '/api/resources/new.txt', { payload: 'x' })).statusCode).toBe(403)
    expect((await anna.ask('GET', '/api/raw/a.txt')).body).toBe('alpha')
    using scope = await server.context.storage.openScope(storagePathOf(mountOf(photos.id)), 'inside')
    const refused = { code: 'FORBIDDEN', message: 'the root "Photos" is read-only' }
    await expect(scope.remove(path('/c.txt'))).rejects.toMatchObject(refused)
    await expect(scope.trash.putAtOnce('1', path('/c.txt'), 0)).rejects.toMatchObject(refused)
    await expect(scope.staging.create(path('/d'), '.x', NEW)).rejects.toMatchObject(refused)
    await world.set({ readOnly: false })
    await scope.remove(path('/c.txt'))
    expect((await anna.ask('POST', '/api/resources/new.txt', { payload: 'x' })).statusCode).toBe(200)
  })

  it('hides names, whatever rules say', async () => {
    await using world = await open({ hidden: ['s?b', '*.TMP'] })
    const { anna, disk } = world
    await writeFile(join(disk, '2024/x.tmp'), 'x')
    const names = async () =>
      (await anna.ask('GET', '/api/resources/')).json<{ items: { name: string }[] }>().items.map(({ name }) => name)
    expect(await names()).toEqual(['a.txt'])
    expect((await anna.ask('GET', '/api/raw/sub/b.txt')).statusCode).toBe(403)
    await world.set({ hidden: [] })
    expect(await names()).toEqual(['sub', 'a.txt', 'x.tmp'])
  })

  it('that is away says so by its name, and is back by itself; the others go on', async () => {
    await using world = await open()
    const { anna, disk, server, roots } = world
    const admin = await server.admin()
    await rename(disk, `${disk}-away`)
    await expect.poll(async () => (await anna.ask('GET', '/api/resources/')).statusCode).toBe(503)
    const [files, photos] = await roots.list(OPERATOR)
    expect([files?.state, photos?.state, photos?.problem]).toEqual([
      'here',
      'away',
      'the root "Photos" is away: mount its disk or restore its folder',
    ])
    expect((await admin.ask('GET', '/api/raw/own.txt')).body).toBe('own')
    const { rootWatch } = server.context.services
    const warnings = async (client: typeof admin) => {
      await rootWatch.look()
      return (await client.ask('GET', '/api/notices')).json<object[]>()
    }
    expect(await warnings(admin)).toMatchObject([{ kind: 'rootAway', name: 'Photos', isNew: true }])
    expect(await warnings(anna)).toEqual([])
    await world.set({ warnAway: false })
    expect(await warnings(admin)).toEqual([])
    await world.set({ warnAway: true })
    await rename(`${disk}-away`, disk)
    await expect.poll(async () => (await anna.ask('GET', '/api/raw/a.txt')).body).toBe('alpha')
    expect(await warnings(admin)).toEqual([])
    // Without a disk at its mount point, its folder would be an empty one of the system.
    await world.set({ mountPoint: disk })
    expect((await anna.ask('GET', '/api/resources/')).statusCode).toBe(503)
  })

  it.runIf(isRoot)('is away at once when its disk is unmounted, and the system keeps its space (as root)', async () => {
    await using place = await tempFolder({ 'mnt/disk/below.txt': 'b', 'other/a.txt': 'a' })
    const at = place.at('mnt/disk')
    const mount = () => {
      execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', at])
      return { [Symbol.dispose]: () => void execFileSync('umount', ['-l', at]) }
    }
    await using world = await open()
    const { server, roots } = world
    const disk = mount()
    const added = await (async () => {
      using _mounted = disk
      const root = await roots.create(OPERATOR, { name: 'Disk', location: `${at}/` })
      const eve = await server.user('eve', ALL_PERMISSIONS, { root: root.id, scope: '/' })
      expect((await eve.ask('POST', '/api/resources/first.txt', { payload: 'x' })).statusCode).toBe(200)
      return { root, eve }
    })()
    const { root, eve } = added
    expect([root.location, root.mountPoint]).toEqual([at, at])
    const headers = { accept: 'application/json' }
    const write = async (name: string) => await eve.ask('POST', `/api/resources/${name}`, { payload: 'x', headers })
    const refused = await write('lost.txt')
    expect([refused.statusCode, refused.body]).toEqual([503, expect.stringContaining(String.raw`the root \"Disk\"`)])
    // When it is opened again, too.
    await roots.change(OPERATOR, root.id, { index: false })
    expect((await write('lost.txt')).statusCode).toBe(503)
    expect(await readdir(at)).toEqual(['below.txt'])
    using _again = mount()
    expect((await write('kept.txt')).statusCode).toBe(200)
    expect(await readdir(at)).toEqual(['kept.txt'])
    // A folder is known by whatever path it is reached.
    const bound = place.at('other')
    execFileSync('mount', ['--bind', join(world.disk, '2024'), bound])
    using _bound = { [Symbol.dispose]: () => void execFileSync('umount', [bound]) }
    await expect(roots.create(OPERATOR, { name: 'Twin', location: bound })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('lies inside the root "Photos"') as string,
    })
  })

  it('that is removed or moved is so for the next request', async () => {
    await using world = await open()
    await using moved = await tempFolder({ '2024/moved.txt': 'there' })
    const { anna, roots, photos, server } = world
    using scope = await server.context.storage.openScope(storagePathOf(mountOf(photos.id)), 'inside')
    await world.set({ location: moved.path, name: 'Pictures' })
    expect((await anna.ask('GET', '/api/raw/moved.txt')).body).toBe('there')
    await roots.remove(OPERATOR, photos.id)
    expect((await anna.ask('GET', '/api/resources/')).statusCode).toBe(404)
    await expect(scope.remove(path('/c.txt'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const { users } = server.context.services
    await users.update(OPERATOR, users.find('anna').id, { root: FILES_ROOT, scope: '/' })
    expect((await anna.ask('GET', '/api/raw/own.txt')).body).toBe('own')
  })

  it('is refused where it cannot be, with what to do', async () => {
    await using world = await open()
    const { disk, server, roots } = world
    await using other = await tempFolder({ 'a.txt': 'a' })
    await symlink(disk, other.at('link'))
    const problemOf = async (change: RootChange) => {
      try {
        await roots.create(OPERATOR, { name: 'Other', ...change })
      } catch (error) {
        return (error as Error).message
      }
      return 'added'
    }
    const advice = 'or choose another folder'
    expect(await problemOf({ location: 'photos' })).toContain('no whole path')
    expect(await problemOf({ location: other.at('none') })).toBe(
      `${other.at('none')} does not exist; choose an existing folder`,
    )
    expect(await problemOf({ location: other.at('a.txt') })).toContain('is not a folder')
    expect(await problemOf({ location: other.at('link') })).toBe(`${other.at('link')} is the root "Photos" already`)
    expect(await problemOf({ location: join(disk, '2024') })).toBe(
      `${join(disk, '2024')} lies inside the root "Photos": give people /2024 of it, ${advice}`,
    )
    expect(await problemOf({ location: '/' })).toContain('belongs to filemgr itself')
    expect(await problemOf({ location: server.root })).toContain('is the root "files" already')
    expect(await problemOf({ location: 's3://x' })).toContain('a bucket is named as')
    expect(await problemOf({ location: other.path, name: 'PHOTOS' })).toContain('there is a root named "Photos"')
    expect(await problemOf({ location: other.path, name: 'None' })).toContain('means no root')
    expect(await problemOf({ location: other.path, hidden: ['*'] })).toContain('would hide everything')
    const mountPoint = (given: string) => problemOf({ location: other.path, mountPoint: given })
    expect(await mountPoint('mnt')).toContain('mnt is no whole path')
    expect(await mountPoint(disk)).toBe(`${disk} does not contain ${other.path}`)
    expect((await roots.list(OPERATOR)).map(({ name }) => name)).toEqual(['files', 'Photos'])
  })

  it('is added on the web only where the operator says, and with the password', async () => {
    await using allowed = await tempFolder({ 'in/a.txt': 'a' })
    await using other = await tempFolder()
    await using world = await open({}, { options: { rootsIn: [allowed.path] } })
    const admin = await world.server.admin()
    const add = async (change: object) =>
      (await admin.ask('POST', '/api/roots', json({ name: 'New', current_password: PASSWORD, ...change }))).statusCode
    expect(await add({ location: other.path })).toBe(403)
    expect(await add({ location: allowed.at('in'), followLinks: true })).toBe(403)
    expect(await add({ location: allowed.at('in'), current_password: '' })).toBe(400)
    expect(await add({ location: allowed.at('in') })).toBe(200)
    const move = json({ location: other.path, current_password: PASSWORD })
    expect((await admin.ask('PATCH', `/api/roots/${world.photos.id}`, move)).statusCode).toBe(403)
    expect((await world.anna.ask('GET', '/api/roots')).statusCode).toBe(403)
  })
})
