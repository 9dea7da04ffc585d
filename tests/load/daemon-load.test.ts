import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { RawSocket } from '../helpers/api/raw-socket.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { ADMIN_PASSWORD, testStore } from '../helpers/cli/test-store.ts'
import { isLong } from '../helpers/stress-size.ts'
import { bytesOf, growthDuring, memoryOf, percentile, probedDuring, startRequest } from './load-clients.ts'

const run = promisify(execFile)

const SLOW_CLIENTS = 500
const SLOW_FOR = isLong ? 300_000 : 5000
const LARGE = isLong ? 1024 : 128
const ENTRIES = 100_000
const MAX_GROWTH = 96
const PATIENCE = { timeout: 30_000 }
/** Milliseconds. The probes share the processors with all the clients, which are not the server's fault. */
const PROBE_P95 = 200
const PROBE_P99 = 100
/** What the same probe takes by itself on a machine that is busy with something else anyway counts as nothing. */
const allowed = (limit: number, idle: readonly number[]) => Math.max(limit, percentile(idle, 0.99) * 3)

async function idleProbes(daemon: TestDaemon): Promise<number[]> {
  await probedDuring(daemon, 'api/raw/small.txt', async () => await setTimeout(300))
  return await probedDuring(daemon, 'api/raw/small.txt', async () => await setTimeout(1000))
}

async function fill(folder: string, mebibytes: number): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(join(folder, 'large.bin'), 'w')
  for (const part of bytesOf(mebibytes)) {
    hash.update(part)
    await file.write(part)
  }
  await file.close()
  return hash.digest('hex')
}

async function digestOf(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of stream) hash.update(part)
  return hash.digest('hex')
}

describe('500 readers and 500 writers of a kibibyte a second', () => {
  it('do not slow others, and cost little memory', { timeout: SLOW_FOR + 120_000 }, async () => {
    await using folder = await tempFolder({ 'small.txt': 'small' })
    await fill(folder.path, 64)
    await using daemon = await startTestDaemon({ root: folder.path })
    const idle = await idleProbes(daemon)
    const sockets: RawSocket[] = []
    const writers: RawSocket[] = []
    for (let i = 0; i < SLOW_CLIENTS; i += 1) {
      const reader = await startRequest(daemon, 'GET /api/raw/large.bin')
      reader.socket.pause()
      const writer = await startRequest(daemon, `POST /api/resources/slow-${i}`, { 'Content-Length': '10000000' })
      writers.push(writer)
      sockets.push(reader, writer)
    }
    const kibibyte = Buffer.alloc(1024)
    const ticking = setInterval(() => {
      for (const { socket } of writers) socket.write(kibibyte)
      for (const { socket } of sockets) socket.read(1024)
    }, 1000)
    const times = await probedDuring(daemon, 'api/raw/small.txt', async () => await setTimeout(SLOW_FOR))
    clearInterval(ticking)
    const { now } = await memoryOf(daemon.pid)
    console.info(`slow clients: p95 ${percentile(times, 0.95).toFixed(1)} ms, ${now.toFixed(0)} MiB`)
    expect(percentile(times, 0.95)).toBeLessThan(allowed(PROBE_P95, idle))
    expect(now).toBeLessThan(400)
    for (const socket of sockets) socket[Symbol.dispose]()
    await expect
      .poll(async () => (await readdir(folder.path)).filter((name) => name.endsWith('.fm-tmp')), PATIENCE)
      .toEqual([])
  })
})

describe(`${LARGE} MiB`, () => {
  it('come and go byte for byte in little memory, whichever way', { timeout: 280_000 }, async () => {
    await using folder = await tempFolder({ 'one/': '', 'none/': '' })
    const digest = await fill(join(folder.path, 'one'), LARGE)
    await using daemon = await startTestDaemon({ root: folder.path })
    const length = LARGE * 1024 * 1024
    const send = async (method: string, path: string, headers: Record<string, string> = {}) => {
      const body = Readable.toWeb(Readable.from(bytesOf(LARGE))) as ReadableStream
      const sized = { 'Content-Length': String(length), ...headers }
      const answer = await daemon.fetch(path, { method, body, headers: sized, duplex: 'half' } as RequestInit)
      expect(answer.status, `${method} ${path}`).toBeLessThan(300)
    }
    const fetched = async (path: string) => {
      const { body } = await daemon.fetch(path)
      return body as unknown as AsyncIterable<Uint8Array>
    }
    const PART = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
    const ways: Readonly<Record<string, () => Promise<void>>> = {
      POST: async () => await send('POST', 'api/resources/posted.bin'),
      PUT: async () => await send('PUT', 'api/resources/posted.bin'),
      tus: async () => {
        await daemon.fetch('api/tus/tus.bin', { method: 'POST', headers: { 'Upload-Length': String(length) } })
        await send('PATCH', 'api/tus/tus.bin', PART)
      },
      raw: async () => expect(await digestOf(await fetched('api/raw/one/large.bin'))).toBe(digest),
      zip: async () => {
        const zip = await open(join(folder.path, 'one.zip'), 'w')
        for await (const part of await fetched('api/raw/one/?algo=zip')) await zip.write(part)
        await zip.close()
        const { stdout } = await run('sh', ['-c', 'unzip -p "$0" | sha256sum', join(folder.path, 'one.zip')])
        expect(stdout.slice(0, 64)).toBe(digest)
      },
    }
    // What the first one of a kind starts stays for those that follow: it is no cost of a transfer.
    await (await daemon.fetch('api/raw/one/large.bin', { headers: { Range: 'bytes=0-50000000' } })).arrayBuffer()
    await (await daemon.fetch('api/raw/none/?algo=zip')).arrayBuffer()
    const grown: Record<string, number> = {}
    for (const [name, way] of Object.entries(ways)) grown[name] = Math.round(await growthDuring(daemon.pid, way))
    console.info(`${LARGE} MiB: memory grew by`, grown)
    for (const name of ['posted.bin', 'tus.bin'])
      expect(await digestOf((await open(join(folder.path, name))).createReadStream())).toBe(digest)
    for (const [name, growth] of Object.entries(grown)) expect(growth, name).toBeLessThan(MAX_GROWTH)
  })
})

describe(`a folder of ${ENTRIES} entries`, () => {
  it('keeps nobody waiting while it is listed, searched, walked and packed', { timeout: 280_000 }, async () => {
    await using folder = await tempFolder({ 'small.txt': 'small', 'large/': '' })
    for (let i = 0; i < ENTRIES; i += 1) writeFileSync(join(folder.path, 'large', `file ${i}.txt`), '')
    await using daemon = await startTestDaemon({ root: folder.path })
    const idle = await idleProbes(daemon)
    const paths = [
      ['api/resources/large/', 5],
      // Soon over: one percent of the probes is to be more than one of them.
      ['api/search/?query=9.txt', 15],
      ['api/resources/recursive/', 5],
      ['api/raw/large/?algo=tar', 3],
    ] as const
    for (const [path, turns] of paths) {
      // Read by another process: this one would be too busy to ask in time.
      const load = ['-sSf', '-o', '/dev/null', '-H', `X-Auth: ${daemon.token}`, `${daemon.url}${path}`]
      const measure = async () => {
        const times = await probedDuring(daemon, 'api/raw/small.txt', async () => {
          for (let turn = 0; turn < turns; turn += 1) await run('curl', load)
        })
        console.info(`${path}: p99 of ${times.length} probes ${percentile(times, 0.99).toFixed(1)} ms`)
        return percentile(times, 0.99)
      }
      // What holds up the event loop does so each time; what else the machine had to do does not.
      const limit = allowed(PROBE_P99, idle)
      let best = await measure()
      for (let again = 0; again < 2 && best >= limit; again += 1) best = Math.min(best, await measure())
      expect(best, path).toBeLessThan(limit)
    }
  })
})

describe('a daemon that may open 256 files', () => {
  it('lives through a thousand clients and is back to normal at once', { timeout: 120_000 }, async () => {
    await using folder = await tempFolder({ 'small.txt': 'small' })
    await fill(folder.path, 8)
    await using daemon = await startTestDaemon({ root: folder.path, limit: 256 })
    const clients: RawSocket[] = []
    for (let i = 0; i < 1000; i += 1) {
      const client = await startRequest(daemon, 'GET /api/raw/large.bin')
      client.socket.pause()
      clients.push(client)
    }
    await setTimeout(500)
    for (const client of clients) client[Symbol.dispose]()
    await expect
      .poll(
        async () => await daemon.fetch('api/raw/small.txt').then(async (answer) => await answer.text(), String),
        PATIENCE,
      )
      .toBe('small')
    await expect.poll(() => readdirSync(`/proc/${daemon.pid}/fd`).length, PATIENCE).toBeLessThan(60)
  })
})

describe('SIGTERM under load', () => {
  it('ends the daemon in time, and keeps what came of a resumable upload', { timeout: 60_000 }, async () => {
    await using store = await testStore({ 'small.txt': 'small' })
    await fill(store.root, 64)
    await using started = await startTestDaemon({ data: store.data, root: store.root })
    const credentials = JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD })
    const token = await (await fetch(`${started.url}api/login`, { method: 'POST', body: credentials })).text()
    const daemon = { ...started, token }
    using reader = await startRequest(daemon, 'GET /api/raw/large.bin')
    reader.socket.pause()
    using events = await startRequest(daemon, 'GET /api/events?folder=/')
    const announced = { 'Content-Length': '10000000' }
    using writer = await startRequest(daemon, 'POST /api/resources/new.bin', announced)
    writer.socket.write(Buffer.alloc(3_000_000))
    const begin = { 'X-Auth': token, 'Upload-Length': '10000000' }
    await fetch(`${daemon.url}api/tus/tus.bin`, { method: 'POST', headers: begin })
    using part = await startRequest(daemon, 'PATCH /api/tus/tus.bin', {
      ...announced,
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
    })
    part.socket.write(Buffer.alloc(3_000_000, 'x'))
    const staged = () => readdirSync(store.root).filter((name) => name.endsWith('.fm-tmp'))
    const sizes = () => staged().map((name) => statSync(join(store.root, name)).size > 1_000_000)
    await expect.poll(sizes, PATIENCE).toEqual([true, true])
    const asked = performance.now()
    expect((await daemon.stop()).code).toBe(0)
    expect(performance.now() - asked).toBeLessThan(15_000)
    expect(events.said()).toContain('"state":"stopping"')
    // The plain upload is gone without a trace, the other one can go on.
    expect(staged()).toHaveLength(1)
    expect(readFileSync(join(store.root, staged()[0] ?? '')).every((byte) => byte === 0x78)).toBe(true)
  })

  it('is not waited for when it comes a second time', { timeout: 60_000 }, async () => {
    await using folder = await tempFolder()
    await fill(folder.path, 64)
    await using daemon = await startTestDaemon({ root: folder.path })
    using reader = await startRequest(daemon, 'GET /api/raw/large.bin')
    reader.socket.pause()
    process.kill(daemon.pid, 'SIGTERM')
    await expect
      .poll(
        async () =>
          await fetch(daemon.url).then(
            () => 'up',
            () => 'down',
          ),
        PATIENCE,
      )
      .toBe('down')
    const asked = performance.now()
    await daemon.stop()
    expect(performance.now() - asked).toBeLessThan(2000)
  })
})
