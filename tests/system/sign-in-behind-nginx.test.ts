import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SharedWithMe } from '../../src/domain/shares/grant.ts'
import { addPasskey, begunStep, secondStep, setUpApp } from '../helpers/api/second-factors.ts'
import { softPasskey } from '../helpers/api/soft-passkey.ts'
import { clientWith, PASSWORD } from '../helpers/api/test-app.ts'
import { PLACES, sitesBehindNginx, type Site, type Sites } from '../helpers/behind-nginx.ts'
import { PEOPLE, PEOPLE_ACCESS, PEOPLE_LDIF, READER } from '../helpers/directory-people.ts'
import { freePort } from '../helpers/free-port.ts'
import { Visitor } from '../helpers/oidc/oidc-world.ts'
import { CLIENT_SECRET, testProvider, type TestProvider } from '../helpers/oidc/test-provider.ts'
import { startDirectory } from '../helpers/slapd.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout'

const cleanUp = new AsyncDisposableStack()
let sites: Sites
let provider: TestProvider

beforeAll(async () => {
  const directory = await startDirectory(cleanUp.use(await tempFolder()), PEOPLE_LDIF, PEOPLE_ACCESS)
  cleanUp.use(directory)
  const port = await freePort()
  sites = cleanUp.use(await sitesBehindNginx(['--sign-in-hosts', `127.0.0.1:${port}`], { 'docs/a.txt': 'shared' }))
  provider = cleanUp.use(
    await testProvider({
      port,
      redirectUris: sites.all.map(({ address }) => `${address}/api/sign-in/sso/callback`),
      postLogoutRedirectUris: sites.all.map(({ address }) => `${address}/login`),
      people: { anna: { preferred_username: 'anna' }, boss: { preferred_username: 'boss' } },
    }),
  )
  const { issuer } = provider
  const { url } = directory
  const kinds = [
    { type: 'oidc', id: 'sso', issuer, clientId: 'filemgr', secret: CLIENT_SECRET, signsOut: true },
    { type: 'ldap', id: 'studio', url, startTls: false, bindDn: READER.dn, secret: READER.password, groupFilter: '' },
  ]
  for (const { admin, server } of sites.all) {
    for (const kind of kinds) {
      const base = kind.type === 'ldap' && { baseDn: 'ou=people,dc=example,dc=org' }
      const common = { name: kind.id, createUsers: true, current_password: server.password }
      const added = await admin.ask('POST', '/api/providers', {
        payload: JSON.stringify({ ...common, ...kind, ...base }),
      })
      expect([added.statusCode, added.body]).toEqual([200, expect.any(String)])
    }
  }
})
afterAll(async () => await cleanUp.disposeAsync())

describe.each(PLACES)('behind nginx, under "$base", where $way', (place) => {
  const { base, way } = place
  const site = (): Site => sites.at(place)
  const visit = (): Visitor => new Visitor(site(), '', site().address)
  const statusFor = async (token: string) =>
    (await clientWith(site().ask, token).ask('GET', '/api/resources/')).statusCode
  const secure = (): string => (site().isSecure ? 'Secure; ' : '')

  it('a person comes back from the provider to this address, with cookies for this path only', async () => {
    const visitor = visit()
    const started = await visitor.start('/files/docs/')
    const address = new URL(String(started.headers.location))
    expect(address.searchParams.get('redirect_uri')).toBe(`${site().origin}${base}/api/sign-in/sso/callback`)
    expect(String(started.headers['set-cookie'])).toMatch(
      new RegExp(
        `^sign-in-[\\w-]{8}=[\\w-]{43}; Max-Age=600; Path=${base}/api/sign-in/; HttpOnly; ${secure()}SameSite=Lax$`,
      ),
    )
    const { page, fragment } = await visitor.arrive(await visitor.atProvider(address.href, 'anna'))
    expect(page).toBe(`${base}/login?redirect=%2Ffiles%2Fdocs%2F`)
    const redeemed = await visitor.redeem(fragment['code'] ?? '')
    expect([redeemed.headers['set-cookie']].flat().at(-1)).toBe(
      `auth=${redeemed.body}; Path=${base || '/'}; HttpOnly; ${secure()}SameSite=Strict`,
    )
    expect([...visitor.cookies.keys()]).toEqual(['auth'])
    expect((await visitor.ask('GET', '/api/resources/')).statusCode).toBe(200)
  })

  it('the provider ends a session', async () => {
    const { body: token } = await visit().signIn('anna')
    expect(await statusFor(token)).toBe(200)
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: provider.issuer, aud: 'filemgr', sub: 'anna', iat: now, exp: now + 120, jti: way + base }
    const notice = await provider.sign({ ...claims, events: { [LOGOUT]: {} } }, { typ: 'logout+jwt' })
    const told = await site().ask('POST', '/api/sign-in/sso/logout', {
      payload: new URLSearchParams({ logout_token: notice }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([told.statusCode, await statusFor(token)]).toEqual([200, 401])
  })

  it('signing out leads to the provider and back', async () => {
    const visitor = visit()
    const { body: token } = await visitor.signIn('anna')
    const left = await visitor.ask('POST', '/api/logout', undefined, { 'x-auth': token })
    expect(String(left.headers['set-cookie'])).toMatch(new RegExp(`^auth=; Max-Age=0; Path=${base || '/'}; `))
    const { url } = left.json<{ url: string }>()
    expect(await visitor.atProvider(url, undefined)).toBe('/login')
    expect(await statusFor(token)).toBe(401)
    // The provider asks who it is again.
    await expect(visitor.come(undefined)).resolves.toMatchObject({ fragment: { problem: 'providerRefused' } })
  })

  it('an account is linked, and its owner comes in by the provider', async () => {
    const { admin, server, origin } = site()
    const visitor = visit()
    const auth = { 'x-auth': admin.token, accept: 'application/json' }
    const wanted = { current_password: server.password }
    const { url } = (await visitor.ask('POST', '/api/sign-in/sso/link', wanted, auth)).json<{ url: string }>()
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${origin}${base}/api/sign-in/sso/callback`)
    const { page, fragment } = await visitor.arrive(await visitor.atProvider(url, 'boss'))
    expect(page).toBe(`${base}/settings/security`)
    const code = { code: fragment['link'] }
    expect((await visitor.ask('POST', '/api/sign-in/sso/identity', code, auth)).statusCode).toBe(200)
    const { body: token } = await visit().signIn('boss')
    expect((await clientWith(site().ask, token).ask('GET', '/api/users')).statusCode).toBe(200)
  })

  it('a person of a directory signs in, and sees what others share', async () => {
    const { admin } = site()
    const visitor = visit()
    const answer = await visitor.ask('POST', '/api/sign-in/studio', { username: 'ann', password: PEOPLE.ann })
    expect(String(answer.headers['set-cookie'])).toBe(
      `auth=${answer.body}; Path=${base || '/'}; HttpOnly; ${secure()}SameSite=Strict`,
    )
    const payload = JSON.stringify({ path: '/docs', to: { user: 'ann' } })
    const grant = (await admin.ask('POST', '/api/grants', { payload })).json<{ id: string }>()
    const [shared] = (await visitor.ask('GET', '/api/shared')).json<SharedWithMe[]>()
    expect(shared).toMatchObject({ owner: 'admin', path: '/.filemgr-shared/docs (admin)' })
    const path = `/api/raw${encodeURI(shared?.path ?? '')}/a.txt`
    expect((await visitor.ask('GET', path)).body).toBe('shared')
    expect((await admin.ask('DELETE', `/api/grants/${grant.id}`)).statusCode).toBe(204)
    expect((await visitor.ask('GET', path)).statusCode).toBe(404)
  })

  it('an app and a passkey are set up, and sign in', async () => {
    const { admin, server, origin, ask } = site()
    const account = { username: 'tess', password: PASSWORD, scope: '/', perm: {} }
    const payload = JSON.stringify({ what: 'user', which: [], data: account, current_password: server.password })
    expect((await admin.ask('POST', '/api/users', { payload })).statusCode).toBe(201)
    const signedIn = await ask('POST', '/api/login', {
      payload: JSON.stringify({ username: 'tess', password: PASSWORD }),
    })
    const tess = clientWith(ask, signedIn.body)
    const { code } = await setUpApp(tess, Date.now)
    const { challenge } = await begunStep({ ask }, 'tess')
    const shown = await secondStep({ ask }, { challenge, code: code(Date.now() + 30_000) })
    expect([shown.statusCode, await statusFor(shown.body)]).toEqual([200, 200])

    const key = softPasskey({ origin })
    await addPasskey(tess, key)
    const alone = async (from?: string) => {
      const options = (await ask('POST', '/api/login/passkey/options', { payload: '{}' })).json<{
        challenge: string
        rpId: string
      }>()
      expect(options.rpId).toBe('localhost')
      const passkey = key.sign(options, from === undefined ? {} : { origin: from })
      return await ask('POST', '/api/login/passkey', { payload: JSON.stringify({ passkey }) })
    }
    const entered = await alone()
    expect([entered.statusCode, await statusFor(entered.body)]).toEqual([200, 200])
    for (const other of [new URL(server.url).origin, origin.replace('https:', 'http:'), 'https://localhost'])
      expect([other, (await alone(other)).statusCode]).toEqual([other, 403])
  })
})
