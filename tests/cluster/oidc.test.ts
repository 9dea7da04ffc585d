import { expect, it } from 'vitest'
import { ProviderBrowser } from '../helpers/oidc/provider-browser.ts'
import { CLIENT_SECRET, testProvider } from '../helpers/oidc/test-provider.ts'
import type { TestDaemon } from '../helpers/cli/test-daemon.ts'
import { eventually } from '../helpers/patience.ts'
import { freePort } from '../helpers/free-port.ts'
import { machinesOfFile } from './machines.ts'

const { machines } = machinesOfFile()

const SITE = 'http://files.test'
const LOGOUT = 'http://schemas.openid.net/event/backchannel-logout'

it('a sign-in may begin, come back and end at three daemons, and the provider ends it at all of them', async () => {
  const port = await freePort()
  const env = { FILEMGR_PUBLIC_URL: SITE, FILEMGR_SIGN_IN_HOSTS: `127.0.0.1:${port}` }
  await using cluster = await machines({ count: 3, env })
  const [first, second, third] = cluster.all as [TestDaemon, TestDaemon, TestDaemon]
  await using provider = await testProvider({ port, redirectUris: [`${SITE}/api/sign-in/sso/callback`] })
  const fields = { type: 'oidc', id: 'sso', name: 'SSO', issuer: provider.issuer, clientId: 'filemgr' }
  const body = { ...fields, secret: CLIENT_SECRET, createUsers: true, current_password: first.password }
  const added = await cluster.ask(first, '/api/providers', { method: 'POST', body: JSON.stringify(body) })
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

  const statuses = async () =>
    await Promise.all(
      cluster.all.map(async ({ url }) => {
        return (await fetch(new URL('/api/resources/', url), { headers: { 'x-auth': token } })).status
      }),
    )
  expect(await statuses()).toEqual([200, 200, 200])

  const now = Math.floor(Date.now() / 1000)
  const claims = { iss: provider.issuer, aud: 'filemgr', sub: 'anna', iat: now, exp: now + 120, jti: 'one' }
  const notice = await provider.sign({ ...claims, events: { [LOGOUT]: {} } }, { typ: 'logout+jwt' })
  const tell = async (daemon: TestDaemon) =>
    await ask(daemon, '/api/sign-in/sso/logout', {
      method: 'POST',
      body: new URLSearchParams({ logout_token: notice }),
    })
  expect((await tell(second)).status).toBe(200)
  expect(await statuses()).toEqual([401, 401, 401])
  expect((await tell(third)).status).toBe(400)

  // Switched off at one, closed at all.
  await cluster.ask(third, '/api/providers/sso', {
    method: 'PATCH',
    body: JSON.stringify({ enabled: false, current_password: first.password }),
  })
  await eventually(async () => {
    expect((await ask(first, '/api/sign-in/sso')).headers.get('location')).toContain('problem=providerOff')
  })
})
