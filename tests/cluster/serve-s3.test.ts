import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runCli } from '../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { startS3Proxy } from '../helpers/cluster/s3-proxy.ts'
import { type S3Server, startS3Server } from '../helpers/cluster/s3-server.ts'
import { zipFile } from '../helpers/samples/zip-file.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

let server: S3Server

beforeAll(async () => {
  server = await startS3Server()
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

const rootOf = (name: string) => `s3://${server.bucket}/${name}`

it('serves a bucket like a folder', async () => {
  await using daemon = await startTestDaemon({ root: rootOf('like-a-folder'), env: server.env })
  const ask = async (method: string, address: string, body?: string) => {
    const reply = await daemon.fetch(address, { method, ...(body !== undefined && { body }) })
    return { status: reply.status, text: await reply.text(), headers: reply.headers }
  }
  expect((await ask('POST', 'api/resources/docs/', '')).status).toBe(200)
  expect((await ask('POST', 'api/resources/docs/a%20b.txt', 'hello')).status).toBe(200)
  expect(JSON.parse((await ask('GET', 'api/resources/docs/')).text)).toMatchObject({
    items: [{ name: 'a b.txt', size: 5, type: 'text' }],
  })
  const whole = await ask('GET', 'api/raw/docs/a%20b.txt')
  expect(whole).toMatchObject({ status: 200, text: 'hello' })
  const etag = String(whole.headers.get('etag'))
  const ranged = await daemon.fetch('api/raw/docs/a%20b.txt', { headers: { range: 'bytes=1-2', 'if-range': etag } })
  expect([ranged.status, await ranged.text()]).toEqual([206, 'el'])
  const stale = await daemon.fetch('api/resources/docs/a%20b.txt', {
    method: 'PUT',
    body: 'newer',
    headers: { 'if-match': '"another"' },
  })
  expect(stale.status).toBe(412)
  const renamed = '?action=rename&destination=%2Fpapers'
  expect((await ask('PATCH', `api/resources/docs${renamed}`)).status).toBe(200)
  expect((await ask('DELETE', 'api/resources/papers/a%20b.txt?trash=true')).status).toBe(204)
  const [trashed] = JSON.parse((await ask('GET', 'api/trash')).text) as { id: string; path: string }[]
  expect(trashed).toMatchObject({ path: '/papers/a b.txt' })
  expect((await ask('POST', `api/trash/${trashed?.id}`)).status).toBe(200)
  expect((await ask('GET', 'api/search/?query=a%20b')).text).toContain('papers/a b.txt')
  const { hash } = JSON.parse((await ask('POST', 'api/share/papers', '{}')).text) as { hash: string }
  expect((await fetch(new URL(`api/public/dl/${hash}/a%20b.txt`, daemon.url))).status).toBe(200)
  expect((await ask('GET', 'health/ready')).status).toBe(200)
})

it('lists, extracts and creates archives in a bucket', async () => {
  await using daemon = await startTestDaemon({ root: rootOf('archives'), env: server.env })
  const post = async (address: string, body: Buffer | object) => {
    const isFile = Buffer.isBuffer(body)
    const reply = await daemon.fetch(address, {
      method: 'POST',
      body: isFile ? new Uint8Array(body) : JSON.stringify(body),
      headers: isFile ? {} : { 'content-type': 'application/json', accept: 'application/json' },
    })
    expect(reply.status, address).toBe(200)
    return reply
  }
  const text = async (address: string) => await (await daemon.fetch(address)).text()
  const noise = randomBytes(300_000)
  const zip = zipFile([
    { name: 'docs/a.txt', content: 'alpha' },
    { name: 'noise.bin', content: noise },
    { name: '../up', content: 'left out' },
  ])
  await post('api/resources/in/a.zip', zip)
  const inside = JSON.parse(await text('api/archives/in/a.zip')) as { items: { name: string }[] }
  expect(inside.items.map(({ name }) => name)).toEqual(['docs', 'noise.bin'])
  expect(await text('api/archived/in/a.zip?inside=%2Fdocs%2Fa.txt')).toBe('alpha')
  await post('api/extract/in/a.zip', { destination: '/in' })
  expect(Buffer.from(await (await daemon.fetch('api/raw/in/a/noise.bin')).arrayBuffer()).equals(noise)).toBe(true)
  await post('api/compress/in', { names: ['a'], destination: '/in/b.tar.gz' })
  expect(await text('api/archived/in/b.tar.gz?inside=%2Fa%2Fdocs%2Fa.txt')).toBe('alpha')
  expect(JSON.parse(await text('api/resources/in/'))).toMatchObject({ numDirs: 1, numFiles: 2 })
})

it('resumes an upload after the daemon was killed, without losing acknowledged bytes', async () => {
  await using data = await tempFolder()
  const body = randomBytes(30_000_000)
  const acknowledged = 11_000_000
  const options = { root: rootOf('killed'), data: data.path, env: server.env }
  const ask = async (url: string, token: string, method: string, more: Record<string, string> = {}, part?: Buffer) =>
    await fetch(new URL('api/tus/large.bin', url), {
      method,
      headers: { 'x-auth': token, 'content-type': 'application/offset+octet-stream', ...more },
      ...(part !== undefined && { body: new Uint8Array(part) }),
    })
  const send = async (url: string, token: string, start: number, end: number) =>
    await ask(url, token, 'PATCH', { 'upload-offset': String(start) }, body.subarray(start, end))
  const offsetOf = ({ headers }: Response) => Number(headers.get('upload-offset'))
  const killed = await startTestDaemon(options)
  const { token } = killed
  await ask(killed.url, token, 'POST', { 'upload-length': String(body.length) })
  expect(offsetOf(await send(killed.url, token, 0, acknowledged))).toBe(acknowledged)
  void send(killed.url, token, acknowledged, 21_000_000).catch(() => undefined)
  await killed.stop('SIGKILL')
  await killed[Symbol.asyncDispose]()
  await using daemon = await startTestDaemon(options)
  const offset = offsetOf(await ask(daemon.url, token, 'HEAD'))
  expect(offset).toBeGreaterThanOrEqual(acknowledged)
  expect(offsetOf(await send(daemon.url, token, offset, body.length))).toBe(body.length)
  const raw = await fetch(new URL('api/raw/large.bin', daemon.url), { headers: { 'x-auth': token } })
  expect(Buffer.from(await raw.arrayBuffer()).equals(body)).toBe(true)
})

it('refuses to start with a bucket that cannot be served, with one line and an exit code', async () => {
  const start = async (root: string, env: Record<string, string> = {}, ...args: string[]) => {
    const flags = ['serve', root, '--ephemeral', '--port', '0', ...args]
    const { code, stderr } = await runCli(flags, { env: { ...server.env, ...env } })
    expect(stderr).not.toContain('test-secret')
    return { code, lines: stderr.trimEnd().split('\n') }
  }
  expect(await start(`s3://missing/`)).toMatchObject({ code: 3, lines: [expect.stringContaining('does not exist')] })
  const away = await start(rootOf('a'), { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' })
  expect(away).toMatchObject({ code: 3, lines: [expect.stringContaining('does not answer')] })
  expect(await start('s3://key:secret@files')).toMatchObject({ code: 2 })
  const withPrograms = await start(rootOf('a'), {}, '--enable-exec')
  expect(withPrograms).toMatchObject({ code: 2, lines: [expect.stringContaining('--enable-exec')] })
})

it('answers 503 with Retry-After while the S3 server is unreachable', async () => {
  await using daemon = await startTestDaemon({ root: rootOf('away'), env: server.env })
  await server.stop()
  const away = await daemon.fetch('api/resources/')
  expect([away.status, away.headers.get('retry-after')]).toEqual([503, '5'])
  expect((await daemon.fetch('health/ready')).status).toBe(503)
  await server.start()
  expect((await daemon.fetch('api/resources/')).status).toBe(200)
})

it('reports which conditions the bucket honours, found out once and without a trace', async () => {
  await using proxy = await startS3Proxy(server)
  await using data = await tempFolder()
  await using daemon = await startTestDaemon({ root: rootOf('conditions'), data: data.path, env: proxy.env })
  const conditions = { put: true, complete: true, copy: false, remove: true, removeMany: false }
  const ask = async (...args: string[]) => (await runCli([...args, '--data', data.path], { env: proxy.env })).stdout
  expect(JSON.parse(await ask('status', '--json'))).toMatchObject({ conditions })
  const missing = 'does not support conditions for copying, deleting several objects'
  expect(await ask('status')).toContain(`the bucket ${missing}\n`)
  expect(await ask('doctor')).toContain(`${rootOf('conditions')} ${missing}`)
  const probes = () => proxy.seen.filter(({ operation }) => operation === 'COPY').length
  expect(probes()).toBe(1)
  expect((await daemon.fetch('api/resources/a', { method: 'POST', body: 'x' })).status).toBe(200)
  expect(probes()).toBe(1)
  expect(readdirSync(join(server.folder, 'conditions'))).toEqual(['a'])
})

it('does not write to find out with --read-only, and takes a failure for no', async () => {
  await using proxy = await startS3Proxy(server)
  await using data = await tempFolder()
  const statusOf = async () => {
    const { stdout } = await runCli(['status', '--json', '--data', data.path], { env: proxy.env })
    return JSON.parse(stdout) as { conditions: unknown }
  }
  const start = async (...args: string[]) =>
    await startTestDaemon({ root: rootOf('read-only'), data: data.path, env: proxy.env, args })
  {
    await using _daemon = await start('--read-only')
    expect((await statusOf()).conditions).toBeNull()
    expect(proxy.seen.filter(({ operation }) => !['LIST', 'OTHER'].includes(operation))).toEqual([])
  }
  proxy.before = ({ operation }, response) => {
    if (operation === 'PUT') response.writeHead(403).end()
  }
  await using _daemon = await start()
  expect((await statusOf()).conditions).toMatchObject({ put: false, remove: false })
})

it('undoes an extraction that a killed daemon was placing, and does it again', async () => {
  await using proxy = await startS3Proxy(server)
  await using data = await tempFolder()
  const options = { root: rootOf('extraction'), data: data.path, env: proxy.env }
  const names = Array.from({ length: 40 }, (_, number) => `${number}.txt`)
  const at = (name: string) => join(server.folder, 'extraction', name)
  const killed = await startTestDaemon(options)
  const headers = { 'x-auth': killed.token }
  const post = async (address: string, body: BodyInit) =>
    await fetch(new URL(address, killed.url), { method: 'POST', body, headers })
  await post('api/resources/to/a/3.txt', 'old')
  const zip = zipFile(names.map((name) => ({ name: `a/${name}`, content: `new ${name}` })))
  expect((await post('api/resources/a.zip', new Uint8Array(zip))).status).toBe(200)
  const { promise: isHalf, resolve } = Promise.withResolvers<void>()
  let placed = 0
  proxy.before = async ({ operation, key }) => {
    if (operation !== 'COPY' || !key.startsWith('extraction/to/')) return
    placed += 1
    if (placed <= 20) return
    resolve()
    await new Promise(() => undefined)
  }
  const request = { destination: '/to', override: true }
  void post('api/extract/a.zip', JSON.stringify(request)).catch(() => undefined)
  await isHalf
  await killed.stop('SIGKILL')
  await killed[Symbol.asyncDispose]()
  expect(readdirSync(at('to/a')).length).toBeLessThan(40)
  expect(readdirSync(at('')).filter((name) => name.endsWith('.fm-tmp'))).toHaveLength(1)
  proxy.before = () => undefined
  await using _daemon = await startTestDaemon(options)
  await vi.waitFor(
    () => {
      expect(readdirSync(at('to/a')).toSorted()).toEqual(names.toSorted())
      expect(readdirSync(at('')).toSorted()).toEqual(['a.zip', 'to'])
    },
    { timeout: 300_000 },
  )
  expect(readdirSync(at('to'))).toEqual(['a'])
  expect(readFileSync(at('to/a/3.txt'), 'utf8')).toBe('new 3.txt')
})

describe('a sick S3 server', () => {
  it('that does not respond leads to 503 in bounded time', async () => {
    await using proxy = await startS3Proxy(server)
    await using daemon = await startTestDaemon({ root: rootOf('hanging'), env: proxy.env })
    await daemon.fetch('api/resources/a.txt', { method: 'POST', body: 'x' })
    proxy.before = async () => await new Promise(() => undefined)
    const replies = await Promise.all([
      daemon.fetch('api/resources/'),
      daemon.fetch('api/raw/a.txt'),
      daemon.fetch('api/resources/a.txt', { method: 'PUT', body: 'y' }),
    ])
    for (const reply of replies) expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5'])
  })

  it('that breaks off in the first bytes leads to 503', async () => {
    await using proxy = await startS3Proxy(server)
    await using daemon = await startTestDaemon({ root: rootOf('broken'), env: proxy.env })
    await daemon.fetch('api/resources/a.txt', { method: 'POST', body: 'content' })
    proxy.before = async ({ operation }, response) => {
      if (operation !== 'GET') return
      const headers = { 'content-length': '7', 'content-range': 'bytes 0-6/7', etag: '"1"' }
      response.writeHead(206, { ...headers, 'last-modified': new Date().toUTCString() }).write('co')
      await new Promise((resolve) => setImmediate(resolve))
      response.destroy()
    }
    for (const address of ['api/raw/a.txt', 'api/resources/a.txt'])
      expect((await daemon.fetch(address)).status, address).toBe(503)
  })
})
