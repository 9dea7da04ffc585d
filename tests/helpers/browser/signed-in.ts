import type { BrowserContextOptions } from 'playwright-core'
import type { TestServer } from './test-server.ts'

type StorageState = NonNullable<BrowserContextOptions['storageState']>

/** What a browser keeps of a session of the administrator: the one that the test itself asks with, if there is one. */
export async function signedIn(server: TestServer): Promise<StorageState> {
  return server.token === '' ? await signedInAnew(server) : keptOf(server, server.token)
}

/** The same of a session of its own, which can end while the test still asks. */
export async function signedInAnew(server: TestServer): Promise<StorageState> {
  const answer = await fetch(new URL('api/login', server.url), {
    method: 'POST',
    body: JSON.stringify({ username: server.username, password: server.password }),
    headers: { 'User-Agent': CHROMIUM },
  })
  if (!answer.ok) throw new Error(`signing in was answered by ${answer.status}: ${await answer.text()}`)
  return keptOf(server, await answer.text())
}

function keptOf({ url }: TestServer, token: string): StorageState {
  const { origin, hostname, pathname } = new URL(url)
  const base = pathname.replace(/\/$/, '')
  const cookie = { name: 'auth', value: token, domain: hostname, path: base || '/', expires: -1 }
  return {
    cookies: [{ ...cookie, httpOnly: true, secure: false, sameSite: 'Strict' }],
    origins: [{ origin, localStorage: [{ name: `filemgr:token:${base}`, value: token }] }],
  }
}

const CHROMIUM = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Safari/537.36'
