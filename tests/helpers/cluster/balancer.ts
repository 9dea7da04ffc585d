import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { nginxWith } from '../nginx.ts'
import { tempFolder } from '../temp-folder.ts'
import { listening } from './listening.ts'

const CONFIGURATION = join(import.meta.dirname, '../../../config/deploy/cluster/nginx.conf')

/** nginx with the configuration that we ship, of which only the addresses are changed. */
export interface Balancer extends AsyncDisposable {
  /** Ends with a slash. */
  readonly url: string
}

/** @param daemons their URLs: as many as the configuration names */
export async function startBalancer(daemons: readonly string[]): Promise<Balancer> {
  await using held = new AsyncDisposableStack()
  const folder = held.use(await tempFolder())
  const port = await freePort()
  const hosts = daemons.map((url) => new URL(url).host)
  const site = (await readFile(CONFIGURATION, 'utf8'))
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replaceAll(/filemgr-\d+:8080/g, () => hosts.shift() ?? 'missing:1')
  const child = spawn('nginx', await nginxWith(folder, site), { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'close')
  held.defer(async () => {
    child.kill('SIGTERM')
    await ended
  })
  await Promise.race([listening(port), ended.then(() => Promise.reject(new Error('nginx ended')))])
  const all = held.move()
  return { url: `http://127.0.0.1:${port}/`, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}
