import type { BrowserContextOptions } from 'playwright-core'
import type { TestServer } from './test-server.ts'
import type { SessionView } from '../../../src/domain/accounts/session.ts'

type StorageState = NonNullable<BrowserContextOptions['storageState']>

/** Browser storage for pages that start signed in: with the session of the first start, or with that of `token`. */
export function signedIn({ url, token }: Pick<TestServer, 'url' | 'token'>): StorageState {
  const { origin, hostname, pathname } = new URL(url)
  const base = pathname.replace(/\/$/, '')
  const cookie = { name: 'auth', value: token, domain: hostname, path: base || '/', expires: -1 }
  return {
    cookies: [{ ...cookie, httpOnly: true, secure: false, sameSite: 'Strict' }],
    origins: [{ origin, localStorage: [{ name: `filemgr:token:${base}`, value: token }] }],
  }
}

/** Browser storage of a session of its own, begun with the password. It costs as much as ten sessions of `signedIn`. */
export async function newSession(server: TestServer): Promise<StorageState> {
  return signedIn({ url: server.url, token: await tokenFor(server, { userAgent: CHROMIUM }) })
}

async function tokenFor(
  { url, username, password }: Pick<TestServer, 'url' | 'username' | 'password'>,
  { userAgent }: { readonly userAgent: string },
): Promise<string> {
  const body = JSON.stringify({ username, password })
  const answer = await fetch(new URL('api/login', url), { method: 'POST', body, headers: { 'User-Agent': userAgent } })
  if (!answer.ok) throw new Error(`signing in was answered by ${answer.status}: ${await answer.text()}`)
  return await answer.text()
}

const CHROMIUM = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Safari/537.36'

/** Ends all sessions of the administrator except the one of the test, so the page needs one of its own. */
export async function revokeBrowsers(daemon: TestServer): Promise<void> {
  const sessions = (await (await daemon.fetch('/api/sessions')).json()) as SessionView[]
  for (const { id, current } of sessions) {
    if (!current) await daemon.fetch(`/api/sessions/${id}`, { method: 'DELETE' })
  }
}

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Another device of the administrator. */
export interface OtherDevice {
  readonly token: string
  ask(): Promise<number>
}

/** Signs in with another user agent, by default Firefox on Linux. */
export async function signInElsewhere(
  daemon: TestServer,
  { userAgent = FIREFOX, password = daemon.password } = {},
): Promise<OtherDevice> {
  const token = await tokenFor({ ...daemon, password }, { userAgent })
  const ask = async () => (await fetch(new URL('api/sessions', daemon.url), { headers: { 'X-Auth': token } })).status
  return { token, ask }
}
