import { describe, expect, it } from 'vitest'
import { login } from '../../../../src/api/accounts/auth.ts'
import { listSessions } from '../../../../src/api/accounts/sessions.ts'
import { createResource } from '../../../../src/api/files/files-changes.ts'
import { getResource } from '../../../../src/api/files/files.ts'
import { updateUser } from '../../../../src/api/accounts/users.ts'
import { ApiError } from '../../../../ui/src/api/api-error.ts'
import { createClient } from '../../../../ui/src/api/client.ts'

interface Sent {
  url: string
  init: RequestInit
}

/** A client whose requests are handled by `answer`. */
function clientWith(
  answer: () => Response | Promise<Response>,
  token: string | undefined = 'a.b.c',
  waitForSignIn: () => boolean | Promise<boolean> = () => false,
) {
  const sent: Sent[] = []
  const events: string[] = []
  const client = createClient({
    baseUrl: '/base',
    token: () => token,
    onRenewHint: () => events.push('renew'),
    onRejected: (rejected) => events.push(`rejected ${rejected}`),
    waitForSignIn: async () => await waitForSignIn(),
    fetch: async (url, init = {}) => {
      sent.push({ url: url as string, init })
      return await answer()
    },
  })
  return { client, sent, events }
}

const ok = () => Response.json({})

describe('a call', () => {
  it('puts parameters into the address, encoded segment by segment', async () => {
    const { client, sent } = clientWith(ok)
    await client.call(getResource, { params: { '*': '/a b/100%/' }, query: { checksum: 'md5' } })
    await client.call(updateUser, { params: { id: '7' }, body: {} })
    await client.call(listSessions, { query: {} })
    expect(sent.map(({ url }) => url)).toEqual([
      '/base/api/resources/a%20b/100%25/?checksum=md5',
      '/base/api/users/7',
      '/base/api/sessions',
    ])
  })

  it('sends the token, and JSON or bytes as the operation says', async () => {
    const { client, sent } = clientWith(ok)
    const bytes = new Blob(['x'])
    await client.call(login, { body: { username: 'a', password: 'b', recaptcha: '' } })
    await client.call(createResource, { params: { '*': 'x' }, body: bytes })
    expect(sent[0]?.init).toMatchObject({
      method: 'POST',
      headers: { 'x-filemgr-page': '1', 'X-Auth': 'a.b.c', 'Content-Type': 'application/json' },
      body: '{"username":"a","password":"b","recaptcha":""}',
    })
    expect(sent[1]?.init.body).toBe(bytes)
    expect(sent[1]?.init.headers).not.toHaveProperty('Content-Type')
  })

  it('returns JSON or plain text, by content type', async () => {
    const json = clientWith(() => Response.json({ used: 1, total: 2 }))
    const text = clientWith(() => new Response('x.y.z'))
    expect(await json.client.call(getResource, { params: { '*': '' } })).toEqual({ used: 1, total: 2 })
    expect(await text.client.call(login, { body: { username: '', password: '', recaptcha: '' } })).toBe('x.y.z')
  })

  it('reports the error of the server', async () => {
    const plain = clientWith(() => new Response('404 Not Found\n', { status: 404, headers: { 'X-Request-Id': 'r1' } }))
    await expect(plain.client.call(getResource, { params: { '*': 'a' } })).rejects.toMatchObject({
      status: 404,
      message: '404 Not Found',
      requestId: 'r1',
    })
    const json = clientWith(() => {
      const headers = { 'Retry-After': '7' }
      const error = { code: 'RATE_LIMITED', message: 'wait', details: { field: 'password' } }
      return Response.json({ error }, { status: 429, headers })
    })
    await expect(json.client.call(getResource, { params: { '*': 'a' } })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: 'wait',
      field: 'password',
      retryAfter: 7,
    })
  })

  it('returns the ETag of a response', async () => {
    const { client } = clientWith(() => Response.json({ used: 1 }, { headers: { ETag: '"v1"' } }))
    const answer = { value: { used: 1 }, etag: '"v1"', location: null }
    expect(await client.versioned(getResource, { params: { '*': '' } })).toEqual(answer)
  })

  it('has status 0 without a connection, and rethrows aborts', async () => {
    const lost = clientWith(() => Promise.reject(new TypeError('fetch failed')))
    const failure: unknown = await lost.client
      .call(getResource, { params: { '*': '' } })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({ status: 0, message: '000 No connection' })
    const aborted = clientWith(() => Promise.reject(new DOMException('stop', 'AbortError')))
    await expect(aborted.client.call(getResource, { params: { '*': '' } })).rejects.toThrow('stop')
  })

  it('requests a renewal when the response hints at it', async () => {
    const { client, events } = clientWith(() => Response.json({}, { headers: { 'X-Renew-Token': 'true' } }))
    await client.call(getResource, { params: { '*': '' } })
    expect(events).toEqual(['renew'])
  })

  it('handles the auth headers of requests that bypass it', () => {
    const { client, events } = clientWith(ok)
    const sent = client.authHeaders()
    client.handleAuthHeaders({ status: 200, renewToken: 'true', sent })
    // The request ran during a renewal.
    client.handleAuthHeaders({ status: 200, renewToken: 'true', sent: { 'X-Auth': 'the one before' } })
    client.handleAuthHeaders({ status: 401, renewToken: null, sent })
    expect([sent, events]).toEqual([{ 'X-Auth': 'a.b.c' }, ['renew', 'rejected a.b.c']])
  })

  it('ends the session on 401, except for public operations', async () => {
    const { client, events } = clientWith(() => new Response('401', { status: 401 }))
    await expect(client.call(getResource, { params: { '*': '' } })).rejects.toMatchObject({ status: 401 })
    await expect(client.call(login, { body: { username: '', password: '', recaptcha: '' } })).rejects.toThrow()
    expect(events).toEqual(['rejected a.b.c'])
  })

  it('is repeated after a 401 once its user has signed in again', async () => {
    const answers = [new Response('401', { status: 401 }), Response.json({ used: 1 })]
    const { client, sent } = clientWith(
      () => answers.shift() ?? ok(),
      'a.b.c',
      () => true,
    )
    const body = { what: 'user' }
    expect(await client.call(updateUser, { params: { id: '7' }, body })).toEqual({ used: 1 })
    expect(sent.map(({ init }) => init.body)).toEqual([JSON.stringify(body), JSON.stringify(body)])
  })
})
