import { readdirSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Connections } from '../../src/http/connections.ts'
import { buildApp } from '../../src/http/app.ts'
import { CONNECTION_LIMITS } from '../../src/http/framework-options.ts'
import { openRequest } from '../helpers/api/open-request.ts'
import { rawSocket, type RawSocket } from '../helpers/api/raw-socket.ts'
import { isLong } from '../helpers/stress-size.ts'
import { type Client, testApp, type TestApp } from '../helpers/api/test-app.ts'
import { testContext } from '../helpers/test-context.ts'

const SLOW_CLIENTS = 1000
const ABORTS = isLong ? 1000 : 200
/** For work that goes on after its client disconnects, unless the server ends it. */
const ABORTS_OF_WORK = isLong ? 100 : 20
/** The limits of a daemon cut such clients off within a minute. These are a hundredth of them. */
const SHORTENED = { ...CONNECTION_LIMITS, headersTimeout: 300, connectionsCheckingInterval: 100 }

const descriptors = () => readdirSync('/proc/self/fd').length
const connections = async ({ app }: Pick<TestApp, 'app'>) =>
  await new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))

describe('a thousand clients', () => {
  it.each([
    ['never end their headers (slowloris)', 'GET /health HTTP/1.1\r\nHost: a\r\n', 'X-More: 1\r\n'],
    ['never end their first line', 'GET /hea', 'l'],
    ['never end a body', 'POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{', ''],
    ['send nothing', '', ''],
  ])('that %s are cut off, and others are served meanwhile', async (_, first, more) => {
    await using context = await testContext()
    await using app = await buildApp(context, { createServer: new Connections(SHORTENED).createServer })
    app.server.setTimeout(500)
    const sockets: RawSocket[] = []
    for (let i = 0; i < SLOW_CLIENTS; i += 1) {
      const client = await rawSocket(app)
      client.socket.write(first)
      sockets.push(client)
    }
    const trickle = setInterval(() => {
      for (const { socket } of sockets) if (more !== '' && socket.writable) socket.write(more)
    }, 50)
    expect((await app.inject({ method: 'GET', url: '/health' })).statusCode).toBe(200)
    using other = await rawSocket(app)
    other.socket.write('GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await other.closed
    expect(other.received()).toContain('HTTP/1.1 200 OK')
    await Promise.all(sockets.map(async ({ closed }) => await closed))
    clearInterval(trickle)
    await expect.poll(async () => await connections({ app })).toBe(0)
  })
})

describe('headers of more than 16 KiB', () => {
  it('are refused, and the connection ends', async () => {
    await using context = await testContext()
    await using app = await buildApp(context, { createServer: new Connections(CONNECTION_LIMITS).createServer })
    const answerTo = async (length: number) => {
      using client = await rawSocket(app)
      client.socket.write(`GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX: ${'x'.repeat(length)}\r\n\r\n`)
      await client.closed
      return client.received().split('\r\n')[0]
    }
    expect(await answerTo(15 * 1024)).toBe('HTTP/1.1 200 OK')
    expect(await answerTo(17 * 1024)).toBe('HTTP/1.1 431 Request Header Fields Too Large')
  })
})

describe('clients that disconnect in the middle', () => {
  let server: TestApp
  let bob: Client
  beforeAll(async () => {
    server = await testApp({ files: { 'large.bin': Buffer.alloc(8 * 1024 * 1024), 'docs/': '' } })
    bob = await server.user('bob', { download: true })
    const folder = join(server.root, 'docs', Array.from({ length: 10 }, (_, i) => `${i}`.padEnd(200, 'x')).join('/'))
    await mkdir(folder, { recursive: true })
    for (let i = 0; i < 1500; i += 1) await writeFile(join(folder, `found ${i}`), '')
  })
  afterAll(async () => await server[Symbol.asyncDispose]())

  it.each([
    ['downloads', '/api/raw/large.bin', ABORTS],
    ['archives', '/api/raw/?algo=zip', ABORTS_OF_WORK],
    ['searches', '/api/search/?query=found', ABORTS_OF_WORK],
    ['recursive listings', '/api/resources/recursive/', ABORTS_OF_WORK],
    ['streams of events', '/api/events?folder=/docs', ABORTS_OF_WORK],
  ])('of %s leave no descriptor, connection or worker behind', async (_, url, count) => {
    const abort = async () => {
      using request = await openRequest(server.app, bob, 'GET', url)
      expect((await request.answer).statusCode).toBe(200)
    }
    for (let i = 0; i < 8; i += 1) await abort()
    await expect.poll(async () => await connections(server)).toBe(0)
    const before = descriptors()
    for (let i = 0; i < count; i += 4) await Promise.all(Array.from({ length: 4 }, abort))
    await expect.poll(async () => await connections(server)).toBe(0)
    await expect.poll(descriptors).toBeLessThanOrEqual(before + 5)
    const whole = await bob.ask('GET', '/api/raw/large.bin')
    expect(whole.rawPayload.length).toBe(8 * 1024 * 1024)
  })

  it('of uploads leave no temporary file behind', async () => {
    await using empty = await testApp()
    const ann = await empty.user('ann', { create: true })
    const before = descriptors()
    for (let i = 0; i < 50; i += 1) {
      const uploads = await Promise.all(
        Array.from(
          { length: 4 },
          async (_, n) =>
            await openRequest(empty.app, ann, 'POST', `/api/resources/${n}`, { body: Buffer.alloc(300_000) }),
        ),
      )
      for (const upload of uploads) upload[Symbol.dispose]()
    }
    await expect.poll(async () => await readdir(empty.root)).toEqual([])
    await expect.poll(async () => await connections(empty)).toBe(0)
    await expect.poll(descriptors).toBeLessThanOrEqual(before + 8)
  })
})
