import { truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createContext } from '../../src/context.ts'
import { defaultsOf } from '../../src/domain/schema/schema-tools.ts'
import { ServerOptions } from '../../src/domain/server/server-options.ts'
import type { SharedWithMe } from '../../src/domain/shares/grant.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { askAt } from '../helpers/api/ask-exactly.ts'
import { addPasskey, begunStep, firstStep, secondStep, setUpApp } from '../helpers/api/second-factors.ts'
import { softPasskey } from '../helpers/api/soft-passkey.ts'
import { type Answer, type Ask, type Client, clientWith, PASSWORD } from '../helpers/api/test-app.ts'
import type { TestDaemon } from '../helpers/cli/test-daemon.ts'
import { PEOPLE, PEOPLE_ACCESS, PEOPLE_LDIF, personDn, READER } from '../helpers/directory-people.ts'
import { freePort } from '../helpers/free-port.ts'
import { ProviderBrowser } from '../helpers/oidc/provider-browser.ts'
import { CLIENT_SECRET, testProvider } from '../helpers/oidc/test-provider.ts'
import { eventually } from '../helpers/patience.ts'
import { startDirectory } from '../helpers/slapd.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { type Machines, machinesOfFile } from './machines.ts'

const { machines } = machinesOfFile()

const SITE = 'http://files.test'
const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout'
/** Bytes: sparse, so that it costs no room; hours of work where it is read. */
const HUGE = 200_000_000_000

const cleanUp = new AsyncDisposableStack()
let cluster: Machines
let daemons: readonly [TestDaemon, TestDaemon, TestDaemon]
let port: number
beforeAll(async () => {
  port = await freePort()
  const env = { FILEMGR_ROOTS_IN: tmpdir(), FILEMGR_PUBLIC_URL: SITE, FILEMGR_SIGN_IN_HOSTS: `127.0.0.1:${port}` }
  cluster = cleanUp.use(await machines({ count: 3, env, files: { 'docs/a.txt': 'shared' } }))
  daemons = cluster.all as [TestDaemon, TestDaemon, TestDaemon]
})
// Runs before the database stops.
afterAll(async () => await cleanUp.disposeAsync())

const send = async (daemon: TestDaemon, method: string, path: string, body: object = {}) =>
  await cluster.ask(daemon, path, { method, body: JSON.stringify({ ...body, current_password: daemons[0].password }) })

const asks = (): [Ask, Ask, Ask] => daemons.map(({ url }) => askAt(url)) as [Ask, Ask, Ask]

const as = async (token: string, path = '/api/resources/') =>
  await Promise.all(asks().map(async (ask) => await clientWith(ask, token).ask('GET', path)))

const statuses = async (token: string, path?: string) => (await as(token, path)).map(({ statusCode }) => statusCode)

it('a sign-in may begin, come back and end at three daemons, and the provider ends it at all of them', async () => {
  const [first, second, third] = daemons
  await using provider = await testProvider({ port, redirectUris: [`${SITE}/api/sign-in/sso/callback`] })
  const fields = { type: 'oidc', id: 'sso', name: 'SSO', issuer: provider.issuer, clientId: 'filemgr' }
  const added = await send(first, 'POST', '/api/providers', { ...fields, secret: CLIENT_SECRET, createUsers: true })
  expect(added.status).toBe(200)

  const cookies = new Map<string, string>()
  const ask = async (daemon: TestDaemon, path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { 'x-filemgr-page': '1', ...(cookie !== '' && { cookie }) }
    const response = await fetch(new URL(path, daemon.url), { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s)
      cookies.set(name, value)
    }
    return response
  }
  const come = async () => {
    const started = await ask(first, '/api/sign-in/sso')
    const back = await new ProviderBrowser().signIn(started.headers.get('location') ?? '', 'anna', SITE)
    const returned = await ask(second, back.slice(SITE.length))
    const fragment = new URLSearchParams(returned.headers.get('location')?.split('#')[1])
    return { back, code: fragment.get('code') ?? '' }
  }
  const { back, code } = await come()
  const redeem = async (daemon: TestDaemon) =>
    await ask(daemon, '/api/sign-in/sso/session', { method: 'POST', body: JSON.stringify({ code }) })
  const redeemed = await redeem(third)
  const token = await redeemed.text()
  expect([redeemed.status, token.split('.').length]).toEqual([200, 3])
  // Used up everywhere.
  expect((await redeem(first)).status).toBe(403)
  expect((await ask(third, back.slice(SITE.length))).headers.get('location')).toContain('problem=expired')
  expect(await statuses(token)).toEqual([200, 200, 200])

  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: provider.issuer, aud: 'filemgr', sub: 'anna', iat: now, exp: now + 120, jti: 'one' }
  const notice = await provider.sign({ ...claims, events: { [LOGOUT]: {} } }, { typ: 'logout+jwt' })
  const tell = async (daemon: TestDaemon) =>
    await ask(daemon, '/api/sign-in/sso/logout', {
      method: 'POST',
      body: new URLSearchParams({ logout_token: notice }),
    })
  expect((await tell(second)).status).toBe(200)
  await eventually(async () => expect(await statuses(token)).toEqual([401, 401, 401]))
  expect((await tell(third)).status).toBe(400)

  // Switched off at one, closed at all.
  await send(third, 'PATCH', '/api/providers/sso', { enabled: false })
  await eventually(async () => {
    expect((await ask(first, '/api/sign-in/sso')).headers.get('location')).toContain('problem=providerOff')
  })
})

describe('a directory that is set up at one daemon', () => {
  const enter = async (ask: Ask, username: 'ann' | 'boss', path = '/api/sign-in/studio') =>
    await ask('POST', path, { payload: JSON.stringify({ username, password: PEOPLE[username] }) })
  const userIn = ({ statusCode, body }: Answer) =>
    statusCode === 200 ? decodeJwt<{ user: { id: number; username: string } }>(body).user.username : statusCode

  it('signs people in at all of them, and who has left it is signed out at all of them', async () => {
    await using folder = await tempFolder()
    await using directory = await startDirectory(folder, PEOPLE_LDIF, PEOPLE_ACCESS)
    const [first, second, third] = asks()
    const reader = { bindDn: READER.dn, secret: READER.password, baseDn: 'ou=people,dc=example,dc=org' }
    const fields = { type: 'ldap', id: 'studio', name: 'Studio', url: directory.url, startTls: false, ...reader }
    expect((await send(daemons[0], 'POST', '/api/providers', { ...fields, createUsers: true })).status).toBe(200)

    const known = async () =>
      await Promise.all(daemons.map(async (daemon) => await (await cluster.ask(daemon, '/api/providers')).text()))
    await eventually(async () => expect((await known()).filter((text) => !text.includes('"studio"'))).toEqual([]))
    // For the first time at all of them at once, which makes one account.
    const entering = [
      enter(first, 'ann'),
      enter(second, 'ann'),
      enter(third, 'ann', '/api/login'),
      enter(second, 'ann'),
    ]
    const entered = await Promise.all(entering)
    expect(entered.map(userIn)).toEqual(Array(4).fill('ann'))
    const ids = entered.map(({ body }) => decodeJwt<{ user: { id: number } }>(body).user.id)
    expect(new Set(ids).size).toBe(1)
    const { body: boss } = await enter(second, 'boss')
    const ann = entered[0]?.body ?? ''
    expect([await statuses(ann), await statuses(boss)]).toEqual([Array(3).fill(200), Array(3).fill(200)])

    await directory.modify(`dn: ${personDn('ann')}\nchangetype: delete\n`)
    const stores = await openPostgres({ url: cluster.url, follows: true })
    await using fourth = await createContext({ options: defaultsOf(ServerOptions), stores })
    await fourth.services.leftPeople.sweep(new AbortController().signal)
    for (const { body } of entered) await eventually(async () => expect(await statuses(body)).toEqual([401, 401, 401]))
    expect(await statuses(boss)).toEqual([200, 200, 200])

    await send(daemons[2], 'DELETE', '/api/providers/studio')
    await eventually(async () => expect(await statuses(boss)).toEqual([401, 401, 401]))
    await eventually(async () => expect(userIn(await enter(first, 'boss'))).toBe(404))
  })
})

/** A new account, signed in at the first daemon. */
async function enterAs(username: string): Promise<Client> {
  const data = { username, password: PASSWORD, scope: `/${username}`, perm: { download: true } }
  expect((await send(daemons[0], 'POST', '/api/users', { what: 'user', which: [], data })).status).toBe(201)
  const [first] = asks()
  return clientWith(first, (await firstStep({ ask: first }, username)).body)
}

it('a factor that is set up at one daemon signs in at another, and a code that was used at one is used everywhere', async () => {
  const [first, second, third] = asks()
  const tess = await enterAs('tess')
  const { code } = await setUpApp(tess, Date.now)
  const used = code(Date.now() + 30_000)
  const steps = await eventually(
    async () => await Promise.all([first, second, third].map(async (ask) => await begunStep({ ask }, 'tess'))),
  )
  const shown = await secondStep({ ask: second }, { challenge: steps[0]?.challenge, code: used })
  expect([shown.statusCode, await statuses(shown.body)]).toEqual([200, [200, 200, 200]])
  for (const [index, ask] of [first, third].entries())
    expect((await secondStep({ ask }, { challenge: steps[index + 1]?.challenge, code: used })).statusCode).toBe(403)

  const key = softPasskey({ origin: SITE })
  await addPasskey(tess, key)
  await eventually(async () => {
    const options = (await second('POST', '/api/login/passkey/options', { payload: '{}' })).json<{
      challenge: string
    }>()
    const passkey = key.sign({ ...options, rpId: new URL(SITE).hostname })
    const entered = await third('POST', '/api/login/passkey', { payload: JSON.stringify({ passkey }) })
    expect([entered.statusCode, await statuses(entered.body)]).toEqual([200, [200, 200, 200]])
  })
})

it('what is shared at one daemon is at all of them, and ends at all of them, also under a download', async () => {
  const [first, second, third] = daemons
  await writeFile(cluster.files.at('docs/huge.bin'), '')
  await truncate(cluster.files.at('docs/huge.bin'), HUGE)
  const { token } = await enterAs('tom')
  const body = { path: '/docs', to: { user: 'tom' } }
  const made = await cluster.ask(first, '/api/grants', { method: 'POST', body: JSON.stringify(body) })
  const { id } = (await made.json()) as { id: string }
  const shown = async () =>
    (await as(token, '/api/shared')).map((answer) => answer.json<SharedWithMe[]>().map((shared) => shared.path))
  const path = '/.filemgr-shared/docs (admin)'
  await eventually(async () => expect(await shown()).toEqual(Array(3).fill([path])))
  const file = `/api/raw${encodeURI(path)}/a.txt`
  expect((await as(token, file)).map((answer) => answer.body)).toEqual(Array(3).fill('shared'))

  const download = await fetch(new URL(`/api/raw${encodeURI(path)}/huge.bin`, second.url), {
    headers: { 'x-auth': token },
  })
  expect(download.status).toBe(200)
  const ended = download.body?.pipeTo(new WritableStream())
  expect((await cluster.ask(third, `/api/grants/${id}`, { method: 'DELETE' })).status).toBe(204)
  await expect(ended).rejects.toThrow()
  await eventually(async () =>
    expect([await shown(), await statuses(token, file)]).toEqual([Array(3).fill([]), Array(3).fill(404)]),
  )
})

it('a root that is given at one daemon is at all of them, and removing it takes its places with it', async () => {
  await using disk = await tempFolder({ '2024/a.txt': 'a', 'b.txt': 'b' })
  const { token } = await enterAs('pam')
  const sent = async <T>(daemon: TestDaemon, method: string, path: string, body: object) => {
    const response = await send(daemon, method, path, body)
    const text = await response.text()
    expect([response.status, text]).toEqual([200, expect.stringMatching(/^{/)])
    return JSON.parse(text) as T
  }
  const [first, second, third] = daemons
  const { id: root } = await sent<{ id: string }>(first, 'POST', '/api/roots', { name: 'photos', location: disk.path })
  const users = (await (await cluster.ask(first, '/api/users')).json()) as { id: number; username: string }[]
  const pam = users.find(({ username }) => username === 'pam')?.id
  const give = {
    what: 'user',
    which: ['root', 'places'],
    data: { id: pam, root: 'none', places: [{ root, scope: '/2024' }] },
  }
  expect((await send(second, 'PUT', `/api/users/${pam}`, give)).status).toBe(200)
  await eventually(async () => expect(await statuses(token, '/api/resources/a.txt')).toEqual([200, 200, 200]))
  const family = { name: 'family', places: [{ root, scope: '/', name: 'Pictures', rules: [], permissionRules: [] }] }
  const { id: group } = await sent<{ id: string }>(third, 'POST', '/api/groups', family)
  expect((await send(third, 'PATCH', `/api/groups/${group}/members`, { add: [pam] })).status).toBeLessThan(300)
  await eventually(async () => expect(await statuses(token, '/api/resources/Pictures/b.txt')).toEqual([200, 200, 200]))
  expect((await send(third, 'DELETE', `/api/roots/${root}`)).status).toBeLessThan(300)
  await eventually(async () => expect(await statuses(token)).toEqual([403, 403, 403]))
  const stores = await openPostgres({ url: cluster.url })
  await using _opened = stores
  const { users: stored, groups } = stores.store.snapshot()
  expect([...stored, ...groups].flatMap(({ places }) => places)).toEqual([])
})
