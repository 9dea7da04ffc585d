import { lookup } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { startDaemon, type DaemonOptions } from '../../../src/daemon.ts'
import { testContext } from '../../helpers/test-context.ts'

const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
const BODY = 'Content-Length: 1000\r\n\r\nx'

/** A daemon on each address of "localhost", and clients that never close their end of a connection. */
async function openWorld(options: Omit<DaemonOptions, 'context'>) {
  const context = await testContext({ options: { address: 'localhost', port: 0 } })
  const token = await context.login('admin')
  const daemon = await startDaemon({ context, ...options })
  const port = Number(new URL(daemon.urls[0]).port)
  const sockets: Socket[] = []
  const open = async (text: string, answer: RegExp, host = 'localhost') => {
    const socket = connect({ port, host, allowHalfOpen: true }).on('error', () => undefined)
    sockets.push(socket)
    let received = ''
    socket.on('data', (part: Buffer) => (received += part.toString('latin1')))
    socket.write(text === '' ? '' : text.replace('\r\n', `\r\nHost: localhost\r\nX-Auth: ${token}\r\n`))
    await expect.poll(() => !socket.connecting && answer.test(received)).toBe(true)
    return socket
  }
  const stop = async () => {
    const started = performance.now()
    await daemon[Symbol.asyncDispose]()
    return performance.now() - started
  }
  return {
    open,
    stop,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await context[Symbol.asyncDispose]()
    },
  }
}

it.each([
  ['sends nothing', '', /^$/],
  ['does not end its headers', 'GET /health HTTP/1.1\r\nX: ', /^$/],
  ['does not end the body of an upload', `POST /api/resources/a.txt HTTP/1.1\r\n${BODY}`, /^$/],
  ['does not end a body that was refused', `POST /nosuch HTTP/1.1\r\n${BODY}`, / 404 /],
  ['goes on sending after its upgrade was refused', `GET /nosuch HTTP/1.1\r\n${UPGRADE}\r\n`, /^HTTP\S+ [245]/],
  ['ignores that a WebSocket closes', `GET /api/command/ HTTP/1.1\r\n${UPGRADE}\r\n`, / 101 /],
  ['ignores that a stream of events ends', 'GET /api/events HTTP/1.1\r\n\r\n', / 200 /],
])('a stop waits for no client that %s', async (_, text, answer) => {
  await using world = await openWorld({ grace: 200 })
  const hosts = await lookup('localhost', { all: true })
  const clients = await Promise.all(hosts.map(async ({ address }) => await world.open(text, answer, address)))
  const sending = setInterval(() => {
    for (const client of clients) if (text !== '' && client.writable) client.write('x')
  }, 50)
  await world.stop()
  clearInterval(sending)
  const closed = () => clients.filter(({ closed: isClosed, readableEnded }) => isClosed || readableEnded).length
  await expect.poll(closed).toBe(clients.length)
})

it('a stop closes a connection as soon as its last answer has ended', async () => {
  await using world = await openWorld({ grace: 60_000 })
  await world.open('GET /health HTTP/1.1\r\n\r\n', / 200 /)
  await world.open('GET /api/events HTTP/1.1\r\n\r\n', / 200 /)
  const upload = await world.open(`POST /api/resources/a.txt HTTP/1.1\r\n${BODY}`, /^$/)
  const stopping = world.stop()
  upload.write('x'.repeat(999))
  // A connection that waits for its next request would stay open for ten seconds.
  expect(await stopping).toBeLessThan(9000)
})
