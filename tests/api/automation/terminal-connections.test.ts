import { randomBytes } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openTerminal, type OpenTerminal } from '../../helpers/api/open-terminal.ts'
import { rawSocket, type RawSocket } from '../../helpers/api/raw-socket.ts'
import { testApp, type TestApp } from '../../helpers/api/test-app.ts'

/** Frames of a client, with a mask of zeros. */
const [PING, PONG] = [Buffer.of(0x89, 0x80, 0, 0, 0, 0), Buffer.of(0x8a, 0x80, 0, 0, 0, 0)]
/** The ping and the pong of the server, as text. */
const [ASKED, ANSWERED] = ['\u0089\u0000', '\u008a\u0000']

/** A WebSocket that answers nothing by itself. */
async function rawTerminal({ app }: TestApp, token: string): Promise<RawSocket> {
  const client = await rawSocket(app)
  const key = randomBytes(16).toString('base64')
  const head = [
    'GET /api/command/ HTTP/1.1',
    'Host: a',
    'Connection: Upgrade',
    'Upgrade: websocket',
    `X-Auth: ${token}`,
  ]
  client.socket.write([...head, 'Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${key}`, '', ''].join('\r\n'))
  await expect.poll(client.received).toMatch(/^HTTP\/1.1 101 .*\r\n\r\n/s)
  return client
}

const connections = async ({ app }: TestApp) =>
  await new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))

describe('connections of the terminal', () => {
  it('are limited to 16 for each user: one more is closed with a reason, until another one ends', async () => {
    await using server = await testApp()
    const [ann, bob] = [await server.user('ann'), await server.user('bob')]
    const open = async ({ token } = ann) => await openTerminal(server, { headers: { 'x-auth': token } })
    const sixteen: OpenTerminal[] = []
    for (let i = 0; i < 16; i += 1) sixteen.push(await open())
    const reason = 'you have 16 terminals open already: close one of them first'
    expect(await (await open()).ended).toEqual({ lines: [reason], code: 1013, reason })
    const other = await open(bob)
    other.socket.send('echo hi')
    expect((await other.ended).lines).toEqual(['Command not allowed.'])
    sixteen[0]?.socket.close()
    await expect.poll(async () => await connections(server)).toBe(15)
    const again = await open()
    again.socket.send('echo hi')
    expect((await again.ended).lines).toEqual(['Command not allowed.'])
  })

  it('get a ping every 30 seconds, and are ended when no pong has come', async () => {
    await using server = await testApp()
    const { token } = await server.user('ann')
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    using alive = await rawTerminal(server, token)
    using silent = await rawTerminal(server, token)
    vi.advanceTimersByTime(30_000)
    for (const { received } of [alive, silent]) await expect.poll(received).toContain(ASKED)
    alive.socket.write(Buffer.concat([PONG, PING]))
    await expect.poll(alive.received).toContain(ANSWERED)
    vi.advanceTimersByTime(30_000)
    await silent.closed
    await expect.poll(() => alive.received().split(ASKED).length).toBe(3)
    expect(await connections(server)).toBe(1)
  })

  it('are ended when they send pings without end and read no pongs', async () => {
    await using server = await testApp()
    const { token } = await server.user('ann')
    using client = await rawTerminal(server, token)
    client.socket.pause()
    const flood = Buffer.concat(Array.from({ length: 10_000 }, () => PING))
    const send = (): void => {
      while (!client.socket.destroyed && client.socket.write(flood));
    }
    client.socket.on('drain', send)
    send()
    await expect.poll(async () => await connections(server)).toBe(0)
  })
})
