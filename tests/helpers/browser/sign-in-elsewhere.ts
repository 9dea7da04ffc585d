import type { TestServer } from './test-server.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Another device of the administrator: the status of what it asks. */
export interface OtherDevice {
  readonly token: string
  ask(): Promise<number>
}

/** Signs in by another program, which calls itself a Firefox on Linux unless told. */
export async function signInElsewhere(
  daemon: TestServer,
  { userAgent = FIREFOX, password = daemon.password } = {},
): Promise<OtherDevice> {
  const body = JSON.stringify({ username: daemon.username, password })
  const answer = await fetch(new URL('api/login', daemon.url), {
    method: 'POST',
    body,
    headers: { 'User-Agent': userAgent },
  })
  if (!answer.ok) throw new Error(`signing in was answered by ${answer.status}: ${await answer.text()}`)
  const token = await answer.text()
  const ask = async () => (await fetch(new URL('api/sessions', daemon.url), { headers: { 'X-Auth': token } })).status
  return { token, ask }
}
