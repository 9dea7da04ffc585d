import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { launchChromium } from '../helpers/browser/launch-chromium.ts'
import { pickFiles } from '../helpers/browser/pages/upload-page.ts'
import { signedIn } from '../helpers/browser/sessions.ts'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { startS3Proxy } from '../helpers/cluster/s3-proxy.ts'
import { startS3Server } from '../helpers/cluster/s3-server.ts'
import { s3OfFile } from '../helpers/cluster/server-of-file.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const server = s3OfFile(startS3Server)
const SIZE = 33 * 1024 * 1024

/** The bucket as browsers see it: at another address than the daemon does, and with or without a CORS rule. */
async function world({ hasRule }: { readonly hasRule: boolean }) {
  await using held = new AsyncDisposableStack()
  const proxy = held.use(await startS3Proxy(server()))
  proxy.before = (_seen, response) => {
    if (!hasRule) return
    const allowed = { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'PUT' }
    for (const [name, value] of Object.entries(allowed)) response.setHeader(name, value)
    if (response.req.method === 'OPTIONS') response.writeHead(204).end()
  }
  const root = `s3://${server().bucket}/${randomBytes(8).toString('hex')}`
  const args = ['--s3-direct', proxy.env['AWS_ENDPOINT_URL'] ?? '']
  const daemon = held.use(await startTestDaemon({ root, env: server().env, args }))
  const browser = await launchChromium()
  held.defer(async () => await browser.close())
  const context = await browser.newContext({ storageState: signedIn(daemon) })
  const page = await context.newPage()
  await page.goto(daemon.url)
  const all = held.move()
  return { proxy, daemon, page, [Symbol.asyncDispose]: async () => await all.disposeAsync() }
}

const HOW = [
  { title: 'sends the parts of a large file to the bucket', hasRule: true, parts: 3 },
  { title: 'sends them to the daemon where the bucket has no CORS rule', hasRule: false, parts: 0 },
]

it.each(HOW)('the page $title', async ({ hasRule, parts }) => {
  const bytes = randomBytes(SIZE)
  await using folder = await tempFolder()
  writeFileSync(folder.at('film.bin'), bytes)
  await using here = await world({ hasRule })
  await pickFiles(here.page, [folder.at('film.bin')])
  const stored = async () => {
    const reply = await here.daemon.fetch('api/raw/film.bin')
    return reply.ok && Buffer.from(await reply.arrayBuffer()).equals(bytes)
  }
  await expect.poll(stored, { interval: 500 }).toBe(true)
  const sent = here.proxy.seen.filter(({ operation }) => operation === 'PUT')
  expect(sent).toHaveLength(parts)
})

it('the page downloads a large file from the bucket', async () => {
  await using here = await world({ hasRule: false })
  const bytes = randomBytes(SIZE)
  await here.daemon.fetch('api/resources/film.bin', { method: 'POST', body: new Uint8Array(bytes) })
  const arrived = here.page.waitForEvent('download')
  await here.page.evaluate(() => {
    const link = document.createElement('a')
    link.href = '/api/raw/film.bin'
    link.download = ''
    link.click()
  })
  const download = await arrived
  expect([download.suggestedFilename(), await download.failure()]).toEqual(['film.bin', null])
  expect(here.proxy.seen.map(({ operation }) => operation)).toEqual(['GET'])
})
