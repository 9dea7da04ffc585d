import { describe, expect, it } from 'vitest'
import { rawSocket } from '../../helpers/api/raw-socket.ts'
import { testApp } from '../../helpers/api/test-app.ts'

describe('without sign-in on this machine', () => {
  it.each(['evil.example', 'evil.example:8080', '127.0.0.1.evil.example', 'localhost.evil.example'])(
    'a request for the host %j is refused, to prevent DNS rebinding',
    async (host) => {
      await using server = await testApp({ options: { noAuth: true } })
      for (const url of ['/', '/api/login', '/health']) {
        const answer = await server.ask('GET', url, { headers: { host } })
        expect([answer.statusCode, answer.body]).toEqual([421, expect.stringContaining('--no-auth-remote')])
      }
    },
  )

  it.each(['localhost', 'LOCALHOST:8080', 'files.localhost', '127.0.0.1:8080', '[::1]:8080', '192.0.2.1'])(
    'a request for %s is served',
    async (host) => {
      await using server = await testApp({ options: { noAuth: true } })
      expect((await server.ask('GET', '/health', { headers: { host } })).statusCode).toBe(200)
    },
  )
})

it.each([{ options: { noAuth: true, noAuthRemote: true } }, { options: { noAuth: true, address: 'nas' } }, {}])(
  'a request for another host name is served with %j',
  async (input) => {
    await using server = await testApp(input)
    expect((await server.ask('GET', '/health', { headers: { host: 'nas:8080' } })).statusCode).toBe(200)
  },
)

describe('a path that is escaped without need', () => {
  it('is redirected to its plain form, so that fail2ban sees every refused sign-in', async () => {
    await using server = await testApp()
    const answer = await server.ask('POST', '/%61pi/login?x=1', { payload: '{"username":"admin","password":"wrong"}' })
    expect([answer.statusCode, answer.headers.location]).toEqual([301, '/api/login?x=1'])
    expect(server.log.map(({ message }) => message).join()).not.toContain('403')
  })
})

it('a request that names two hosts is refused: a proxy may judge by one of them and this server by the other', async () => {
  await using server = await testApp()
  using client = await rawSocket(server.app)
  client.socket.write('GET /health HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n')
  await client.closed
  expect(client.received()).toMatch(/^HTTP\/1\.1 400 /)
})
