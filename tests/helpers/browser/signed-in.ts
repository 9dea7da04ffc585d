import type { BrowserContextOptions } from 'playwright-core'
import type { TestServer } from './test-server.ts'

/** What a browser keeps of a new session of the administrator: it is signed in without the form. */
export async function signedIn(server: TestServer): Promise<NonNullable<BrowserContextOptions['storageState']>> {
  const { origin, hostname, pathname } = new URL(server.url)
  const answer = await fetch(new URL('api/login', server.url), {
    method: 'POST',
    body: JSON.stringify({ username: server.username, password: server.password }),
    headers: { 'User-Agent': CHROMIUM },
  })
  if (!answer.ok) throw new Error(`signing in was answered by ${answer.status}: ${await answer.text()}`)
  const token = await answer.text()
  const base = pathname.replace(/\/$/, '')
  const cookie = { name: 'auth', value: token, domain: hostname, path: base || '/', expires: -1 }
  return {
    cookies: [{ ...cookie, httpOnly: true, secure: false, sameSite: 'Strict' }],
    origins: [{ origin, localStorage: [{ name: `filemgr:token:${base}`, value: token }] }],
  }
}

const CHROMIUM = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/145.0.0.0 Safari/537.36'
