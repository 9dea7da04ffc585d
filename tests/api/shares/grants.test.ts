import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GrantView } from '../../../src/domain/shares/grant.ts'
import type { Listing } from '../../../src/domain/files/resource.ts'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { UserPatch } from '../../../src/domain/accounts/user.ts'
import type { UserId } from '../../../src/domain/ids.ts'
import { grantOf, house, MAY_ALL, PHOTOS, sharedWith } from '../../helpers/api/granted.ts'
import { movableClock } from '../../helpers/movable-clock.ts'
import type { Client } from '../../helpers/api/test-app.ts'

const ANNA = 2 as UserId

const at = (path: string) => `/api/resources${path}`
const listed = async (client: Client, path: string) =>
  (await client.ask('GET', at(path))).json<Listing>().items.map((item) => [item.name, item.path])
const status = async (client: Client, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload = '') =>
  (await client.ask(method, url, { payload })).statusCode

describe('what is shared inside the house', () => {
  it('is a folder of its recipients, with the name of its owner, and no other list shows it', async () => {
    await using world = await house()
    const { anna, bob, cleo, server } = world
    const before = (await bob.ask('GET', at('/'))).body
    const made = await grantOf(anna, '/photos', 'bob')
    expect(made).toMatchObject({ path: '/photos', name: 'photos', owner: 'anna', allows: 'download', target: 'bound' })
    expect((await bob.ask('GET', at('/'))).body).toBe(before)
    expect(await listed(bob, '/.filemgr-shared/')).toEqual([['photos (anna)', '/.filemgr-shared/photos (anna)']])
    expect(await listed(bob, `${PHOTOS}/`)).toEqual([
      ['deny', '/.filemgr-shared/photos (anna)/deny'],
      ['sub', '/.filemgr-shared/photos (anna)/sub'],
      ['a.txt', '/.filemgr-shared/photos (anna)/a.txt'],
    ])
    expect((await bob.ask('GET', `/api/raw${PHOTOS}/sub/b.txt`)).body).toBe('beta')
    for (const url of ['/api/resources/recursive', '/api/search', '/api/sizes'].map((call) => `${call}${PHOTOS}`)) {
      const { body } = await bob.ask('GET', `${url}?query=b&details=true&measure=true&notable=true`)
      expect([url, body.includes('b.txt')]).toEqual([url, true])
      expect(body, url).not.toContain('"/photos')
    }
    expect(await sharedWith(bob)).toMatchObject([
      { id: made.id, name: 'photos', path: '/.filemgr-shared/photos (anna)', owner: 'anna', isDir: true, isNew: true },
    ])
    for (const other of [cleo, anna, await server.admin()]) {
      expect(await listed(other, '/.filemgr-shared/')).toEqual([])
      expect(await status(other, 'GET', at(`${PHOTOS}/a.txt`))).toBe(404)
    }
  })

  it('gives what it allows, and never more', async () => {
    await using world = await house()
    const { anna, bob } = world
    const made = await grantOf(anna, '/photos', 'bob', { allows: 'view' })
    const set = async (allows: string) =>
      await anna.ask('PUT', `/api/grants/${made.id}`, { payload: JSON.stringify({ allows }) })
    let attempt = 0
    const tried = async () => ({
      list: await status(bob, 'GET', at(`${PHOTOS}/`)),
      shown: await status(bob, 'GET', `/api/raw${PHOTOS}/a.txt?inline=true`),
      download: await status(bob, 'GET', `/api/raw${PHOTOS}/a.txt`),
      archive: await status(bob, 'GET', `/api/raw${PHOTOS}/`),
      save: await status(bob, 'PUT', at(`${PHOTOS}/a.txt`), 'changed'),
      create: await status(bob, 'POST', at(`${PHOTOS}/new-${(attempt += 1)}.txt`), 'new'),
      link: await status(bob, 'POST', `/api/share${PHOTOS}`, '{}'),
      grant: await status(
        bob,
        'POST',
        '/api/grants',
        JSON.stringify({ path: decodeURI(PHOTOS), to: { user: 'cleo' } }),
      ),
    })
    const never = { link: 403, grant: 403 }
    expect(await tried()).toEqual({
      list: 200,
      shown: 200,
      download: 403,
      archive: 403,
      save: 403,
      create: 403,
      ...never,
    })
    await set('download')
    expect(await tried()).toEqual({
      list: 200,
      shown: 200,
      download: 200,
      archive: 200,
      save: 403,
      create: 403,
      ...never,
    })
    await set('edit')
    expect(await tried()).toEqual({
      list: 200,
      shown: 200,
      download: 200,
      archive: 200,
      save: 200,
      create: 200,
      ...never,
    })
    await set('upload')
    expect(await tried()).toEqual({
      list: 200,
      shown: 403,
      download: 403,
      archive: 403,
      save: 403,
      create: 200,
      ...never,
    })
  })

  it('only takes files, under free names, and shows nothing, if it is for uploads', async () => {
    await using world = await house()
    const { anna, bob, server } = world
    await grantOf(anna, '/photos', 'bob', { allows: 'upload' })
    expect(await status(bob, 'POST', at(`${PHOTOS}/a.txt?override=true`), 'from bob')).toBe(200)
    expect(await listed(bob, `${PHOTOS}/`)).toEqual([])
    const tus = { 'upload-length': '3' }
    expect((await bob.ask('POST', `/api/tus${PHOTOS}/a.txt?override=true`, { headers: tus })).statusCode).toBe(201)
    const sent = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    const part = await bob.ask('PATCH', `/api/tus${PHOTOS}/a.txt`, { headers: sent, payload: 'tus' })
    expect(part.statusCode).toBe(204)
    const photos = join(server.root, 'anna/photos')
    expect((await readdir(photos)).toSorted()).toEqual(['a(1).txt', 'a(2).txt', 'a.txt', 'deny', 'sub'])
    expect(await readFile(join(photos, 'a.txt'), 'utf8')).toBe('alpha')
    for (const url of [
      at(`${PHOTOS}/a.txt`),
      at(`${PHOTOS}/sub/`),
      `/api/search${PHOTOS}?query=a`,
      `/api/preview/thumb${PHOTOS}/a.txt`,
    ])
      expect(await status(bob, 'GET', url), url).toBe(403)
  })

  it('ends when its owner may not share, is gone or has another folder, and with its time', async () => {
    const clock = movableClock()
    await using world = await house({ clock })
    const { anna, bob, server } = world
    const made = await grantOf(anna, '/photos', 'bob', { expires: '1', unit: 'hours' })
    const see = async () => await status(bob, 'GET', at(`${PHOTOS}/a.txt`))
    const change = async (fields: UserPatch) => await server.context.services.users.update(OPERATOR, ANNA, fields)
    expect(await see()).toBe(200)
    await change({ perm: { ...MAY_ALL, share: false } })
    expect([await see(), await sharedWith(bob)]).toEqual([403, []])
    await change({ perm: { ...MAY_ALL, download: true } })
    await change({ scope: '/bob' })
    expect(await see()).toBe(404)
    await change({ scope: '/anna' })
    expect(await see()).toBe(200)
    clock.move(60 * 60 * 1000)
    expect([await see(), await sharedWith(bob)]).toEqual([404, []])
    await anna.ask('PUT', `/api/grants/${made.id}`, { payload: JSON.stringify({ expires: '' }) })
    expect(await see()).toBe(200)
    expect(await status(bob, 'DELETE', `/api/shared/${made.id}`)).toBe(204)
    expect(await see()).toBe(404)
    await grantOf(anna, '/photos', 'bob')
    await server.context.services.users.remove(OPERATOR, ANNA)
    expect([await see(), server.context.store.snapshot().grants]).toEqual([404, []])
  })

  it('keeps to the rules of its owner', async () => {
    await using world = await house()
    const { anna, bob, server } = world
    await grantOf(anna, '/photos', 'bob', { allows: 'edit' })
    const rules = [{ regex: false, allow: false, path: '/photos/deny', regexp: { raw: '' } }]
    await server.context.services.users.update(OPERATOR, ANNA, { rules })
    expect((await listed(bob, `${PHOTOS}/`)).map(([name]) => name)).toEqual(['sub', 'a.txt'])
    expect(await status(bob, 'GET', at(`${PHOTOS}/deny/no.txt`))).toBe(403)
    expect((await bob.ask('GET', `/api/search${PHOTOS}?query=no`)).body).not.toContain('no.txt')
    expect(await status(bob, 'DELETE', at(PHOTOS))).toBe(403)
  })

  it('is not left by dots, links, names of others or a destination', async () => {
    await using world = await house()
    const { anna, bob, cleo, server } = world
    await grantOf(anna, '/photos', 'bob', { allows: 'edit' })
    await grantOf(cleo, '/', 'anna', { allows: 'edit' })
    const photos = join(server.root, 'anna/photos')
    await symlink('../secret.txt', join(photos, 'out.txt'))
    await symlink('sub/b.txt', join(photos, 'in.txt'))
    await symlink('/etc', join(photos, 'etc'))
    const read = async (path: string) => await status(bob, 'GET', at(path))
    expect(await read(`${PHOTOS}/in.txt`)).toBe(200)
    for (const path of ['/out.txt', '/etc/passwd']) expect([403, 404], path).toContain(await read(PHOTOS + path))
    for (const path of ['/%2e%2e/secret.txt', '/sub/%2e%2e/%2e%2e/secret.txt', '/..%2fsecret.txt'])
      expect([301, 400, 404], path).toContain(await read(PHOTOS + path))
    for (const name of ['photos%20(cleo)', 'files%20(cleo)', 'photos', 'photos%20(ANNA)', '.filemgr-trash'])
      expect(await read(`/.filemgr-shared/${name}/c.txt`), name).toBe(404)
    for (const destination of ['files%20(cleo)/stolen.txt', 'stolen.txt', 'photos%20(cleo)/stolen.txt'].map(
      (each) => `/.filemgr-shared/${each}`,
    )) {
      for (const action of ['copy', 'rename'])
        expect([403, 404], destination).toContain(
          await status(bob, 'PATCH', `${at(`${PHOTOS}/sub`)}?action=${action}&destination=${destination}`),
        )
    }
    for (const [method, url] of [
      ['DELETE', at(PHOTOS)],
      ['PATCH', `${at(PHOTOS)}?action=rename&destination=${PHOTOS}/sub/x`],
      ['PATCH', `${at(PHOTOS)}?action=copy&destination=${PHOTOS}/copy`],
      ['DELETE', at('/.filemgr-shared')],
      ['POST', at('/.filemgr-shared/new/')],
      ['PATCH', `${at('/.filemgr-shared')}?action=rename&destination=/x`],
    ] as const)
      expect([400, 403, 404], url).toContain(await status(bob, method, url))
    expect((await readdir(photos)).toSorted()).toEqual(['a.txt', 'deny', 'etc', 'in.txt', 'out.txt', 'sub'])
    expect(await readdir(join(server.root, 'bob'))).toEqual(['own.txt'])
  })

  it('takes the ordinary changes, with the trash and the quota of its owner', async () => {
    await using world = await house()
    const { anna, bob, server } = world
    await grantOf(anna, '/photos', 'bob', { allows: 'edit' })
    await server.context.services.users.update(OPERATOR, ANNA, { quota: 100 })
    const photos = join(server.root, 'anna/photos')
    expect(await status(bob, 'POST', at(`${PHOTOS}/made/`))).toBe(200)
    expect(await status(bob, 'POST', at(`${PHOTOS}/made/x.txt`), 'x')).toBe(200)
    expect(await status(bob, 'POST', at(`${PHOTOS}/made/big.txt`), 'x'.repeat(200))).toBe(507)
    expect(await status(bob, 'PATCH', `${at(`${PHOTOS}/made/x.txt`)}?action=copy&destination=${PHOTOS}/y.txt`)).toBe(
      200,
    )
    expect(await status(bob, 'PATCH', `${at(`${PHOTOS}/made`)}?action=rename&destination=${PHOTOS}/moved`)).toBe(200)
    expect(await status(bob, 'DELETE', `${at(`${PHOTOS}/y.txt`)}?trash=true`)).toBe(204)
    expect((await readdir(photos)).toSorted()).toEqual(['a.txt', 'deny', 'moved', 'sub'])
    const trashed = (await anna.ask('GET', '/api/trash')).json<{ path: string }[]>()
    expect(trashed.map(({ path }) => path)).toEqual(['/photos/y.txt'])
    expect((await bob.ask('GET', '/api/trash')).json()).toEqual([])
  })

  it('follows its folder when the owner moves it, ends when that is deleted, and never shows another one', async () => {
    await using world = await house()
    const { anna, bob, server } = world
    await grantOf(anna, '/photos', 'bob')
    expect(await status(anna, 'PATCH', `${at('/photos')}?action=rename&destination=/pictures`)).toBe(200)
    expect(await status(bob, 'GET', at(`${PHOTOS}/a.txt`))).toBe(200)
    const home = join(server.root, 'anna')
    await rename(join(home, 'pictures'), join(home, 'elsewhere'))
    await mkdir(join(home, 'pictures'))
    await writeFile(join(home, 'pictures/a.txt'), 'another')
    expect(await status(bob, 'GET', at(`${PHOTOS}/a.txt`))).toBe(404)
    expect(await listed(bob, '/.filemgr-shared/')).toEqual([])
    await rm(join(home, 'pictures'), { recursive: true })
    await rename(join(home, 'elsewhere'), join(home, 'pictures'))
    expect(await status(bob, 'GET', at(`${PHOTOS}/a.txt`))).toBe(200)
    expect(await status(anna, 'DELETE', at('/pictures'))).toBe(204)
    expect(await sharedWith(bob)).toEqual([])
  })

  it('can be a single file, which stays shared when it is saved', async () => {
    await using world = await house()
    const { anna, bob, server } = world
    await grantOf(anna, '/photos/a.txt', 'bob', { allows: 'edit' })
    const file = '/.filemgr-shared/a.txt%20(anna)'
    expect((await bob.ask('GET', `/api/raw${file}`)).body).toBe('alpha')
    for (const content of ['once', 'twice']) expect(await status(bob, 'PUT', at(file), content)).toBe(200)
    expect(await readFile(join(server.root, 'anna/photos/a.txt'), 'utf8')).toBe('twice')
    expect((await bob.ask('GET', `/api/raw${file}`)).body).toBe('twice')
    expect([400, 404]).toContain(await status(bob, 'GET', at(`${file}/../a.txt`)))
    expect(await status(bob, 'DELETE', at(file))).toBe(403)
  })

  it('reaches all members of a group, until they leave it, are taken out, or the group is gone', async () => {
    await using world = await house()
    const { anna, bob, cleo, server } = world
    const { groups } = server.context.services
    const { id } = await groups.create(OPERATOR, { name: 'Film crew' })
    const [BOB, CLEO] = [3, 4] as UserId[]
    await groups.changeMembers(OPERATOR, id, { add: [ANNA, BOB, CLEO].flatMap((each) => each ?? []) })
    const payload = JSON.stringify({ path: '/photos', to: { group: 'Film crew' } })
    const made = (await anna.ask('POST', '/api/grants', { payload })).json<GrantView>()
    expect(made.to).toEqual({ kind: 'group', name: 'Film crew', members: 3 })
    expect((await anna.ask('GET', '/api/people?q=fi')).json()).toEqual([
      { kind: 'group', name: 'Film crew', members: 3 },
    ])
    const see = async () =>
      await Promise.all([bob, cleo].map(async (one) => await status(one, 'GET', at(`${PHOTOS}/a.txt`))))
    expect(await see()).toEqual([200, 200])
    expect(await sharedWith(bob)).toMatchObject([{ owner: 'anna', group: 'Film crew' }])
    expect(await sharedWith(anna)).toEqual([])
    expect(await status(bob, 'DELETE', `/api/shared/${made.id}`)).toBe(204)
    expect(await see()).toEqual([404, 200])
    await groups.changeMembers(OPERATOR, id, { remove: [4 as UserId] })
    expect(await see()).toEqual([404, 404])
    await groups.remove(OPERATOR, id)
    expect(server.context.store.snapshot().grants).toEqual([])
  })

  it('is managed by its owner alone, who names people in full or finds them by two letters', async () => {
    await using world = await house()
    const { anna, bob, cleo, server } = world
    const made = await grantOf(anna, '/photos', 'bob')
    const again = await anna.ask('POST', '/api/grants', {
      payload: JSON.stringify({ path: '/photos', to: { user: 'bob' } }),
    })
    expect(again.statusCode).toBe(409)
    for (const to of [{ user: 'nobody' }, { user: 'anna' }, {}, { user: 'bob', group: 'x' }])
      expect([400, 404]).toContain(await status(anna, 'POST', '/api/grants', JSON.stringify({ path: '/photos', to })))
    for (const other of [bob, cleo]) {
      expect(await status(other, 'PUT', `/api/grants/${made.id}`, '{"allows":"edit"}')).toBe(404)
      expect(await status(other, 'DELETE', `/api/grants/${made.id}`)).toBe(404)
    }
    expect(await status(cleo, 'DELETE', `/api/shared/${made.id}`)).toBe(404)
    expect((await anna.ask('GET', '/api/grants?path=/photos')).json<GrantView[]>().map(({ to }) => to.name)).toEqual([
      'bob',
    ])
    expect((await bob.ask('GET', '/api/grants')).json()).toEqual([])
    const found = async (q: string) => (await anna.ask('GET', `/api/people?q=${q}`)).body
    expect(JSON.parse(await found('BO'))).toEqual([{ kind: 'user', name: 'bob' }])
    expect(await status(anna, 'GET', '/api/people?q=b')).toBe(400)
    const none = await server.user('none', { download: true })
    expect(await status(none, 'GET', '/api/people?q=bo')).toBe(403)
    await server.context.services.settings.patch(OPERATOR, { findPeople: false })
    expect(await status(anna, 'GET', '/api/people?q=bo')).toBe(403)
    expect(await status(anna, 'DELETE', `/api/grants/${made.id}`)).toBe(204)
    expect(await sharedWith(bob)).toEqual([])
  })
})
