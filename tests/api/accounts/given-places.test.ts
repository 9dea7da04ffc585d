import { describe, expect, it } from 'vitest'
import { NO_PERMISSIONS } from '../../../src/domain/access/permissions.ts'
import { type GivenPlace, NO_ROOT } from '../../../src/domain/accounts/place.ts'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import { FILES_ROOT } from '../../../src/domain/server/root.ts'
import { PASSWORD, testApp } from '../../helpers/api/test-app.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const json = (value: object) => ({ payload: JSON.stringify(value) })

async function open() {
  await using held = new AsyncDisposableStack()
  const disk = held.use(await tempFolder({ '2024/a.txt': 'alpha' }))
  const server = held.use(await testApp({}))
  const { services } = server.context
  const photos = await services.roots.create(OPERATOR, { name: 'Photos', location: disk.path })
  const anna = await server.user('anna')
  const { id } = services.users.find('anna')
  const all = held.move()
  const place = (said: Partial<GivenPlace> = {}): GivenPlace => ({
    root: photos.id,
    scope: '/',
    name: '',
    rules: [],
    permissionRules: [],
    ...said,
  })
  return { server, services, photos, anna, id, place, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

describe('places of accounts and groups', () => {
  it('are checked as a whole before anything is changed', async () => {
    await using world = await open()
    const { services, id, place } = world
    const group = await services.groups.create(OPERATOR, { name: 'Family' })
    const deny = { regex: true, allow: false, path: '', regexp: { raw: '(' } }
    const cases: [GivenPlace[], RegExp][] = [
      [[place({ root: 'gone' as GivenPlace['root'] })], /no root with the id gone/],
      [[place({ root: NO_ROOT })], /no root with the id none/],
      [[place({ name: 'a/b' })], /cannot be a path/],
      [[place({ name: '.hidden' })], /begin with a dot/],
      [[place({ scope: '/.filemgr-roots/x' })], /reserved/],
      [[place({ rules: [deny] })], /cannot be used/],
      [[place({ scope: '/2024/' }), place({ scope: '2024', name: 'again' })], /listed twice/],
    ]
    for (const [places, problem] of cases) {
      const refused = { code: 'INVALID_INPUT', message: expect.stringMatching(problem) as string }
      await expect(services.users.update(OPERATOR, id, { places })).rejects.toMatchObject(refused)
      await expect(services.groups.change(OPERATOR, group.id, { places })).rejects.toMatchObject(refused)
      const made = services.users.create(OPERATOR, { username: 'new', password: PASSWORD, places })
      await expect(made).rejects.toMatchObject(refused)
    }
    const places = [place({ scope: '2024/../2024/', name: ' Pictures ' }), place({ root: FILES_ROOT, scope: '/team' })]
    const stored = [place({ scope: '/2024', name: 'Pictures' }), place({ root: FILES_ROOT, scope: '/team' })]
    expect((await services.users.update(OPERATOR, id, { places })).places).toEqual(stored)
    expect((await services.groups.change(OPERATOR, group.id, { places })).places).toEqual(stored)
    const { root } = place()
    expect((await services.users.update(OPERATOR, id, { places: [{ root }] })).places).toEqual([place()])
    expect((await services.groups.change(OPERATOR, group.id, { places: [{ root }] })).places).toEqual([place()])
  })

  it('are changed by administrators with their password, and kept by old clients', async () => {
    await using world = await open()
    const { server, anna, id, photos, place } = world
    const admin = await server.admin()
    const write = { what: 'user', which: ['places'], data: { id, places: [{ root: photos.id }] } }
    expect((await anna.ask('PUT', `/api/users/${id}`, json({ ...write, current_password: PASSWORD }))).statusCode).toBe(
      403,
    )
    expect((await admin.ask('PUT', `/api/users/${id}`, json(write))).statusCode).toBe(400)
    const done = await admin.ask('PUT', `/api/users/${id}`, json({ ...write, current_password: PASSWORD }))
    expect(done.statusCode).toBe(200)
    const { places, ...old } = (await admin.ask('GET', `/api/users/${id}`)).json<{ places: unknown; locale: string }>()
    expect(places).toEqual([place()])
    const whole = { what: 'user', which: [], current_password: PASSWORD, data: { ...old, locale: 'fr' } }
    expect((await admin.ask('PUT', `/api/users/${id}`, json(whole))).statusCode).toBe(200)
    expect(world.services.users.find('anna')).toMatchObject({ locale: 'fr', places })
  })

  it('are given and taken one by one', async () => {
    await using world = await open()
    const { services, photos, id, place } = world
    const { givenPlaces, roots } = services
    const root = photos.id
    const { id: groupId } = await services.groups.create(OPERATOR, { name: 'Family' })
    await services.groups.changeMembers(OPERATOR, groupId, { add: [id] })
    await givenPlaces.give(OPERATOR, { groupId }, { root, permissions: ['download'] })
    await givenPlaces.give(OPERATOR, { userId: id }, { root, folder: '/2024', permissions: [] })
    await givenPlaces.give(OPERATOR, { userId: id }, { root, folder: '2024/', name: 'Pictures' })
    expect(services.users.find('anna').places).toEqual([place({ scope: '/2024', name: 'Pictures', permissions: [] })])
    const [files, view] = await roots.list(OPERATOR)
    expect(view?.people).toEqual({
      users: [{ id, username: 'anna' }],
      groups: [{ id: groupId, name: 'Family', members: 1 }],
    })
    expect(files?.people.users.map(({ username }) => username)).toEqual(['admin', 'anna'])
    expect([view?.total, view?.free]).toEqual([expect.any(Number), expect.any(Number)])
    await givenPlaces.give(OPERATOR, { userId: id }, { root, permissions: 'account' })
    const unclear = givenPlaces.take(OPERATOR, { userId: id }, { root })
    await expect(unclear).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'folder' } })
    expect(await givenPlaces.take(OPERATOR, { userId: id }, { root, folder: '/2024' })).toEqual([place()])
    expect(await givenPlaces.take(OPERATOR, { userId: id }, { root })).toEqual([])
    await expect(givenPlaces.take(OPERATOR, { userId: id }, { root })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('have rules of their own, which are changed one by one', async () => {
    await using world = await open()
    const { services, photos, id, place } = world
    const { rules, givenPlaces } = services
    const { id: groupId } = await services.groups.create(OPERATOR, { name: 'Family' })
    const owner = { groupId, place: { root: photos.id } }
    const deny = { regex: false, allow: false, path: '/private', regexp: null }
    await expect(rules.add(OPERATOR, deny, owner)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await givenPlaces.give(OPERATOR, { groupId }, { root: photos.id })
    await givenPlaces.give(OPERATOR, { userId: id }, { root: photos.id, folder: '/2024' })
    const look = { ...deny, allow: true, path: '/a.txt', permissions: [] }
    expect(await rules.add(OPERATOR, deny, owner)).toEqual([deny])
    expect(await rules.add(OPERATOR, look, { userId: id, place: { root: photos.id } })).toEqual([look])
    expect(rules.list(OPERATOR, owner)).toEqual([deny])
    const { allow: _allow, ...permissionRule } = look
    expect(services.users.find('anna').places).toEqual([place({ scope: '/2024', permissionRules: [permissionRule] })])
    expect(services.groups.get(OPERATOR, groupId)).toMatchObject({ rules: [], places: [place({ rules: [deny] })] })
    const folder = { root: photos.id, scope: '/' }
    const tested = {
      rules: [{ ...deny, path: '/2024/A.txt' }],
      permissionRules: [{ ...permissionRule, path: '/2024' }],
    }
    expect(await rules.preview(OPERATOR, { ...tested, folder })).toEqual({
      paths: ['/2024/a.txt'],
      count: 1,
      looked: 2,
      complete: true,
      decided: { paths: ['/2024'], count: 2 },
    })
  })

  it('go with their root, in the same change', async () => {
    await using world = await open()
    const { server, services, photos, id, place } = world
    const { id: groupId } = await services.groups.create(OPERATOR, { name: 'Family', places: [place()] })
    const team = place({ root: FILES_ROOT, scope: '/team' })
    await services.users.update(OPERATOR, id, { places: [place(), team] })
    const { store } = server.context
    const seen: number[] = []
    const unsubscribe = store.onChange((now) =>
      seen.push(now.roots.length + now.groups.flatMap(({ places }) => places).length),
    )
    await services.roots.remove(OPERATOR, photos.id)
    unsubscribe()
    expect(seen).toEqual([0])
    expect(services.users.find('anna').places).toEqual([team])
    expect(services.groups.get(OPERATOR, groupId).places).toEqual([])
  })

  it('are exported and imported with the names of their roots', async () => {
    await using world = await open()
    const { services, id, place } = world
    await services.users.update(OPERATOR, id, { root: NO_ROOT, places: [place({ permissions: ['download'] })] })
    const list = services.userTransfer.export(OPERATOR)
    const anna = list.find(({ username }) => username === 'anna')
    expect([anna?.root, anna?.places]).toEqual([
      'none',
      [place({ root: 'Photos' as never, permissions: ['download'] })],
    ])
    await services.users.update(OPERATOR, id, { root: FILES_ROOT, places: [] })
    const options = { overwrite: true, replace: false }
    await services.userTransfer.import(OPERATOR, list, options)
    expect(services.users.find('anna')).toMatchObject({ root: 'none', places: [place({ permissions: ['download'] })] })
    const lost = [{ username: 'anna', places: [{ root: 'Music' }] }]
    await expect(services.userTransfer.import(OPERATOR, lost, options)).rejects.toThrow('there is no root "Music"')
  })
})

describe('an account without a folder of its own', () => {
  it('is made without a home folder, and no root can have its name', async () => {
    await using server = await testApp({ settings: { createUserDir: true } })
    await using disk = await tempFolder()
    const { users, roots } = server.context.services
    const made = await users.create(OPERATOR, {
      username: 'guest',
      password: PASSWORD,
      root: NO_ROOT,
      perm: NO_PERMISSIONS,
    })
    expect([made.root, made.scope]).toEqual([NO_ROOT, '/'])
    const named = (name: string) => roots.create(OPERATOR, { name, location: disk.path })
    await expect(named('None')).rejects.toMatchObject({ code: 'INVALID_INPUT', details: { field: 'name' } })
    await expect(named('Files')).rejects.toMatchObject({ code: 'CONFLICT' })
  })
})
