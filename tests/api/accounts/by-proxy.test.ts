import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { PASSWORD, testApp, type TestApp, type TestAppInput } from '../../helpers/api/test-app.ts'

const BEHIND_PROXY = { options: { trustedProxies: ['127.0.0.1'] } } satisfies TestAppInput

/** A server with a user "ann" and sign-in by a proxy, which is on this machine by default. */
async function proxied(input: TestAppInput = BEHIND_PROXY) {
  const server = await testApp({ ...input, settings: { ...input.settings, auth: { header: 'X-User' } } })
  await server.user('ann')
  await server.context.store.update((draft) => void (draft.settings.authMethod = 'proxy'))
  const login = async (headers: Record<string, string>, payload?: string) =>
    await server.ask('POST', '/api/login', { headers, ...(payload !== undefined && { payload }) })
  return { server, login, [Symbol.asyncDispose]: async () => await server[Symbol.asyncDispose]() }
}

const users = ({ server }: Awaited<ReturnType<typeof proxied>>) => server.context.store.snapshot().users

describe('sign-in by a proxy', () => {
  it('signs in the user whom the proxy names, whatever the body is', async () => {
    await using world = await proxied()
    for (const payload of [undefined, '', '{', JSON.stringify({ username: 'admin', password: PASSWORD })]) {
      const { statusCode, body } = await world.login({ 'X-User': 'ann' }, payload)
      expect(statusCode).toBe(200)
      const { user } = JSON.parse(Buffer.from(body.split('.')[1] ?? '', 'base64url').toString()) as { user: object }
      expect(user).toMatchObject({ username: 'ann' })
    }
  })

  it('CVE-2026-54089: ignores the header of a peer that is not listed, and creates no user for it', async () => {
    await using world = await proxied({ options: { trustedProxies: ['10.9.9.9'] } })
    for (const headers of [{ 'X-User': 'admin' }, { 'X-User': 'eve', 'X-Forwarded-For': '10.9.9.9' }]) {
      expect(await world.login(headers)).toMatchObject({ statusCode: 403, body: '403 Forbidden\n' })
    }
    expect(users(world)).toHaveLength(2)
  })

  it('makes one account of a person who comes twice at once', async () => {
    await using world = await proxied()
    const answers = await Promise.all([world.login({ 'X-User': 'eve' }), world.login({ 'X-User': 'Eve' })])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(users(world).map(({ username }) => username)).toEqual(['admin', 'ann', 'eve'])
  })

  it('refuses a missing, an empty and a doubled header', async () => {
    await using world = await proxied()
    expect((await world.login({})).statusCode).toBe(403)
    expect((await world.login({ 'X-User': ' ' })).statusCode).toBe(403)
    expect(await loginWithNames(world.server, ['admin', 'ann'])).toBe(403)
    expect(await loginWithNames(world.server, ['ann'])).toBe(200)
    expect(users(world)).toHaveLength(2)
  })

  it('needs the token on every other call: the header alone gives nothing', async () => {
    await using world = await proxied()
    const answer = await world.server.ask('GET', '/api/resources/', { headers: { 'X-User': 'ann' } })
    expect(answer.statusCode).toBe(401)
  })

  it('refuses the token of another user than the proxy has signed in', async () => {
    await using world = await proxied()
    const { body } = await world.login({ 'X-User': 'ann' })
    const ask = async (headers: Record<string, string>) =>
      (await world.server.ask('GET', '/api/resources/', { headers: { 'x-auth': body, ...headers } })).statusCode
    expect([await ask({ 'X-User': 'ann' }), await ask({ 'X-User': 'admin' }), await ask({})]).toEqual([200, 401, 200])
  })

  it.each(['a/b', '..', 'id:7'])('makes no account of the name "%s", and tells the person so', async (name) => {
    await using world = await proxied()
    const { statusCode, body } = await world.login({ 'X-User': name })
    expect([statusCode, body]).toEqual([403, expect.stringContaining('there is no account of this name')])
    expect(users(world)).toHaveLength(2)
  })

  it('CVE-2026-35607: creates unknown users with a locked password, who can neither administer nor run commands', async () => {
    const perm = { admin: true, execute: true, create: true, share: true, download: true }
    await using world = await proxied({ ...BEHIND_PROXY, settings: { defaults: { perm, commands: ['sh'] } } })
    expect((await world.login({ 'X-User': 'jürgen' })).statusCode).toBe(200)
    expect(users(world).at(-1)).toMatchObject({
      username: 'jürgen',
      lockPassword: true,
      passwordHash: '',
      commands: [],
      perm: { admin: false, execute: false, create: true },
    })
    await world.server.context.store.update((draft) => void (draft.settings.authMethod = 'json'))
    for (const password of ['', 'x']) {
      const payload = JSON.stringify({ username: 'jürgen', password })
      expect((await world.login({}, payload)).statusCode).toBe(403)
    }
  })

  it('gives new users a home if homes are switched on, and never that of another user', async () => {
    await using world = await proxied({ ...BEHIND_PROXY, settings: { createUserDir: true } })
    expect((await world.login({ 'X-User': 'Bob' })).statusCode).toBe(200)
    expect(users(world).at(-1)?.scope).toBe('/users/Bob')
    expect((await world.login({ 'X-User': 'b..ob' })).statusCode).toBe(200)
    expect(users(world).at(-1)?.scope).toBe('/users/bob-2')
  })

  it('signs in the one account whose name differs only in case or Unicode form, and never makes a second', async () => {
    await using world = await proxied()
    const headerOf = (name: string) => ({ 'X-User': Buffer.from(name).toString('latin1') })
    expect((await world.login(headerOf('Ju\u0308rgen'))).statusCode).toBe(200)
    const before = users(world).length
    for (const name of ['JÜRGEN', 'jürgen']) {
      const { statusCode, body } = await world.login(headerOf(name))
      expect(statusCode).toBe(200)
      const headers = { 'x-auth': body, ...headerOf(name) }
      expect((await world.server.ask('GET', '/api/resources/', { headers })).statusCode).toBe(200)
    }
    expect(users(world)).toHaveLength(before)
  })

  it('creates no users if that is switched off', async () => {
    await using world = await proxied()
    await world.server.context.store.update((draft) => void (draft.settings.auth.createUsers = false))
    expect((await world.login({ 'X-User': 'eve' })).statusCode).toBe(403)
  })

  it('tells the page that it needs no login form', async () => {
    await using world = await proxied({ ...BEHIND_PROXY, page: { 'index.html': PAGE, 'static/': '' } })
    const { body } = await world.server.ask('GET', '/')
    expect(body).toContain('"AuthMethod":"proxy"')
    expect(body).toContain('"LoginPage":false')
  })
})

const PAGE = '<script type="application/json" id="filemgr-config"></script>'

/** Signs in with a header line for each name, over a real connection. */
async function loginWithNames({ app }: TestApp, names: string[]): Promise<number | undefined> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/api/login', headers: { 'X-User': names } })
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode
}
