import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startBalancer } from '../helpers/cluster/balancer.ts'
import { freePort } from '../helpers/free-port.ts'
import { apacheWith } from '../helpers/apache.ts'
import { nginxWith } from '../helpers/nginx.ts'
import { type TempFolder, tempFolder } from '../helpers/temp-folder.ts'

const FORGED = {
  'x-forwarded-host': 'evil.example.org',
  'x-forwarded-proto': 'gopher',
  'x-forwarded-for': '192.0.2.7',
  'x-forwarded-port': '1',
  'x-forwarded-prefix': '/evil',
  forwarded: 'host=evil.example.org',
}

async function echoServer() {
  const echo = createServer(({ headers }, response) => response.end(JSON.stringify(headers)))
  const port = await freePort()
  echo.listen(port, '127.0.0.1')
  await once(echo, 'listening')
  return { host: `127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => await echo[Symbol.asyncDispose]() }
}

async function expectOwnHeaders(port: number): Promise<void> {
  const ask = async () => await fetch(`http://127.0.0.1:${port}/`, { headers: FORGED }).catch(() => undefined)
  await expect.poll(async () => (await ask())?.status).toBe(200)
  const received = (await (await ask())?.json()) as Record<string, string>
  expect(Object.entries(received).filter(([header]) => header.includes('forwarded'))).toEqual(
    expect.arrayContaining([
      ['x-forwarded-host', `127.0.0.1:${port}`],
      ['x-forwarded-proto', 'http'],
      ['x-forwarded-for', '127.0.0.1'],
    ]),
  )
  expect(JSON.stringify(received)).not.toMatch(/evil|gopher|192\.0\.2\.7|"x-forwarded-p(ort|refix)"/)
}

const deployed = async (name: string, host: string) =>
  (await readFile(join(import.meta.dirname, '../../docs/deploy', name), 'utf8')).replaceAll('127.0.0.1:8080', host)

/** How each proxy is started on a port, with its configuration in front of the echo server. */
const PROXIES = {
  nginx: async (folder: TempFolder, port: number, host: string) =>
    await nginxWith(folder, (await deployed('nginx.conf', host)).replace('listen 80;', `listen 127.0.0.1:${port};`)),
  apache2: async (folder: TempFolder, port: number, host: string) =>
    await apacheWith(folder, port, (await deployed('apache.conf', host)).replace('*:80', `127.0.0.1:${port}`)),
  async haproxy(folder: TempFolder, port: number, host: string) {
    const file = (await deployed('haproxy.cfg', host)).replace('bind :80', `bind 127.0.0.1:${port}`)
    await folder.fill({ 'haproxy.cfg': file })
    return ['-db', '-q', '-f', folder.at('haproxy.cfg')]
  },
}

it.each(['nginx', 'apache2', 'haproxy'] as const)(
  'our %s configuration passes on no forwarding header of a client',
  async (name) => {
    await using folder = await tempFolder()
    await using echo = await echoServer()
    const port = await freePort()
    const line = await PROXIES[name](folder, port, echo.host)
    const proxy = spawn(name, line, { env: { PATH: process.env['PATH'] }, stdio: 'ignore' })
    await using _proxy = {
      async [Symbol.asyncDispose]() {
        const ended = once(proxy, 'close')
        proxy.kill('SIGTERM')
        await ended
      },
    }
    await expectOwnHeaders(port)
  },
)

it.each(['haproxy', 'caddy', 'nginx'] as const)('%s before several daemons passes on none either', async (name) => {
  await using echo = await echoServer()
  await using balancer = await startBalancer(Array<string>(3).fill(`http://${echo.host}/`), name)
  await expectOwnHeaders(Number(new URL(balancer.url).port))
})
