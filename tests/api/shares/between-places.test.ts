import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { grantOf, PHOTOS } from '../../helpers/api/granted.ts'
import {
  ANNA,
  beforePlacing,
  BOB,
  ended,
  isThere,
  openPlaces,
  PLACES,
  read,
  transfer,
} from '../../helpers/api/places.ts'
import { usedOf } from '../../helpers/api/quota-world.ts'
import { shareOf } from '../../helpers/api/shared.ts'

describe.each([
  ['own', 'photos'],
  ['photos', 'own'],
  ['photos', 'box'],
] as const)('from %s to %s', (from, to) => {
  const [source, target] = [PLACES[from], PLACES[to]]

  it('copies and moves files and folders', async () => {
    await using world = await openPlaces()
    for (const action of ['copy', 'rename']) {
      for (const [name, inside] of [
        [`${action}.txt`, ''],
        [`${action}-folder`, '/sub/deep.txt'],
      ] as const) {
        const wanted = await read(world, `${source.disk}/${name}${inside}`)
        const answer = await transfer(world.bob, action, `${source.shown}/${name}`, `${target.shown}/new/${name}`)
        expect(answer.statusCode).toBeLessThan(300)
        if (answer.statusCode === 202)
          expect(answer.json()).toMatchObject({
            path: decodeURI(`${source.shown}/${name}`),
            destination: decodeURI(`${target.shown}/new/${name}`),
          })
        expect(await ended(world, answer)).toMatchObject({ state: 'done' })
        expect(await read(world, `${target.disk}/new/${name}${inside}`)).toBe(wanted)
        expect(await isThere(world, `${source.disk}/${name}`)).toBe(action === 'copy')
      }
    }
  })

  it('keeps or replaces what is there, as it is asked to', async () => {
    await using world = await openPlaces()
    const [path, goal] = [`${source.shown}/copy.txt`, `${target.shown}/copy.txt`]
    for (const action of ['copy', 'rename']) {
      expect((await transfer(world.bob, action, path, goal)).statusCode).toBe(409)
      const folder = await transfer(world.bob, action, path, `${target.shown}/rename-folder`, '&override=true')
      expect(folder.statusCode).toBe(409)
    }
    expect((await transfer(world.bob, 'copy', path, goal, '&rename=true')).statusCode).toBe(200)
    expect(await read(world, `${target.disk}/copy(1).txt`)).toBe(`text of ${source.disk}`)
    expect(await read(world, `${target.disk}/copy.txt`)).toBe(`text of ${target.disk}`)
    expect((await transfer(world.bob, 'rename', path, goal, '&override=true')).statusCode).toBe(200)
    expect(await read(world, `${target.disk}/copy.txt`)).toBe(`text of ${source.disk}`)
    expect(await isThere(world, `${source.disk}/copy.txt`)).toBe(false)
    const merged = await transfer(
      world.bob,
      'rename',
      `${source.shown}/copy-folder`,
      `${target.shown}/copy-folder`,
      '&override=true',
    )
    expect(await ended(world, merged)).toMatchObject({ state: 'done' })
    expect(await isThere(world, `${source.disk}/copy-folder`)).toBe(false)
  })

  it('needs its permissions at both ends', async () => {
    await using world = await openPlaces()
    const before = await Promise.all(
      [source, target].map(async ({ disk }) => await readdir(join(world.server.root, disk))),
    )
    const tried = async () => {
      const codes = []
      for (const action of ['copy', 'rename'])
        for (const name of [`${action}.txt`, `${action}-folder`])
          codes.push((await transfer(world.bob, action, `${source.shown}/${name}`, `${target.shown}/x`)).statusCode)
      return codes
    }
    const refused = [403, 403, 403, 403]
    if (from === 'own') {
      const users = world.server.context.services.users
      const { perm } = users.find('bob')
      await users.update(OPERATOR, BOB, { perm: { ...perm, download: false, share: false } })
      expect(await tried()).toEqual(refused)
      await users.update(OPERATOR, BOB, { perm })
    } else {
      for (const allows of ['view', 'upload']) {
        await world.set(from, allows)
        expect([allows, await tried()]).toEqual([allows, refused])
      }
      await world.set(from, 'download')
      for (const name of ['rename.txt', 'rename-folder'])
        expect((await transfer(world.bob, 'rename', `${source.shown}/${name}`, `${target.shown}/x`)).statusCode).toBe(
          403,
        )
    }
    if (to === 'own') {
      const users = world.server.context.services.users
      await users.update(OPERATOR, BOB, { perm: { ...users.find('bob').perm, create: false } })
      expect(await tried()).toEqual(refused)
    } else {
      await world.set(from, 'edit')
      for (const allows of ['view', 'download']) {
        await world.set(to, allows)
        expect([allows, await tried()]).toEqual([allows, refused])
      }
    }
    const after = await Promise.all(
      [source, target].map(async ({ disk }) => await readdir(join(world.server.root, disk))),
    )
    expect(after).toEqual(before)
  })

  it.each(['copy', 'rename'])('loses nothing if what is shared ends during a %s', async (action) => {
    await using world = await openPlaces()
    const { server, bob, anna, grants } = world
    let isEnded = false
    beforePlacing(world, async () => {
      isEnded = (await anna.ask('DELETE', `/api/grants/${grants.photos.id}`)).statusCode === 204
    })
    const answer = await transfer(bob, action, `${source.shown}/${action}-folder`, `${target.shown}/new`)
    expect(answer.statusCode).toBe(202)
    const { state, error } = await ended(world, answer)
    expect([isEnded, state, error?.message]).toEqual([true, 'failed', 'this is not shared with you, or no longer'])
    expect(await read(world, `${source.disk}/${action}-folder/sub/deep.txt`)).toBe('deep')
    const left = await readdir(join(server.root, target.disk))
    expect(left.filter((name) => name === 'new' || name.startsWith('.'))).toEqual([])
  })
})

describe('between places', () => {
  it('compresses and extracts', async () => {
    await using world = await openPlaces()
    const { bob, server, set } = world
    const compress = async (destination: string) =>
      await bob.ask('POST', `/api/compress${PHOTOS}`, {
        payload: JSON.stringify({ names: ['a.txt', 'copy-folder'], destination }),
        headers: { prefer: 'respond-async' },
      })
    const extract = async (archive: string, destination: string) =>
      await bob.ask('POST', `/api/extract${archive}`, {
        payload: JSON.stringify({ destination, rename: true }),
        headers: { prefer: 'respond-async' },
      })
    const packed = await ended(world, await compress('/packed.zip'))
    expect(packed).toMatchObject({ state: 'done', made: ['/packed.zip'] })
    const box = decodeURI(PLACES.box.shown)
    expect(await ended(world, await extract('/packed.zip', box))).toMatchObject({
      state: 'done',
      made: [`${box}/packed`],
    })
    expect(await read(world, 'cleo/box/packed/copy-folder/sub/deep.txt')).toBe('deep')
    await set('box', 'upload')
    const sent = await ended(world, await compress(`${box}/packed.zip`))
    expect(sent).toMatchObject({ state: 'done', destination: box })
    expect(sent.made).toBeUndefined()
    expect((await extract('/packed.zip', box)).statusCode).toBe(403)
    await set('photos', 'view')
    expect((await compress('/no.zip')).statusCode).toBe(403)
    expect(await readdir(join(server.root, 'cleo/box'))).toContain('packed.zip')
  })

  it('takes a whole shared file or folder, but leaves it where it is', async () => {
    await using world = await openPlaces()
    const { bob, cleo } = world
    await grantOf(cleo, '/box/c.txt', 'bob')
    const file = '/.filemgr-shared/c.txt%20(cleo)'
    expect((await transfer(bob, 'copy', file, '/c.txt')).statusCode).toBe(200)
    expect(await read(world, 'bob/c.txt')).toBe('gamma')
    expect(await ended(world, await transfer(bob, 'copy', PHOTOS, '/photos'))).toMatchObject({ state: 'done' })
    expect(await read(world, 'bob/photos/a.txt')).toBe('alpha')
    for (const path of [file, PHOTOS]) expect((await transfer(bob, 'rename', path, '/x')).statusCode).toBe(403)
    expect((await transfer(bob, 'copy', '/own.txt', PHOTOS, '&override=true')).statusCode).toBe(403)
  })

  it('sends to what only takes files, under free names that it does not tell', async () => {
    await using world = await openPlaces()
    const { bob, server, set } = world
    await set('photos', 'upload')
    const before = await readdir(join(server.root, 'anna/photos'))
    for (const action of ['copy', 'rename'])
      expect((await transfer(bob, action, `/${action}.txt`, `${PHOTOS}/a.txt`, '&override=true')).statusCode).toBe(200)
    const folder = await transfer(bob, 'copy', '/copy-folder', `${PHOTOS}/copy-folder`)
    expect(folder.json()).toMatchObject({ destination: '/.filemgr-shared/photos (anna)' })
    expect(await ended(world, folder)).toMatchObject({ state: 'done' })
    const added = (await readdir(join(server.root, 'anna/photos'))).filter((name) => !before.includes(name))
    expect(added.toSorted()).toEqual(['a(1).txt', 'a(2).txt', 'copy-folder(1)'])
    expect(await read(world, 'anna/photos/a.txt')).toBe('alpha')
  })

  it('counts for the owner of the folder, who is the one to be refused', async () => {
    await using world = await openPlaces()
    const { anna, bob, server } = world
    const { users } = server.context.services
    await bob.ask('POST', '/api/resources/big.bin', { payload: Buffer.alloc(1000) })
    await bob.ask('POST', '/api/resources/dir/big.bin', { payload: Buffer.alloc(1000) })
    await users.update(OPERATOR, ANNA, { quota: 1000 })
    await users.update(OPERATOR, BOB, { quota: 100_000 })
    const [had, own] = [(await usedOf(anna))?.bytes ?? 0, (await usedOf(bob))?.bytes ?? 0]
    for (const action of ['copy', 'rename'])
      for (const path of ['/big.bin', '/dir'])
        expect((await transfer(bob, action, path, `${PHOTOS}${path}`)).statusCode).toBe(507)
    await users.update(OPERATOR, ANNA, { quota: had + 2500 })
    expect((await transfer(bob, 'copy', '/big.bin', `${PHOTOS}/copied.bin`)).statusCode).toBe(200)
    expect((await transfer(bob, 'rename', '/dir', `${PHOTOS}/dir`)).statusCode).toBe(200)
    expect((await usedOf(anna))?.bytes).toBe(had + 2000)
    await users.update(OPERATOR, BOB, { quota: own + 100 })
    expect((await bob.ask('POST', '/api/resources/again.bin', { payload: Buffer.alloc(1000) })).statusCode).toBe(200)
    expect((await transfer(bob, 'copy', '/big.bin', `${PHOTOS}/copied.bin`, '&override=true')).statusCode).toBe(200)
    await users.update(OPERATOR, BOB, { quota: 0 })
    expect((await transfer(bob, 'rename', `${PHOTOS}/dir`, '/dir')).statusCode).toBe(200)
    await users.update(OPERATOR, ANNA, { quota: had + 1100 })
    expect((await transfer(bob, 'rename', '/big.bin', `${PHOTOS}/copied.bin`, '&override=true')).statusCode).toBe(200)
  })

  it('lets links follow within the files of one owner, and ends them elsewhere', async () => {
    await using world = await openPlaces()
    const { anna, bob, server } = world
    await anna.ask('POST', '/api/resources/other/')
    await grantOf(anna, '/other', 'bob', { allows: 'edit' })
    await shareOf(anna, '/photos/a.txt')
    await shareOf(bob, '/own.txt')
    const links = () => server.context.store.snapshot().shares.map(({ path }) => path)
    const other = '/.filemgr-shared/other%20(anna)'
    expect((await transfer(bob, 'rename', `${PHOTOS}/a.txt`, `${other}/a.txt`)).statusCode).toBe(200)
    expect(links()).toEqual(['/other/a.txt', '/own.txt'])
    expect((await transfer(bob, 'rename', '/own.txt', `${other}/own.txt`)).statusCode).toBe(200)
    expect((await transfer(bob, 'rename', `${other}/a.txt`, '/a.txt')).statusCode).toBe(200)
    expect(links()).toEqual([])
  })

  it('keeps to the rules of both owners, and to links that stay inside', async () => {
    await using world = await openPlaces()
    const { bob, server } = world
    const rule = (path: string) => ({ regex: false, allow: false, path, regexp: { raw: '' } })
    const { users } = server.context.services
    await users.update(OPERATOR, ANNA, { rules: [rule('/photos/rename-folder/sub'), rule('/photos/no')] })
    for (const action of ['copy', 'rename']) {
      expect((await transfer(bob, action, `${PHOTOS}/rename-folder`, '/x')).statusCode).toBe(403)
      expect((await transfer(bob, action, '/rename.txt', `${PHOTOS}/no`)).statusCode).toBe(403)
      expect((await transfer(bob, action, '/secret', `${PHOTOS}/../secret.txt`)).statusCode).toBe(404)
    }
    expect(await isThere(world, 'bob/x')).toBe(false)
  })

  it('puts no folder into itself, and nothing onto itself, where two places overlap', async () => {
    await using world = await openPlaces()
    const { anna, server } = world
    const eve = await server.user('eve', { create: true, rename: true, delete: true, modify: true, download: true })
    await grantOf(anna, '/photos', 'eve', { allows: 'edit' })
    for (const action of ['copy', 'rename']) {
      expect((await transfer(eve, action, '/anna/photos', `${PHOTOS}/x`)).statusCode).toBe(400)
      const same = await transfer(eve, action, '/anna/photos/a.txt', `${PHOTOS}/a.txt`, '&override=true')
      expect(same.statusCode).toBe(409)
    }
    expect((await transfer(eve, 'rename', '/anna/photos/a.txt', `${PHOTOS}/b.txt`)).statusCode).toBe(200)
    expect(await read(world, 'anna/photos/b.txt')).toBe('alpha')
  })
})
