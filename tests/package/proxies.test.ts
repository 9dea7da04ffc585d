import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type IncomingMessage, request, type RequestOptions } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { runCliJson } from '../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { type TempFolder, tempFolder } from '../helpers/temp-folder.ts'
import { freePort } from '../helpers/free-port.ts'
import { apacheWith } from '../helpers/apache.ts'
import { nginxWith } from '../helpers/nginx.ts'

const DEPLOY = join(import.meta.dirname, '../../docs/deploy')
const HOST = 'files.example.org'
/** More than nginx accepts by default. */
const CONTENT = randomBytes(5 * 1024 * 1024)

/** How a proxy is started with the configuration that we ship; only the addresses and its own folders are changed. */
const PROXIES = {
  async nginx(folder: TempFolder, { daemon, port }: Addresses) {
    const site = (await readFile(join(DEPLOY, 'nginx.conf'), 'utf8'))
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace('127.0.0.1:8080', daemon)
    return await nginxWith(folder, site)
  },
  async caddy(folder: TempFolder, { daemon, port }: Addresses) {
    const site = (await readFile(join(DEPLOY, 'Caddyfile'), 'utf8'))
      .replace(`${HOST} {`, `http://${HOST}:${port} {`)
      .replace('127.0.0.1:8080', daemon)
    await folder.fill({ Caddyfile: `{\n\tadmin off\n\tauto_https off\n\tgrace_period 1s\n}\n${site}` })
    return ['run', '--config', folder.at('Caddyfile'), '--adapter', 'caddyfile']
  },
  async haproxy(folder: TempFolder, { daemon, port }: Addresses) {
    const site = (await readFile(join(DEPLOY, 'haproxy.cfg'), 'utf8'))
      .replace('bind :80', `bind 127.0.0.1:${port}`)
      .replace('127.0.0.1:8080', daemon)
    await folder.fill({ 'haproxy.cfg': site })
    return ['-db', '-q', '-f', folder.at('haproxy.cfg')]
  },
  async apache2(folder: TempFolder, { daemon, port }: Addresses) {
    const site = (await readFile(join(DEPLOY, 'apache.conf'), 'utf8'))
      .replace('*:80', `127.0.0.1:${port}`)
      .replace('127.0.0.1:8080', daemon)
    return await apacheWith(folder, port, site)
  },
}

interface Addresses {
  readonly daemon: string
  readonly port: number
}

describe.each(['nginx', 'caddy', 'haproxy', 'apache2'] as const)('behind %s with our configuration', (name) => {
  it.each(['', '/fb'])('everything works with the base URL "%s"', async (base) => {
    await using folder = await tempFolder()
    const log = folder.at('log')
    const flags = ['--trusted-proxies', '127.0.0.1', '--enable-exec', '--base-url', base, '--log', log]
    const data = folder.at('data')
    await using daemon = await startTestDaemon({ data, args: flags, files: { 'docs/a.txt': 'a' } })
    const port = await freePort()
    await using _proxy = await startProxy(name, folder, { daemon: new URL(daemon.url).host, port })
    const ask = asker(port, base)
    await expect.poll(async () => (await ask('GET', '/health')).status).toBe(200)

    const headers = { 'X-Auth': daemon.token }
    const wrong = { headers: { 'X-Forwarded-For': '203.0.113.9' }, body: '{"username":"admin","password":"wrong"}' }
    expect(await ask('POST', '/api/login', wrong)).toMatchObject({ status: 403 })
    await expect.poll(async () => await readFile(log, 'utf8')).toContain('/api/login: 403 127.0.0.2 <nil>')

    expect((await ask('GET', '/')).body.toString()).toContain('<!doctype html>')
    expect(await ask('POST', '/api/resources/a.bin', { headers, body: CONTENT })).toMatchObject({ status: 200 })
    const created = await ask('POST', '/api/tus/b.bin', { headers: { ...headers, 'Upload-Length': CONTENT.length } })
    expect(created).toMatchObject({ status: 201, headers: { location: `${base}/api/tus/b.bin` } })
    const patch = { ...headers, 'Upload-Offset': 0, 'Content-Type': 'application/offset+octet-stream' }
    expect(await ask('PATCH', '/api/tus/b.bin', { headers: patch, body: CONTENT })).toMatchObject({ status: 204 })
    for (const file of ['a.bin', 'b.bin']) {
      const part = await ask('GET', `/api/raw/${file}`, { headers: { ...headers, Range: 'bytes=1000-4999999' } })
      expect(part.status).toBe(206)
      expect(part.body.equals(CONTENT.subarray(1000, 5_000_000))).toBe(true)
    }

    const events = await ask.open('GET', '/api/events?folder=/docs', headers)
    expect(String((await once(events, 'data'))[0])).toContain('retry:')
    events.destroy()
    expect(await ask.upgrade('/api/command/docs', headers)).toBe(101)

    await ask('POST', '/api/share/docs', { headers, body: '{}' })
    const [link] = await runCliJson<{ url: string }[]>(['--data', data, 'shares', 'ls'])
    expect(link?.url).toMatch(new RegExp(`^http://${HOST}:${port}${base}/share/`))
    expect(await ask('GET', new URL(link?.url ?? '').pathname.slice(base.length))).toMatchObject({ status: 200 })
  })
})

async function startProxy(
  name: keyof typeof PROXIES,
  folder: TempFolder,
  addresses: Addresses,
): Promise<AsyncDisposable> {
  const line = await PROXIES[name](folder, addresses)
  const child = spawn(name, line, { env: { PATH: process.env['PATH'], HOME: folder.path }, stdio: 'ignore' })
  const ended = once(child, 'close')
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

interface Reply {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** A client with its own address, which requests the proxy by its host name. */
function asker(port: number, base: string) {
  const options = (method: string, path: string, headers = {}): RequestOptions => ({
    host: '127.0.0.1',
    port,
    localAddress: '127.0.0.2',
    method,
    path: base + path,
    headers: { Host: `${HOST}:${port}`, ...headers },
  })
  const send = async (wanted: RequestOptions, body?: string | Buffer) => {
    const sent = request(wanted).end(body)
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    return reply
  }
  const ask = async (method: string, path: string, { headers = {}, body }: Asked = {}): Promise<Reply> => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
    const reply = await send(options(method, path, { ...length, ...headers }), body).catch(() => undefined)
    if (reply === undefined) return { status: undefined, headers: {}, body: Buffer.of() }
    return { status: reply.statusCode, headers: reply.headers, body: await buffer(reply) }
  }
  return Object.assign(ask, {
    open: async (method: string, path: string, headers: object) => await send(options(method, path, headers)),
    async upgrade(path: string, headers: object): Promise<number | undefined> {
      const key = { 'Sec-WebSocket-Version': 13, 'Sec-WebSocket-Key': randomBytes(16).toString('base64') }
      const asked = { Connection: 'Upgrade', Upgrade: 'websocket', Origin: `http://${HOST}:${port}`, ...key }
      const sent = request(options('GET', path, { ...headers, ...asked })).end()
      const [reply, socket] = (await Promise.race([once(sent, 'upgrade'), once(sent, 'response')])) as [
        IncomingMessage,
        { destroy(): void } | undefined,
      ]
      socket?.destroy()
      return reply.statusCode
    },
  })
}

interface Asked {
  readonly headers?: object
  readonly body?: string | Buffer
}
