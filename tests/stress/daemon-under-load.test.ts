import { readdirSync, readFileSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { RawSocket } from '../helpers/api/raw-socket.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { ADMIN_PASSWORD, testStore } from '../helpers/cli/test-store.ts'
import { bytesOf, startRequest } from '../load/load-clients.ts'

const PATIENCE = { timeout: 30_000 }

async function fill(folder: string, mebibytes: number): Promise<void> {
  await writeFile(join(folder, 'large.bin'), bytesOf(mebibytes))
}

describe('a daemon that may open 256 files', () => {
  it('survives a thousand clients, and recovers at once', { timeout: 120_000 }, async () => {
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
  it('ends the daemon in time, and keeps the received bytes of a resumable upload', { timeout: 60_000 }, async () => {
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
    const began = performance.now()
    expect((await daemon.stop()).code).toBe(0)
    expect(performance.now() - began).toBeLessThan(15_000)
    expect(events.received()).toContain('"state":"stopping"')
    // The plain upload leaves nothing behind, the resumable one can go on.
    expect(staged()).toHaveLength(1)
    expect(readFileSync(join(store.root, staged()[0] ?? '')).every((byte) => byte === 0x78)).toBe(true)
  })

  it('ends the daemon at once when it comes a second time', { timeout: 60_000 }, async () => {
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
    const began = performance.now()
    await daemon.stop()
    expect(performance.now() - began).toBeLessThan(2000)
  })
})
