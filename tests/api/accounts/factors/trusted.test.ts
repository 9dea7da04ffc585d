import { describe, expect, it } from 'vitest'
import { OPERATOR } from '../../../../src/domain/accounts/actor.ts'
import type { FactorsView } from '../../../../src/domain/accounts/factors.ts'
import type { UserId } from '../../../../src/domain/ids.ts'
import { PAGE_HEADER } from '../../../../src/domain/page-contract.ts'
import { addPasskey, begunStep, setUpApp } from '../../../helpers/api/second-factors.ts'
import { softPasskey } from '../../../helpers/api/soft-passkey.ts'
import { type Client, PASSWORD, testApp } from '../../../helpers/api/test-app.ts'

const DAY = 24 * 60 * 60_000
const STEP = 30_000
const ANN = 2 as UserId
const PAGE = { accept: 'application/json', [PAGE_HEADER]: '1' }

/** Ann, an administrator, has an app. */
async function open() {
  const server = await testApp({ options: { trustedProxies: ['127.0.0.1'] } })
  const ann = await server.user('ann', { admin: true })
  const { clock, services, store } = server.context
  const app = await setUpApp(ann, clock.now)

  /** Signs in with the second step. */
  const signIn = async (trust: boolean, headers: Record<string, string> = PAGE) => {
    clock.move(2 * STEP)
    const { challenge } = await begunStep(server, 'ann')
    const payload = JSON.stringify({ challenge, code: app.code(clock.now()), trust })
    const answer = await server.ask('POST', '/api/login/factor', { payload, headers })
    expect(answer.statusCode).toBe(200)
    const sent = [answer.headers['set-cookie'] ?? []].flat()
    return { client: clientOf(answer.body), cookie: sent.find((each) => each.startsWith('trust-')) }
  }
  const trusted = async () => {
    const { client, cookie } = await signIn(true)
    if (cookie === undefined) throw new Error('the device is not trusted')
    return { client, cookie: cookie.split(';')[0] ?? '' }
  }
  const clientOf = (token: string): Client => ({
    token,
    ask: async (method, url, extras = {}) =>
      await server.ask(method, url, { ...extras, headers: { 'x-auth': token, ...extras.headers } }),
  })
  /** Signs in with the password alone. */
  const enter = async (cookie: string, username = 'ann', password = PASSWORD) => {
    const payload = JSON.stringify({ username, password })
    const answer = await server.ask('POST', '/api/login', { payload, headers: { ...PAGE, cookie } })
    return { status: answer.statusCode, client: clientOf(answer.body) }
  }
  const seen = async (client: Client) => (await client.ask('GET', '/api/factors')).json<FactorsView>().trusted
  const stored = () => store.snapshot().users.find(({ id }) => id === ANN)?.factors?.trusted
  return { server, clock, services, store, signIn, trusted, enter, seen, stored }
}

type World = Awaited<ReturnType<typeof open>>

describe('a trusted device', () => {
  it('is not asked for the second step for thirty days, and still for the password', async () => {
    const world = await open()
    await using _server = world.server
    const { cookie } = await world.trusted()
    expect((await world.enter('')).status).toBe(401)
    expect((await world.enter(cookie)).status).toBe(200)
    expect((await world.enter(cookie, 'ann', 'wrong')).status).toBe(403)
    world.clock.move(30 * DAY - 3 * STEP)
    expect((await world.enter(cookie)).status).toBe(200)
    world.clock.move(3 * STEP)
    expect((await world.enter(cookie)).status).toBe(401)
  })

  it('is one only where the page asks for it, and keeps a secret that neither scripts nor the store know', async () => {
    const world = await open()
    await using _server = world.server
    expect((await world.signIn(false)).cookie).toBeUndefined()
    expect((await world.signIn(true, { accept: 'application/json' })).cookie).toBeUndefined()
    expect((await world.signIn(true, { ...PAGE, 'sec-fetch-site': 'cross-site' })).cookie).toBeUndefined()
    expect(world.stored()).toBeUndefined()
    const { cookie } = await world.signIn(true)
    expect(cookie).toMatch(/^trust-2=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/)
    const secret = /=([\w-]+);/.exec(cookie ?? '')?.[1] ?? 'none'
    expect(JSON.stringify(world.store.snapshot())).not.toContain(secret)
    expect((await world.signIn(true, { ...PAGE, 'x-forwarded-proto': 'https' })).cookie).toContain('; Secure')
  })

  it('is none of another account, whatever the cookie is called', async () => {
    const world = await open()
    await using _server = world.server
    const tom = await world.server.user('tom')
    await setUpApp(tom, world.clock.now)
    const { cookie } = await world.trusted()
    expect((await world.enter(cookie, 'tom')).status).toBe(401)
    expect((await world.enter(cookie.replace('trust-2', 'trust-3'), 'tom')).status).toBe(401)
    expect((await world.enter(cookie.replace('trust-2', 'trust-3'))).status).toBe(401)
    expect((await world.enter(`trust-2=${'x'.repeat(43)}`)).status).toBe(401)
    expect((await world.enter('trust-2=')).status).toBe(401)
  })

  it('confirms no change of the account', async () => {
    const world = await open()
    await using _server = world.server
    const { cookie } = await world.trusted()
    const { client } = await world.enter(cookie)
    const answer = await client.ask('DELETE', '/api/factors/totp', {
      payload: '{}',
      headers: { cookie, accept: 'application/json' },
    })
    expect(answer.statusCode).toBe(400)
  })

  it('is trusted as the settings are now: for fewer days, or not at all', async () => {
    const world = await open()
    await using _server = world.server
    const { cookie } = await world.trusted()
    const set = async (days: number) =>
      await world.store.update((draft) => void (draft.settings.secondFactor.trustDays = days))
    world.clock.move(2 * DAY)
    await set(2)
    expect((await world.enter(cookie)).status).toBe(401)
    await set(90)
    expect((await world.enter(cookie)).status).toBe(200)
    world.clock.move(29 * DAY)
    expect((await world.enter(cookie)).status).toBe(401)
    await set(0)
    expect((await world.signIn(true)).cookie).toBeUndefined()
    expect(await begunStep(world.server, 'ann')).not.toHaveProperty('trustDays')
    await set(7)
    expect(await begunStep(world.server, 'ann')).toMatchObject({ trustDays: 7 })
  })

  it('makes room for others: twenty are kept', async () => {
    const world = await open()
    await using _server = world.server
    const { cookie } = await world.trusted()
    for (let count = 0; count < 20; count += 1) await world.trusted()
    expect(world.stored()).toHaveLength(20)
    expect((await world.enter(cookie)).status).toBe(401)
  })

  it('is shown to its owner, who can end it', async () => {
    const world = await open()
    await using _server = world.server
    const one = await world.trusted()
    const two = await world.trusted()
    const list = await world.seen(two.client)
    expect(list.map(({ current }) => current)).toEqual([false, true])
    expect(JSON.stringify(list)).not.toContain('hash')
    const url = `/api/factors/devices/${list[0]?.id ?? ''}`
    expect((await (await world.server.user('tom')).ask('DELETE', url)).statusCode).toBe(404)
    expect((await two.client.ask('DELETE', url)).statusCode).toBe(204)
    expect((await two.client.ask('DELETE', url)).statusCode).toBe(404)
    expect((await world.enter(one.cookie)).status).toBe(401)
    expect((await world.enter(two.cookie)).status).toBe(200)
  })

  it('goes on being one after signing out', async () => {
    const world = await open()
    await using _server = world.server
    const { client, cookie } = await world.trusted()
    expect((await client.ask('POST', '/api/logout')).statusCode).toBe(204)
    expect((await world.enter(cookie)).status).toBe(200)
  })
})

const NEW_PASSWORD = PASSWORD.replace('horse', 'mare')
const own = JSON.stringify({ current_password: PASSWORD })
const familyOf = async (client: Client): Promise<string> =>
  (await client.ask('GET', '/api/sessions')).json<{ id: string; current: boolean }[]>().find(({ current }) => current)
    ?.id ?? ''

const ENDS: Readonly<Record<string, (world: World, device: Client) => Promise<unknown>>> = {
  'a new password': async ({ services }) => await services.users.update(OPERATOR, ANN, { password: NEW_PASSWORD }),
  'another app': async ({ clock }, device) => await setUpApp(device, clock.now),
  'a new passkey': async (_world, device) => await addPasskey(device, softPasskey()),
  'the removal of the app': async (_world, device) =>
    await device.ask('DELETE', '/api/factors/totp', { payload: own, headers: { accept: 'application/json' } }),
  'a reset by an administrator': async ({ server, clock }) => {
    const admin = await server.admin()
    await admin.ask('DELETE', `/api/users/${ANN}/factors`, { payload: own })
    await setUpApp(await server.login('ann'), clock.now)
  },
  'signing out everywhere by the operator': async ({ services }) => await services.sessions.revokeAllOf(OPERATOR, ANN),
  'signing out everybody': async ({ services }) => await services.sessions.revokeAllUsers(OPERATOR),
  'signing out all other devices': async ({ signIn }) => {
    const { client } = await signIn(false)
    expect((await client.ask('DELETE', '/api/sessions')).statusCode).toBe(200)
  },
  'signing out this device elsewhere': async ({ signIn }, device) => {
    const { client } = await signIn(false)
    const url = `/api/sessions/${await familyOf(device)}`
    expect((await client.ask('DELETE', url)).statusCode).toBeLessThan(300)
  },
}

describe('the trust in a device ends by', () => {
  it.each(Object.keys(ENDS))('%s', async (name) => {
    const world = await open()
    await using _server = world.server
    const { client, cookie } = await world.trusted()
    expect((await world.enter(cookie)).status).toBe(200)
    await ENDS[name]?.(world, client)
    const isNew = name === 'a new password'
    const { status } = await world.enter(cookie, 'ann', isNew ? NEW_PASSWORD : PASSWORD)
    // Without a factor the password alone signs in.
    expect(status).toBe(name === 'the removal of the app' ? 200 : 401)
    if (!isNew) expect(world.stored() ?? []).toEqual([])
  })
})
