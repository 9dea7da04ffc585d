import { expect, it } from 'vitest'
import { OPERATIONS } from '../../../../src/api/index.ts'
import { OPERATOR } from '../../../../src/domain/accounts/actor.ts'
import { ALL_PERMISSIONS } from '../../../../src/domain/access/permissions.ts'
import type { UserId } from '../../../../src/domain/ids.ts'
import { openEvents } from '../../../helpers/api/open-events.ts'
import { reasonIn, setUpApp } from '../../../helpers/api/second-factors.ts'
import { PASSWORD, testApp, type TestApp } from '../../../helpers/api/test-app.ts'
import { eventually } from '../../../helpers/patience.ts'

const HOUR = 60 * 60_000
const BOB = 2 as UserId

const require = async (
  { context }: TestApp,
  required: 'nobody' | 'administrators' | 'groups' | 'everyone',
  grace = '7d',
) =>
  await context.store.update(
    ({ settings, groups }) =>
      void (settings.secondFactor = { ...settings.secondFactor, required, groups: groups.map(({ id }) => id), grace }),
  )

const askedAt = ({ context }: TestApp, id = BOB) =>
  context.store.snapshot().users.find((user) => user.id === id)?.factorAskedAt

const JSON_ONLY = { headers: { accept: 'application/json' } }

it('once the time is over, a person may set up a factor and do nothing else', async () => {
  await using server = await testApp({ files: { 'a.txt': 'a' } })
  const bob = await server.user('bob', { ...ALL_PERMISSIONS, admin: false })
  await require(server, 'everyone', '1h')
  const { clock } = server.context
  expect((await bob.ask('GET', '/api/resources/a.txt')).statusCode).toBe(200)
  await eventually(() => expect(askedAt(server)).toBe(clock.now()))
  const due = new Date(clock.now() + HOUR).toISOString()
  expect((await bob.ask('GET', '/api/factors')).json()).toMatchObject({ required: { due, isOver: false } })
  clock.move(HOUR - 1)
  expect((await bob.ask('GET', '/api/resources/a.txt')).statusCode).toBe(200)
  clock.move(1)
  const refused = await bob.ask('GET', '/api/resources/a.txt', JSON_ONLY)
  expect([refused.statusCode, reasonIn(refused)]).toEqual([403, 'secondFactorDue'])
  expect((await bob.ask('GET', '/api/resources/a.txt')).body).toContain('requires a second factor')

  // By whatever address, as the declarations say, and before anything of the request is looked at.
  for (const { method, path, access, setsUpFactor, anyMethod } of OPERATIONS) {
    if (access === 'public' || access === 'share' || setsUpFactor === true) continue
    const url = path.replace('*', 'a.txt').replaceAll(/:\w+/g, '1')
    for (const each of anyMethod === true ? (['GET', 'POST'] as const) : [method])
      expect([path, (await bob.ask(each, url, JSON_ONLY)).statusCode]).toEqual([path, 403])
  }

  expect((await bob.ask('POST', '/api/renew')).statusCode).toBe(200)
  const app = await setUpApp(await server.login('bob'), clock.now)
  expect(app.recoveryCodes).toHaveLength(10)
})

it('setting up the factor opens everything at once', async () => {
  await using server = await testApp({ files: { 'a.txt': 'a' } })
  const bob = await server.user('bob', { download: true })
  await require(server, 'everyone', '0s')
  expect((await bob.ask('GET', '/api/raw/a.txt')).statusCode).toBe(403)
  await setUpApp(bob, server.context.clock.now)
  expect((await bob.ask('GET', '/api/raw/a.txt')).statusCode).toBe(200)
  expect((await bob.ask('GET', '/api/factors')).json()).not.toHaveProperty('required')
  const last = await bob.ask('DELETE', '/api/factors/totp', {
    payload: JSON.stringify({ current_password: PASSWORD }),
    ...JSON_ONLY,
  })
  expect([last.statusCode, reasonIn(last)]).toEqual([403, 'lastFactor'])
})

it('API tokens that were made before go on working, and none can be made', async () => {
  await using server = await testApp({ files: { 'a.txt': 'a' } })
  const bob = await server.user('bob', { download: true })
  const payload = JSON.stringify({ name: 'script', permissions: ['download'], current_password: PASSWORD })
  const { token } = (await bob.ask('POST', '/api/tokens', { payload })).json<{ token: string }>()
  await require(server, 'everyone', '0s')
  expect((await bob.ask('POST', '/api/tokens', { payload })).statusCode).toBe(403)
  expect(
    (await server.ask('GET', '/api/raw/a.txt', { headers: { authorization: `Bearer ${token}` } })).statusCode,
  ).toBe(200)
  // Nor does a token set up the factor of a person.
  expect((await server.ask('GET', '/api/factors', { headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(
    403,
  )
})

it('what is open ends when the time is over', async () => {
  await using server = await testApp()
  const bob = await server.user('bob')
  await require(server, 'everyone', '1h')
  using events = await openEvents(server.app, bob)
  await eventually(() => expect(askedAt(server)).toBeDefined())
  server.context.clock.move(HOUR)
  await events.ended
  expect((await bob.ask('GET', '/api/events')).statusCode).toBe(403)
})

it('it may be required of administrators, of groups and administrators, or of everyone', async () => {
  await using server = await testApp()
  const admin = await server.admin()
  const bob = await server.user('bob')
  const crew = await server.user('carl')
  const { groups } = server.context.services
  const { id } = await groups.create(OPERATOR, { name: 'Crew' })
  await groups.changeMembers(OPERATOR, id, { add: [3 as UserId] })
  const statuses = async () =>
    await Promise.all([admin, bob, crew].map(async ({ ask }) => (await ask('GET', '/api/sessions')).statusCode))
  await require(server, 'nobody', '0s')
  expect(await statuses()).toEqual([200, 200, 200])
  await require(server, 'administrators', '0s')
  expect(await statuses()).toEqual([403, 200, 200])
  await require(server, 'groups', '0s')
  expect(await statuses()).toEqual([403, 200, 403])
  await require(server, 'everyone', '0s')
  expect(await statuses()).toEqual([403, 403, 403])
})

it('the time begins anew for those who came while it was not required', async () => {
  await using server = await testApp()
  const bob = await server.user('bob')
  const come = async () => (await bob.ask('GET', '/api/sessions')).statusCode
  await require(server, 'everyone', '1h')
  await come()
  await eventually(() => expect(askedAt(server)).toBeDefined())
  await require(server, 'nobody')
  await come()
  await eventually(() => expect(askedAt(server)).toBeUndefined())
  server.context.clock.move(1.5 * HOUR)
  await require(server, 'everyone', '1h')
  expect(await come()).toBe(200)
})

it('people whom a proxy or a trusted provider signs in have shown theirs there', async () => {
  await using server = await testApp({
    options: { trustedProxies: ['127.0.0.1'] },
    settings: { auth: { header: 'X-User' } },
  })
  await server.user('bob')
  await server.context.store.update((draft) => void (draft.settings.authMethod = 'proxy'))
  await require(server, 'everyone', '0s')
  const answer = await server.ask('POST', '/api/login', { headers: { 'X-User': 'bob' } })
  const headers = { 'X-User': 'bob', 'x-auth': answer.body }
  expect((await server.ask('GET', '/api/sessions', { headers })).statusCode).toBe(200)
})

it('an administrator who changes it needs the password, and a time that is one', async () => {
  await using server = await testApp()
  const admin = await server.admin()
  const send = async (secondFactor: object, rest: object = { current_password: PASSWORD }) =>
    await admin.ask('PUT', '/api/settings/auth', { payload: JSON.stringify({ secondFactor, ...rest }), ...JSON_ONLY })
  expect((await send({ required: 'everyone' }, {})).statusCode).toBe(400)
  expect((await send({ grace: 'soon' })).statusCode).toBe(400)
  expect((await send({ required: 'administrators', grace: '3d' })).json()).toMatchObject({
    secondFactor: { required: 'administrators', groups: [], grace: '3d' },
  })
})

it('the operator resets the factors of an account, whose devices must sign in again', async () => {
  await using server = await testApp()
  const bob = await server.user('bob')
  const app = await setUpApp(bob, server.context.clock.now)
  await server.context.services.factors.reset(OPERATOR, BOB)
  expect((await bob.ask('GET', '/api/sessions')).statusCode).toBe(401)
  const again = await server.login('bob')
  expect((await again.ask('GET', '/api/factors')).json()).toMatchObject({ recoveryCodes: 0, passkeys: [] })
  expect(JSON.stringify(server.context.store.snapshot())).not.toContain(app.secret)
})
