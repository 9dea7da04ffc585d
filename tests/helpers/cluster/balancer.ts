import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { nginxWith } from '../nginx.ts'
import { type TempFolder, tempFolder } from '../temp-folder.ts'
import { listening } from './listening.ts'

const DEPLOY = join(import.meta.dirname, '../../../docs/deploy/cluster')

/** How a balancer is started with the configuration that we ship, of which only the addresses are changed. */
const BALANCERS = {
  nginx: {
    file: 'nginx.conf',
    line: async (folder: TempFolder, site: string, port: number) =>
      await nginxWith(folder, site.replace('listen 80;', `listen 127.0.0.1:${port};`)),
  },
  haproxy: {
    file: 'haproxy.cfg',
    async line(folder: TempFolder, site: string, port: number) {
      await folder.fill({ 'haproxy.cfg': site.replace('bind :80', `bind 127.0.0.1:${port}`) })
      return ['-db', '-q', '-f', folder.at('haproxy.cfg')]
    },
  },
  caddy: {
    file: 'Caddyfile',
    async line(folder: TempFolder, site: string, port: number) {
      const own = '{\n\tadmin off\n\tauto_https off\n\tgrace_period 1s\n}\n'
      await folder.fill({ Caddyfile: own + site.replace(':80 {', `http://127.0.0.1:${port} {`) })
      return ['run', '--config', folder.at('Caddyfile'), '--adapter', 'caddyfile']
    },
  },
} as const

export type BalancerName = keyof typeof BALANCERS

export interface Balancer extends AsyncDisposable {
  /** Ends with a slash. */
  readonly url: string
}

/** @param daemons their URLs: as many as the configuration names */
export async function startBalancer(daemons: readonly string[], name: BalancerName = 'nginx'): Promise<Balancer> {
  await using held = new AsyncDisposableStack()
  const folder = held.use(await tempFolder())
  const port = await freePort()
  const hosts = daemons.map((url) => new URL(url).host)
  const { file, line } = BALANCERS[name]
  const site = (await readFile(join(DEPLOY, file), 'utf8')).replaceAll(
    /filemgr-(\d+):8080/g,
    (_, number) => hosts[Number(number) - 1] ?? 'missing:1',
  )
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder.path }
  const output = name === 'caddy' ? 'ignore' : 'inherit'
  const child = spawn(name, await line(folder, site, port), { stdio: ['ignore', 'ignore', output], env })
  const ended = once(child, 'close')
  held.defer(async () => {
    child.kill('SIGTERM')
    await ended
  })
  await Promise.race([listening(port), ended.then(() => Promise.reject(new Error(`${name} ended`)))])
  const all = held.move()
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}
