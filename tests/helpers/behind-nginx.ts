import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { askAt } from './api/ask-exactly.ts'
import { type Ask, type Client, clientWith } from './api/test-app.ts'
import { startTestServer, type TestServer } from './browser/test-server.ts'
import { makeCertificates, type TestCertificates } from './certificates.ts'
import { listening } from './cluster/listening.ts'
import { freePort } from './free-port.ts'
import { nginxWith } from './nginx.ts'
import { tempFolder } from './temp-folder.ts'

const CONFIGURATION = join(import.meta.dirname, '../../docs/deploy/nginx.conf')

const BASES = ['', '/fb'] as const

/** How a daemon knows the address that people see. */
const WAYS = ['the proxy passes it on', '--public-url says it'] as const

/** Where people reach a daemon. */
export interface Place {
  readonly way: (typeof WAYS)[number]
  readonly base: (typeof BASES)[number]
}

export const PLACES: readonly Place[] = WAYS.flatMap((way) => BASES.map((base) => ({ way, base })))

export interface Site extends Place {
  /** Without the base. */
  readonly origin: string
  /** With the base, without a slash at its end. */
  readonly address: string
  /** Whether the daemon knows that this browser uses https. */
  readonly isSecure: boolean
  readonly server: TestServer
  /** Asks nginx; paths have no base. */
  readonly ask: Ask
  readonly admin: Client
}

/**
 * Addresses with https at one nginx, each with its own daemon, and the configuration that we ship: on one port with it, on
 * another one without the headers that say what people see.
 */
export async function sitesBehindNginx(
  args: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<Sites> {
  await using held = new AsyncDisposableStack()
  const folder = held.use(await tempFolder())
  const certificates = await makeCertificates(folder)
  const ca = await readFile(certificates.ca)
  const ports = { [WAYS[0]]: await freePort(), [WAYS[1]]: await freePort() } as const
  const sites: Site[] = []
  for (const { way, base } of PLACES) {
    const origin = `https://localhost:${ports[way]}`
    const address = origin + base
    const told = way === WAYS[0] ? ['--trusted-proxies', '127.0.0.1'] : ['--public-url', address]
    const server = held.use(await startTestServer({ files, args: [...args, '--base-url', base, ...told] }))
    const at = askAt(origin, ca)
    const ask: Ask = async (method, path, extras) => await at(method, base + path, extras)
    sites.push({
      way,
      base,
      origin,
      address,
      isSecure: way === WAYS[0],
      server,
      ask,
      admin: clientWith(ask, server.token),
    })
  }
  const shipped = await readFile(CONFIGURATION, 'utf8')
  const blocks = WAYS.map((way) =>
    serverBlock(
      shipped,
      ports[way],
      certificates,
      sites.filter((site) => site.way === way),
    ),
  )
  const map = shipped.slice(0, shipped.indexOf('server {'))
  const child = spawn('nginx', await nginxWith(folder, map + blocks.join('\n')), {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'close')
  held.defer(async () => {
    child.kill('SIGTERM')
    await ended
  })
  await Promise.all(Object.values(ports).map(listening))
  const all = held.move()
  return {
    at: (place) => {
      const site = sites[PLACES.indexOf(place)]
      if (site === undefined) throw new Error('there is no such site')
      return site
    },
    all: sites,
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

export interface Sites extends AsyncDisposable {
  readonly all: readonly Site[]
  at(place: Place): Site
}

function serverBlock(shipped: string, port: number, { cert, key }: TestCertificates, sites: readonly Site[]): string {
  const block = shipped
    .slice(shipped.indexOf('server {'))
    .replace('listen 80;', `listen 127.0.0.1:${port} ssl; ssl_certificate ${cert}; ssl_certificate_key ${key};`)
    .replace(/ {2}location \/ \{[^}]*\}/, (location) =>
      sites
        .map(({ base, server }) =>
          location.replace('location /', `location ${base || '/'}`).replace('127.0.0.1:8080', new URL(server.url).host),
        )
        .join('\n'),
    )
  const isSilent = sites.some(({ way }) => way === WAYS[1])
  return isSilent ? block.replaceAll(/proxy_set_header (Host|X-Forwarded-\w+|Forwarded) .*/g, '') : block
}
