import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { parse } from 'yaml'
import { describe, expect, it } from 'vitest'
import type { SessionUser } from '../../ui/src/api/token.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { freePort } from '../helpers/free-port.ts'
import { nginxWith } from '../helpers/nginx.ts'
import { type TempFolder, tempFolder } from '../helpers/temp-folder.ts'

const DEPLOY = join(import.meta.dirname, '../../docs/deploy/sign-in')
const HOST = 'files.example.org'

interface Addresses {
  readonly daemon: string
  readonly portal: string
  readonly port: number
}

interface Recipe {
  readonly header: string
  /** Where a page leads that nobody has signed in for. */
  readonly signIn: string
  /** @returns the arguments of the proxy, with the configuration that we ship, at other addresses */
  line(folder: TempFolder, addresses: Addresses): Promise<string[]>
}

const RECIPES: Readonly<Record<'nginx' | 'caddy', Recipe>> = {
  nginx: {
    header: 'X-Auth-Request-Preferred-Username',
    signIn: 'https://provider.example.org/oauth2/start',
    async line(folder, { daemon, portal, port }) {
      const site = (await readFile(join(DEPLOY, 'nginx-oauth2-proxy.conf'), 'utf8'))
        .replace('listen 80;', `listen 127.0.0.1:${port};`)
        .replaceAll('127.0.0.1:8080', daemon)
        .replaceAll('127.0.0.1:4180', portal)
      return await nginxWith(folder, site)
    },
  },
  caddy: {
    header: 'Remote-User',
    signIn: 'https://provider.example.org/api/authz/forward-auth',
    async line(folder, { daemon, portal, port }) {
      const site = (await readFile(join(DEPLOY, 'Caddyfile-authelia'), 'utf8'))
        .replace(`${HOST} {`, `http://${HOST}:${port} {`)
        .replaceAll('127.0.0.1:8080', daemon)
        .replaceAll('127.0.0.1:9091', portal)
      await folder.fill({ Caddyfile: `{\n\tadmin off\n\tauto_https off\n\tgrace_period 1s\n}\n${site}` })
      return ['run', '--config', folder.at('Caddyfile'), '--adapter', 'caddyfile']
    },
  },
}

/** In place of the portal: the cookie "who" is the name of whoever has signed in, and "nameless" has none. */
async function startPortal(header: string): Promise<AsyncDisposable & { readonly host: string }> {
  const server = createServer((asked, reply) => {
    const who = /who=([^;]*)/.exec(asked.headers.cookie ?? '')?.[1]
    const path = (asked.url ?? '').split('?')[0] ?? ''
    if (who !== undefined) reply.writeHead(200, who === 'nameless' ? {} : { [header]: who })
    // oauth2-proxy answers 401, and nginx asks for the redirect; Authelia redirects whom it takes for a browser.
    else if (path === '/oauth2/auth' || asked.headers.accept !== 'text/html') reply.writeHead(401)
    else reply.writeHead(302, { location: `https://provider.example.org${path}` })
    reply.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

interface Reply {
  readonly status: number | undefined
  readonly location: string | undefined
  readonly body: string
}

async function world(name: 'nginx' | 'caddy') {
  const { header, line } = RECIPES[name]
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await tempFolder())
  const portal = stack.use(await startPortal(header))
  const data = folder.at('data')
  const daemon = stack.use(
    await startTestDaemon({ data, args: ['--trusted-proxies', '127.0.0.1'], files: { 'docs/a.txt': 'content' } }),
  )
  const { hash } = (await (await daemon.fetch('/api/share/docs', { method: 'POST', body: '{}' })).json()) as {
    hash: string
  }
  await runCli(['--data', data, 'settings', 'set', `auth.header=${header}`, 'auth.method=proxy', 'createUserDir=true'])
  const port = await freePort()
  const addresses = { daemon: new URL(daemon.url).host, portal: portal.host, port }
  const child = spawn(name, await line(folder, addresses), {
    env: { PATH: process.env['PATH'], HOME: folder.path },
    stdio: 'ignore',
  })
  const ended = once(child, 'close')
  stack.defer(async () => {
    child.kill('SIGTERM')
    await ended
  })
  const ask = async (method: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> => {
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { Host: `${HOST}:${port}`, ...headers },
    }).end()
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: reply.statusCode, location: reply.headers.location, body: await text(reply) }
  }
  await expect.poll(async () => (await ask('GET', `/share/${hash}`).catch(() => undefined))?.status).toBe(200)
  const moved = stack.move()
  return { ask, hash, header, [Symbol.asyncDispose]: async () => await moved.disposeAsync() }
}

/** The user of the token in the reply to a sign-in. */
function userOf({ status, body }: Reply): string | undefined {
  if (status !== 200) return undefined
  const { user } = JSON.parse(Buffer.from(body.split('.')[1] ?? '', 'base64url').toString()) as { user: SessionUser }
  return user.username
}

describe.each(['nginx', 'caddy'] as const)('sign-in by a portal behind %s, with our configuration', (name) => {
  it('leads to the portal, and then signs in whom the portal names', async () => {
    await using site = await world(name)
    const page = await site.ask('GET', '/files/?a=1', { Accept: 'text/html' })
    expect([page.status, page.location]).toEqual([302, RECIPES[name].signIn])
    expect((await site.ask('GET', '/files/', { Cookie: 'who=ann', Accept: 'text/html' })).body).toContain(
      '<!doctype html>',
    )
    const reply = await site.ask('POST', '/api/login', { Cookie: 'who=ann' })
    expect(userOf(reply)).toBe('ann')
    const headers = { 'X-Auth': reply.body }
    expect((await site.ask('GET', '/api/resources/', { ...headers, Cookie: 'who=ann' })).status).toBe(200)
    expect((await site.ask('GET', '/api/resources/', { ...headers, Cookie: 'who=eve' })).status).toBe(401)
    // The page learns that it must sign in again, and is not led to another site.
    expect((await site.ask('GET', '/api/resources/', headers)).status).toBe(401)
  })

  it('lets nobody choose the name', async () => {
    await using site = await world(name)
    const forged = { [site.header]: 'admin' }
    expect((await site.ask('POST', '/api/login', forged)).status).toBe(401)
    expect(userOf(await site.ask('POST', '/api/login', { ...forged, Cookie: 'who=ann' }))).toBe('ann')
    const nameless = await site.ask('POST', '/api/login', { ...forged, Cookie: 'who=nameless' })
    expect([userOf(nameless), nameless.status]).toEqual([undefined, 403])
    const spelled = { [site.header.replaceAll('-', '_')]: 'admin', [site.header.toUpperCase()]: 'admin' }
    expect((await site.ask('POST', '/api/login', { ...spelled, Cookie: 'who=nameless' })).status).toBe(403)
    const detours = ['/share/../api/login', '/share/%2e%2e/api/login', '/static/..%2fapi/login', '/api/public/../login']
    for (const path of [...detours, '/share//../../api/login', '/static/%2e%2e%2fapi/login'])
      expect([path, userOf(await site.ask('POST', path, forged))]).toEqual([path, undefined])
  })

  it('leaves public links public, with all that their page loads', async () => {
    await using site = await world(name)
    const page = await site.ask('GET', `/share/${site.hash}`)
    const parts = [...page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = '']) => path)
    expect(parts.length).toBeGreaterThan(3)
    for (const path of parts) expect([path, (await site.ask('GET', path)).status]).toEqual([path, 200])
    expect((await site.ask('GET', `/api/public/share/${site.hash}`)).status).toBe(200)
    expect((await site.ask('GET', `/api/public/dl/${site.hash}/a.txt`)).body).toBe('content')
  })
})

it('our configuration of Traefik sets the name on each way to filemgr', async () => {
  interface Traefik {
    readonly http: {
      readonly routers: Readonly<Record<string, { service: string; middlewares?: string[] }>>
      readonly middlewares: {
        readonly authentik: { readonly forwardAuth: { readonly authResponseHeaders: string[] } }
        readonly 'no-user': { readonly headers: { readonly customRequestHeaders: Readonly<Record<string, string>> } }
      }
      readonly services: object
    }
  }
  const { http } = parse(await readFile(join(DEPLOY, 'traefik-authentik.yaml'), 'utf8')) as Traefik
  const { authentik, 'no-user': noUser } = http.middlewares
  expect(noUser.headers.customRequestHeaders).toEqual({ 'X-authentik-username': '' })
  expect(authentik.forwardAuth.authResponseHeaders).toEqual(['X-authentik-username'])
  for (const { service, middlewares = [] } of Object.values(http.routers)) {
    expect(Object.keys(http.services)).toContain(service)
    if (service !== 'filemgr') continue
    expect(middlewares).toHaveLength(1)
    expect(Object.keys(http.middlewares)).toContain(middlewares[0])
  }
})
