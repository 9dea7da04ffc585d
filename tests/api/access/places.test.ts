import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ALL_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { GivenPlace, PlaceView } from '../../../src/domain/accounts/place.ts'
import type { Resource } from '../../../src/domain/files/resource.ts'
import type { RootId } from '../../../src/domain/ids.ts'
import { type TestApp, testApp, type TestAppInput } from '../../helpers/api/test-app.ts'
import { type FileTree, tempFolder } from '../../helpers/temp-folder.ts'

const PHOTOS: FileTree = { '2024/a.txt': 'alpha', '2024/sub/b.txt': 'beta', 'c.txt': 'gamma' }
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
  return {
    server,
    disk: disk.path,
    photos,
    anna,
    give,
    id,
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

const namesIn = (reply: { json<T>(): T }) => reply.json<{ items: Resource[] }>().items.map(({ name }) => name)

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
    const done = [
      await anna.ask('POST', '/api/resources/Photos/new.txt', { payload: 'new' }),
      await anna.ask('PUT', '/api/resources/Photos/a.txt', { payload: 'changed' }),
      await anna.ask('POST', '/api/resources/Home/folder/'),
      await anna.ask('PATCH', '/api/resources/Photos/new.txt?action=copy&destination=/Home/folder/copy.txt'),
      await anna.ask('PATCH', '/api/resources/Photos/sub?action=rename&destination=/Home/moved'),
      await anna.ask('PATCH', '/api/resources/Photos/new.txt?action=rename&destination=/Photos/old.txt'),
    ]
    expect(done.map(({ statusCode, body }) => [statusCode, body])).toEqual(done.map(() => [200, expect.anything()]))
    expect(await readFile(join(server.root, 'folder/copy.txt'), 'utf8')).toBe('new')
    expect(await readFile(join(server.root, 'moved/b.txt'), 'utf8')).toBe('beta')
    expect((await readdir(join(disk, '2024'))).toSorted()).toEqual(['a.txt', 'old.txt'])
  })
})
