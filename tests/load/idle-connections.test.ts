import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { make } from '../helpers/make.ts'
import { movableClock } from '../helpers/movable-clock.ts'
import type { RawSocket } from '../helpers/api/raw-socket.ts'
import { testContext } from '../helpers/test-context.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { isLong } from '../helpers/stress-size.ts'
import { memoryOf, percentile, probedDuring, startRequest } from './load-clients.ts'

/** How many connections of each kind a user may have. */
const EACH = 16
/** For ten thousand connections, or a few hundred. */
const USERS = isLong ? 626 : 20
const COUNT = USERS * EACH
const WAITED = isLong ? 60_000 : 2000
/** In milliseconds. */
const PROBE_P95 = 200

const NAMES = Array.from({ length: USERS }, (_, i) => `user${i}`)
const FILES = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`file ${i}.txt`, 'x']))
/** The ping that the server sends each half minute, and the pong of a client. */
const [PING, PONG] = [Buffer.of(0x89, 0), Buffer.of(0x8a, 0x80, 0, 0, 0, 0)]

type Open = (daemon: TestDaemon) => Promise<RawSocket>

async function webSocket(daemon: TestDaemon): Promise<RawSocket> {
  const key = { 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': randomBytes(16).toString('base64') }
  const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', ...key }
  const client = await startRequest(daemon, 'GET /api/command/', upgrade)
  client.socket.on('data', (part: Buffer) => part.includes(PING) && client.socket.write(PONG))
  return client
}

/** Each kind with the mebibytes that all of it may take: a stream keeps its request and its answer, a socket neither. */
const KINDS: readonly [kind: string, open: Open, mostGrowth: number][] = [
  ['WebSockets', webSocket, 300],
  ['streams of events', async (daemon) => await startRequest(daemon, 'GET /api/events', { Connection: 'close' }), 500],
]

/** A daemon with a session for each user. The password hashes are cheap, or the sign-ins would take a minute. */
async function openWorld() {
  await using held = new AsyncDisposableStack()
  const users = [make.admin(), ...NAMES.map((username) => make.user({ username }))]
  const clock = movableClock(Date.now())
  const context = held.use(await testContext({ users, store: 'json', besideDaemon: true, files: FILES, clock }))
  const tokens: string[] = []
  for (const name of NAMES) tokens.push(await context.login(name))
  const admin = await context.login('admin')
  const daemon = held.use(await startTestDaemon({ data: context.dataFolder, root: context.root }))
  const fetchAsAdmin = async (path: string) => await fetch(daemon.url + path, { headers: { 'X-Auth': admin } })
  const openAll = async (openOne: Open) => {
    const sockets: RawSocket[] = []
    for (const token of tokens) {
      const own = Array.from({ length: EACH }, async () => await openOne({ ...daemon, token }))
      sockets.push(...(await Promise.all(own)))
    }
    const isOpen = ({ received, socket }: RawSocket) => !socket.destroyed && /^HTTP\/1\.1 (200|101) /.test(received())
    const open = () => sockets.filter(isOpen)
    await expect.poll(() => open().length).toBe(COUNT)
    return { open }
  }
  const probe = async (work: () => Promise<unknown>) =>
    await probedDuring({ ...daemon, fetch: fetchAsAdmin }, 'api/resources/', work)
  const all = held.move()
  return { daemon, tokens, openAll, probe, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

it.each(KINDS)(
  `${COUNT} idle %s cost little memory, slow down nobody, and end with their sessions or the daemon`,
  async (kind, open, mostGrowth) => {
    await using world = await openWorld()
    const { daemon, tokens, openAll, probe } = world
    const idle = await probe(async () => await setTimeout(1000))
    const before = await memoryOf(daemon.pid)
    const sockets = await openAll(open)
    const waiting = await probe(async () => await setTimeout(WAITED))
    const now = await memoryOf(daemon.pid)
    expect(sockets.open()).toHaveLength(COUNT)
    const signedOut = tokens.slice(0, USERS / 2)
    const ending = await probe(async () => {
      for (const token of signedOut)
        expect((await fetch(`${daemon.url}api/logout`, { method: 'POST', headers: { 'X-Auth': token } })).ok).toBe(true)
      await expect.poll(() => sockets.open().length).toBe(COUNT - signedOut.length * EACH)
    })
    for (const [name, times] of Object.entries({ idle, waiting, ending })) {
      const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => percentile(times, share).toFixed(1))
      console.info(`${COUNT} ${kind}, ${name}: listing p50 ${p50}, p95 ${p95}, p99 ${p99} ms`)
    }
    console.info(`${COUNT} ${kind}: memory ${before.toFixed(0)}, then ${now.toFixed(0)} MiB`)
    expect(percentile(waiting, 0.95)).toBeLessThan(Math.max(PROBE_P95, percentile(idle, 0.99) * 3))
    expect(now - before).toBeLessThan(mostGrowth)

    const { code, stderr } = await daemon.stop()
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/error/i)])
    await expect.poll(sockets.open).toEqual([])
  },
)
