import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../src/domain/accounts/actor.ts'
import type { GroupView } from '../../../src/domain/accounts/group.ts'
import type { UserId } from '../../../src/domain/ids.ts'
import { openEvents } from '../../helpers/api/open-events.ts'
import { shareOf, visit } from '../../helpers/api/shared.ts'
import { type Client, PASSWORD, testApp, type TestApp } from '../../helpers/api/test-app.ts'

const json = (value: object, password = PASSWORD) => ({
  payload: JSON.stringify({ ...value, current_password: password }),
})
const deny = (path: string) => ({ regex: false, allow: false, path, regexp: null })

async function open(fields: object = {}) {
  const server = await testApp({ files: { 'docs/a.txt': 'alpha', 'docs/secret/b.txt': 'beta' } })
  const admin = await server.admin()
  const ann = await server.user('ann')
  const made = await admin.ask('POST', '/api/groups', json({ name: 'Readers', ...fields }))
  const { id } = made.json<GroupView>()
  const members = async (change: object) => await admin.ask('PATCH', `/api/groups/${id}/members`, json(change))
  const set = async (change: object) => await admin.ask('PATCH', `/api/groups/${id}`, json(change))
  return {
    server,
    admin,
    ann,
    id,
    members,
    set,
    [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose](),
  }
}

const ANN = 2
const create = async (client: Client, path: string, payload = 'x') =>
  (await client.ask('POST', `/api/resources${path}`, { payload })).statusCode
const userIn = (token: string) =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { user: { perm: object } }).user

describe('a group', () => {
  it('keeps the values that a change does not name', async () => {
    await using world = await open({ perm: { create: true }, rules: [deny('/x')], quota: 7 })
    await world.members({ add: [ANN] })
    const answer = await world.set({ name: 'Guests' })
    expect(answer.json()).toMatchObject({
      name: 'Guests',
      perm: { create: true, share: false },
      rules: [deny('/x')],
      quota: 7,
      members: [{ id: ANN, username: 'ann', by: 'hand' }],
    })
    expect((await world.set({ perm: { admin: true } })).statusCode).toBe(400)
  })

  it('gives permissions at once, without a new sign-in, and old clients learn of it by their token', async () => {
    await using world = await open({ perm: { create: true } })
    expect(await create(world.ann, '/new.txt')).toBe(403)
    await world.members({ add: [ANN] })
    expect(await create(world.ann, '/new.txt')).toBe(200)
    const told = await world.ann.ask('GET', '/api/resources/')
    expect(told.headers['x-renew-token']).toBe('true')
    const renewed = await world.ann.ask('POST', '/api/renew')
    expect(userIn(renewed.body).perm).toMatchObject({ create: true, delete: false, admin: false })
    const headers = { 'x-auth': renewed.body }
    expect((await world.server.ask('GET', '/api/resources/', { headers })).headers['x-renew-token']).not.toBe('true')
    await world.members({ remove: [ANN] })
    expect((await world.server.ask('GET', '/api/resources/', { headers })).headers['x-renew-token']).toBe('true')
    expect((await world.server.ask('POST', '/api/resources/more.txt', { headers, payload: 'x' })).statusCode).toBe(403)
  })

  it('gives a place beside the own folder, of which the page learns by its token', async () => {
    await using world = await open()
    const place = {
      root: 'files',
      scope: '/docs',
      name: 'Docs',
      permissions: ['download'],
      rules: [],
      permissionRules: [],
    }
    await world.members({ add: [ANN] })
    const before = await world.ann.ask('POST', '/api/renew')
    expect(userIn(before.body)).not.toHaveProperty('severalPlaces')
    await world.set({ places: [place] })
    const headers = { 'x-auth': before.body }
    expect((await world.server.ask('GET', '/api/resources/', { headers })).headers['x-renew-token']).toBe('true')
    expect(userIn((await world.ann.ask('POST', '/api/renew')).body)).toHaveProperty('severalPlaces', true)
  })

  it('limits what its members may store', async () => {
    await using world = await open({ perm: { create: true, download: true } })
    await world.members({ add: [ANN] })
    await world.set({ quota: 12 })
    expect(await create(world.ann, '/one.txt', 'x'.repeat(4))).toBe(507)
    await world.set({ quota: 20 })
    expect(await create(world.ann, '/one.txt', 'x'.repeat(4))).toBe(200)
    const usage = await world.ann.ask('GET', '/api/usage/')
    expect(JSON.stringify(usage.json())).toContain('"limit":{"bytes":20,"files":0}')
  })

  it('decides about the links of its members: visitors see what the owner still may', async () => {
    await using world = await open({ perm: { share: true, download: true } })
    await world.members({ add: [ANN] })
    const share = await shareOf(world.ann, '/docs')
    const names = async () => JSON.stringify((await visit(world.server, share)).json())
    expect(await names()).toContain('secret')
    await world.set({ rules: [deny('/docs/secret')] })
    expect(await names()).not.toContain('secret')
    expect((await visit(world.server, share, '/secret/b.txt')).statusCode).toBe(403)
    await world.admin.ask('DELETE', `/api/groups/${world.id}`, json({}))
    expect((await visit(world.server, share)).statusCode).not.toBe(200)
  })

  it('never wins over what an account is denied', async () => {
    await using world = await open({ perm: { create: true } })
    await world.members({ add: [ANN] })
    await world.server.context.services.users.update(OPERATOR, ANN as UserId, { denied: ['create'] })
    expect(await create(world.ann, '/new.txt')).toBe(403)
    const { denied, effective } = (await world.admin.ask('GET', '/api/users/2')).json<Record<string, unknown>>()
    expect([denied, effective]).toMatchObject([['create'], { perm: { create: false } }])
  })

  it('is written to the activity log with what was changed', async () => {
    await using world = await open()
    await world.members({ add: [ANN] })
    const { entries } = (await world.admin.ask('GET', '/api/audit')).json<{ entries: object[] }>()
    expect(entries[0]).toMatchObject({
      action: 'groups.changeMembers',
      changes: [{ of: 'group Readers', name: 'members', new: '2' }],
    })
  })
})

describe('a change of a group', () => {
  it.each([
    ['POST', '', { name: 'Others' }],
    ['PATCH', '/id', { perm: { create: true } }],
    ['PATCH', '/id', { rules: [] }],
    ['PATCH', '/id', { quota: 1 }],
    ['PATCH', '/id/members', { add: [ANN] }],
    ['DELETE', '/id', {}],
  ] as const)('needs the own password, as one of an account does: %s%s %j', async (method, path, body) => {
    await using world = await open({ rules: [deny('/x')] })
    const url = `/api/groups${path.replace('id', world.id)}`
    const before = (await world.admin.ask('GET', '/api/groups')).body
    for (const sent of [{ payload: JSON.stringify(body) }, json(body, 'wrong')]) {
      const answer = await world.admin.ask(method, url, { ...sent, headers: { accept: 'application/json' } })
      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toMatchObject({ error: { details: { field: 'current_password' } } })
    }
    expect((await world.admin.ask('GET', '/api/groups')).body).toBe(before)
    expect((await world.admin.ask(method, url, json(body))).statusCode).toBeLessThan(300)
  })

  it('is reported to its members and to administrators, and to nobody else', async () => {
    await using world = await open()
    const { server } = world
    const tom = await server.user('tom')
    await world.members({ add: [ANN] })
    const streams = await Promise.all(
      [world.admin, world.ann, tom].map(async (each) => await openEvents(server.app, each)),
    )
    await world.set({ perm: { create: true } })
    await Promise.all(streams.slice(0, 2).map(async (stream) => await stream.next('users')))
    const [, , other] = streams
    if (other !== undefined) await delivered(server, other)
    expect(other?.received.map(({ name }) => name)).toEqual(['hello', 'settings'])
    for (const stream of streams) stream[Symbol.dispose]()
  })
})

async function delivered(server: TestApp, stream: Awaited<ReturnType<typeof openEvents>>): Promise<void> {
  await server.context.store.update((draft) => void (draft.settings.signup = true))
  await stream.next('settings')
}
