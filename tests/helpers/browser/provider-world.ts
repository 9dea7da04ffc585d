import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { CLIENT_SECRET, testProvider, type TestProvider } from '../oidc/test-provider.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { startTestServer, type TestServer } from './test-server.ts'

/** A server and a provider that know each other, but for what an administrator enters. */
export interface ProviderWorld extends AsyncDisposable {
  readonly daemon: TestServer
  /** The address of the server, with its base path. */
  readonly site: string
  readonly provider: TestProvider
  browser(): Promise<TestBrowser>
}

export async function openProviderWorld(base = ''): Promise<ProviderWorld> {
  await using held = new AsyncDisposableStack()
  const flags = base === '' ? [] : ['--base-url', base]
  const daemon = held.use(
    await startTestServer({ files: { 'docs/a.txt': 'a' }, args: ['--sign-in-hosts', '127.0.0.1', ...flags] }),
  )
  const site = `${new URL(daemon.url).origin}${base}`
  const provider = held.use(
    await testProvider({
      redirectUris: [`${site}/api/sign-in/example-sso/callback`],
      postLogoutRedirectUris: [`${site}/login`],
      people: {
        anna: { preferred_username: 'anna', email: 'anna@example.org', email_verified: false },
        boss: { preferred_username: 'boss' },
      },
    }),
  )
  const all = held.move()
  const options = { otherOrigins: [provider.issuer], expectedStatuses: [400, 401, 403, 404] }
  const browser = async () => all.use(await openBrowser(site, options))
  return { daemon, site, provider, browser, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

/** @param fields other than those of a provider that makes accounts */
export async function addProvider({ daemon, provider }: ProviderWorld, fields: object = {}): Promise<void> {
  const known = { type: 'oidc', id: 'example-sso', name: 'Example SSO', issuer: provider.issuer, clientId: 'filemgr' }
  const body = { ...known, secret: CLIENT_SECRET, createUsers: true, current_password: daemon.password, ...fields }
  const answer = await daemon.fetch('api/providers', { method: 'POST', body: JSON.stringify(body) })
  expect(answer.status).toBe(200)
}

export const providerButton = (page: Page) => page.getByRole('link', { name: 'Continue with Example SSO' })

/** Types a name at the provider. */
export async function beThere(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Continue' }).click()
}
