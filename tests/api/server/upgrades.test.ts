import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { Connections } from '../../../src/http/connections.ts'
import { buildApp } from '../../../src/http/app.ts'
import { CONNECTION_LIMITS } from '../../../src/http/framework-options.ts'
import { openTerminal } from '../../helpers/api/open-terminal.ts'
import { rawSocket } from '../../helpers/api/raw-socket.ts'
import { testApp } from '../../helpers/api/test-app.ts'
import { testContext } from '../../helpers/test-context.ts'

const REQUEST = 'GET /health HTTP/1.1\r\nHost: a\r\n'
const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n'
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

/** An application with the connections of a daemon. */
async function openWorld() {
  await using held = new AsyncDisposableStack()
  const context = held.use(await testContext())
  const app = held.use(await buildApp(context, { createServer: new Connections(CONNECTION_LIMITS).createServer }))
  const all = held.move()
  return { app, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

const answers = (received: string) => received.split('HTTP/1.1 200 OK').length - 1

it('names of headers have their usual case, by which published clients look for them', async () => {
  await using server = await openWorld()
  using client = await rawSocket(server.app)
  client.socket.write(`${REQUEST}\r\nGET /api//users HTTP/1.1\r\nHost: a\r\n\r\n`)
  await expect.poll(() => client.received()).toContain('\r\nLocation: /api/users\r\n')
  const names = client.received().match(/^[\w-]+(?=: )/gm) ?? []
  expect(names).toContain('Content-Type')
  expect(names.filter((name) => !/^([A-Z][a-z]*)(-[A-Z][a-z]*)*$/.test(name))).toEqual([])
})

describe('a request to upgrade', () => {
  it.each(['h2c', 'TLS/1.0', 'foo/2, h2c', ''])('to %j is ignored, and the connection goes on', async (name) => {
    await using server = await openWorld()
    using client = await rawSocket(server.app)
    client.socket.write(`${REQUEST}${H2C}Upgrade: ${name}\r\n\r\n`)
    await expect.poll(() => answers(client.received())).toBe(1)
    client.socket.write(`${REQUEST}\r\n`)
    await expect.poll(() => answers(client.received())).toBe(2)
    expect(client.received()).not.toContain('101 Switching')
  })

  it('with a body is ignored too, and the body is read', async () => {
    await using server = await openWorld()
    using client = await rawSocket(server.app)
    const body = '{"username":"admin","password":"wrong"}'
    const head = `POST /api/login HTTP/1.1\r\nHost: a\r\n${H2C}Upgrade: h2c\r\nContent-Length: ${body.length}\r\n\r\n`
    client.socket.write(`${head}${body}`)
    await expect.poll(client.received).toMatch(/^HTTP\/1\.1 403 .*Forbidden\n$/s)
    client.socket.write(`${REQUEST}\r\n`)
    await expect.poll(() => answers(client.received())).toBe(1)
  })

  it.each(['/health', '/api/tus/a.txt', '/nothing/here'])(
    'to a WebSocket at %s, which has none, is answered, and the connection closed',
    async (path) => {
      await using server = await openWorld()
      // Without this timeout only the answer can close the connection.
      server.app.server.on('upgrade', (_request, socket: Socket) => socket.setTimeout(0))
      using client = await rawSocket(server.app)
      client.socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n`)
      await client.closed
      expect(client.received()).toMatch(/^HTTP\/1\.1 [245]\d\d /)
    },
  )

  it.each(['/api/raw/a.txt', '/api/users', '/api/jobs', '/api/backup'])(
    'with a complete WebSocket handshake at %s, which has none, gets no 101',
    async (path) => {
      await using server = await testApp({ files: { 'a.txt': 'a' } })
      const { token } = await server.admin()
      using client = await rawSocket(server.app)
      client.socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-Auth: ${token}\r\n${UPGRADE}${KEY}\r\n`)
      await client.closed
      expect(client.received()).toMatch(/^HTTP\/1\.1 (200|400) /)
    },
  )

  it('CVE-2024-37890: to a WebSocket with too many headers is refused, and the server goes on', async () => {
    await using server = await testApp()
    const { token } = await server.admin()
    for (const head of ['a:\r\n'.repeat(3000) + UPGRADE + KEY, UPGRADE + 'a:\r\n'.repeat(3000) + KEY]) {
      using client = await rawSocket(server.app)
      client.socket.write(`GET /api/command/ HTTP/1.1\r\nHost: a\r\nX-Auth: ${token}\r\n${head}\r\n`)
      await expect.poll(client.received).toMatch(/^HTTP\/1\.1 [245]\d\d /)
      expect(client.received()).not.toContain('101 Switching')
    }
    expect((await server.ask('GET', '/health')).statusCode).toBe(200)
  })

  it('to a WebSocket must be answered within ten seconds, and an open one has no limit', async () => {
    await using server = await testApp()
    const { token } = await server.admin()
    const limits: (number | undefined)[] = []
    const sockets: Socket[] = []
    server.app.server.on('upgrade', (_request, socket: Socket) => {
      limits.push(socket.timeout)
      sockets.push(socket)
    })
    const { socket, ended } = await openTerminal(server, { headers: { 'x-auth': token } })
    expect([socket.readyState, limits, sockets[0]?.timeout]).toEqual([WebSocket.OPEN, [10_000], 0])
    socket.close()
    await ended
  })
})
