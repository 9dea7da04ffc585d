import { describe, expect, it } from 'vitest'
import { rawSocket } from '../../helpers/api/raw-socket.ts'
import { testApp } from '../../helpers/api/test-app.ts'

describe('without sign-in on this machine', () => {
  it.each(['evil.example', 'evil.example:8080', '127.0.0.1.evil.example', 'localhost.evil.example'])(
    'the name %j is not served: it may lead here by DNS rebinding',
    async (host) => {
      await using server = await testApp({ options: { noAuth: true } })
      for (const url of ['/', '/api/login', '/health']) {
        const answer = await server.ask('GET', url, { headers: { host } })
        expect([answer.statusCode, answer.body]).toEqual([421, expect.stringContaining('--no-auth-remote')])
      }
    },
  )

  it.each(['localhost', 'LOCALHOST:8080', 'files.localhost', '127.0.0.1:8080', '[::1]:8080', '192.0.2.1'])(
    '%s is served',
    async (host) => {
      await using server = await testApp({ options: { noAuth: true } })
      expect((await server.ask('GET', '/health', { headers: { host } })).statusCode).toBe(200)
    },
  )
})

it.each([{ options: { noAuth: true, noAuthRemote: true } }, { options: { noAuth: true, address: 'nas' } }, {}])(
  'a name is served with %j',
  async (input) => {
    await using server = await testApp(input)
    expect((await server.ask('GET', '/health', { headers: { host: 'nas:8080' } })).statusCode).toBe(200)
  },
)

describe('a route that is escaped without need', () => {
  it('leads to its plain form, so that no sign-in is refused under another name than fail2ban looks for', async () => {
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
