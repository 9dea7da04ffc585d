import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { RawSocket } from '../helpers/api/raw-socket.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { isLong } from '../helpers/stress-size.ts'
import { allowed, bytesOf, idleProbes, memoryOf, percentile, probedDuring, startRequest } from './load-clients.ts'

const SLOW_CLIENTS = 500
const SLOW_FOR = isLong ? 300_000 : 5000
/** In milliseconds. It is generous, as the probes share the processors with all the clients. */
const PROBE_P95 = 200

describe('500 readers and 500 writers of a kibibyte a second', () => {
  it('do not slow others, and cost little memory', { timeout: SLOW_FOR + 120_000 }, async () => {
    await using folder = await tempFolder({ 'small.txt': 'small' })
    await writeFile(join(folder.path, 'large.bin'), bytesOf(64))
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
    const now = await memoryOf(daemon.pid)
    console.info(`slow clients: p95 ${percentile(times, 0.95).toFixed(1)} ms, ${now.toFixed(0)} MiB`)
    expect(percentile(times, 0.95)).toBeLessThan(allowed(PROBE_P95, idle))
    expect(now).toBeLessThan(400)
    for (const socket of sockets) socket[Symbol.dispose]()
    await expect.poll(async () => (await readdir(folder.path)).filter((name) => name.endsWith('.fm-tmp'))).toEqual([])
  })
})
