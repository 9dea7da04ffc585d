import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freePort } from '../helpers/free-port.ts'
import { nginxWith } from '../helpers/nginx.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const FORGED = {
  'x-forwarded-host': 'evil.example.org',
  'x-forwarded-proto': 'gopher',
  'x-forwarded-for': '192.0.2.7',
  'x-forwarded-port': '1',
  'x-forwarded-prefix': '/evil',
  forwarded: 'host=evil.example.org',
}

/** The replacements point the configuration to one server on this machine. */
it.each(['nginx.conf', 'cluster/nginx.conf'])('%s passes on no forwarding header of a client', async (name) => {
  await using folder = await tempFolder()
  await using echo = createServer(({ headers }, response) => response.end(JSON.stringify(headers)))
  const [port, upstream] = [await freePort(), await freePort()]
  echo.listen(upstream, '127.0.0.1')
  await once(echo, 'listening')
  const site = (await readFile(join(import.meta.dirname, '../../config/deploy', name), 'utf8'))
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replaceAll(/127\.0\.0\.1:8080|filemgr-\d:8080/g, `127.0.0.1:${upstream}`)
  const nginx = spawn('nginx', await nginxWith(folder, site), { env: { PATH: process.env['PATH'] }, stdio: 'ignore' })
  await using _nginx = {
    async [Symbol.asyncDispose]() {
      const ended = once(nginx, 'close')
      nginx.kill('SIGTERM')
      await ended
    },
  }
  const ask = async () => await fetch(`http://127.0.0.1:${port}/`, { headers: FORGED }).catch(() => undefined)
  await expect.poll(async () => (await ask())?.status, { timeout: 30_000 }).toBe(200)
  const received = (await (await ask())?.json()) as Record<string, string>
  expect(Object.entries(received).filter(([header]) => header.includes('forwarded'))).toEqual(
    expect.arrayContaining([
      ['x-forwarded-host', `127.0.0.1:${port}`],
      ['x-forwarded-proto', 'http'],
      ['x-forwarded-for', '127.0.0.1'],
    ]),
  )
  expect(JSON.stringify(received)).not.toMatch(/evil|gopher|192\.0\.2\.7|"x-forwarded-p(ort|refix)"/)
})
