import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { RawSocket } from '../helpers/api/raw-socket.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { ADMIN_PASSWORD, testStore } from '../helpers/cli/test-store.ts'
import { bytesOf, startRequest } from '../load/load-clients.ts'

async function fill(folder: string, mebibytes: number): Promise<void> {
  await writeFile(join(folder, 'large.bin'), bytesOf(mebibytes))
}

describe('a daemon that may open 256 files', () => {
  it('survives a thousand clients, and recovers at once', async () => {
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
      .poll(async () => await daemon.fetch('api/raw/small.txt').then(async (answer) => await answer.text(), String))
      .toBe('small')
    await expect.poll(() => readdirSync(`/proc/${daemon.pid}/fd`).length).toBeLessThan(60)
  })
})

describe('three hundred clients of a daemon that may open 256 files', () => {
  it('get an answer: none is reset, and a refusal says when to try again', async () => {
    await using folder = await tempFolder({ 'small.txt': 'small' })
    await using daemon = await startTestDaemon({ root: folder.path, limit: 256 })
    for (let round = 0; round < 3; round += 1) {
      const clients = await Promise.all(Array.from({ length: 300 }, async (_, n) => await askedOnce(daemon, n)))
      const refused = clients.filter((answer) => !answer.startsWith('HTTP/1.1 200'))
      expect(refused.filter((answer) => !/^HTTP\/1\.1 503 .*\r\nRetry-After: \d/is.test(answer))).toEqual([])
      expect(refused.length).toBeLessThan(300)
      expect((await daemon.fetch('api/raw/small.txt')).status).toBe(200)
    }
  })
})

/** The answer on a connection of its own to a download, a listing or an upload. */
async function askedOnce({ url, token }: TestDaemon, n: number): Promise<string> {
  const body = 'x'.repeat(20_000)
  const lines = ['GET /api/raw/small.txt', 'GET /api/resources/', `POST /api/resources/new${n}?override=true`]
  const isUpload = n % lines.length === 2
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (part) => (answer += part.toString('latin1'))).on('error', ({ message }) => (answer += message))
  const head = [`${lines[n % lines.length]} HTTP/1.1`, 'Host: localhost', `X-Auth: ${token}`, 'Connection: close']
  if (isUpload) head.push(`Content-Length: ${body.length}`)
  // As any client sends it: with the connection.
  socket.write([...head, '', isUpload ? body : ''].join('\r\n'))
  await once(socket, 'close')
  return answer
}

describe('SIGTERM under load', () => {
  it('ends the daemon in time, and keeps the received bytes of a resumable upload', async () => {
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
    await expect.poll(sizes).toEqual([true, true])
    const began = performance.now()
    expect((await daemon.stop()).code).toBe(0)
    expect(performance.now() - began).toBeLessThan(15_000)
    expect(events.received()).toContain('"state":"stopping"')
    // The plain upload leaves nothing behind, the resumable one can go on.
    expect(staged()).toHaveLength(1)
    expect(readFileSync(join(store.root, staged()[0] ?? '')).every((byte) => byte === 0x78)).toBe(true)
  })

  it('ends the daemon at once when it comes a second time', async () => {
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
      )
      .toBe('down')
    const began = performance.now()
    await daemon.stop()
    expect(performance.now() - began).toBeLessThan(2000)
  })
})
