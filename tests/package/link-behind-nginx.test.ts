import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Receipt } from '../../src/domain/shares/share-terms.ts'
import { arrivedAt, beginSending, sendPart } from '../helpers/cli/link-sending.ts'
import { startTestDaemon } from '../helpers/cli/test-daemon.ts'
import { freePort } from '../helpers/free-port.ts'
import { nginxWith } from '../helpers/nginx.ts'
import { SampleBytes, sha256OfFile } from '../helpers/samples/sample-bytes.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const MEBIBYTE = 1024 * 1024
/** The page uses this size after a proxy has refused a larger part. */
const PART = MEBIBYTE / 2
const LENGTH = 20 * MEBIBYTE
const CUT_AT = [5.3, 14.7].map((mebibytes) => mebibytes * MEBIBYTE)

it('behind an nginx that accepts bodies up to 1 MiB, a link receives a large file, even if nginx restarts', async () => {
  await using folder = await tempFolder()
  await using daemon = await startTestDaemon({ data: folder.at('data'), files: { 'inbox/': '' } })
  const port = await freePort()
  const site = (await readFile(join(import.meta.dirname, '../../docs/deploy/nginx.conf'), 'utf8'))
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('127.0.0.1:8080', new URL(daemon.url).host)
    .replace(/client_max_body_size [^;]*;/, 'client_max_body_size 1m;')
  const line = await nginxWith(folder, site)
  const proxy = `http://127.0.0.1:${port}/`
  const startProxy = async (): Promise<ChildProcess> => {
    const child = spawn('nginx', line, { env: { PATH: process.env['PATH'] }, stdio: 'ignore' })
    const isThere = async () =>
      await fetch(new URL('health', proxy))
        .then(({ ok }) => ok)
        .catch(() => false)
    await expect.poll(isThere).toBe(true)
    return child
  }
  await using stack = new AsyncDisposableStack()
  let nginx = await startProxy()
  const stopProxy = async (): Promise<void> => {
    if (nginx.exitCode !== null) return
    const ended = once(nginx, 'close')
    nginx.kill('SIGTERM')
    await ended
  }
  stack.defer(stopProxy)

  const made = await daemon.fetch('/api/share/inbox', { method: 'POST', body: '{"terms":{"allows":"upload"}}' })
  const { hash } = (await made.json()) as { hash: string }
  const bytes = new SampleBytes(LENGTH)
  const file = new URL(await beginSending(proxy, hash, 'film.mp4', LENGTH), proxy)
  expect(await sendPart(file, bytes, { start: 0, end: 2 * MEBIBYTE })).toBe(413)
  for (const cutAt of [...CUT_AT, Infinity]) {
    let cut: Promise<void> | undefined
    let place = await arrivedAt(file)
    for (; place < LENGTH && cut === undefined; place += PART) {
      const part = { start: place, end: Math.min(place + PART, LENGTH) }
      const status = await sendPart(file, bytes, part, (sent) => {
        if (sent >= cutAt) cut ??= stopProxy()
      })
      expect([204, undefined]).toContain(status)
    }
    if (cutAt === Infinity) break
    await cut
    nginx = await startProxy()
    // Nothing that was acknowledged is lost.
    expect(await arrivedAt(file)).toBeGreaterThanOrEqual(place - PART)
  }
  const receipt = (await (await fetch(file)).json()) as Receipt
  expect(receipt).toMatchObject({ name: 'film.mp4', size: LENGTH, sha256: bytes.sha256() })
  expect(await sha256OfFile(join(daemon.root, 'inbox/film.mp4'))).toBe(bytes.sha256())
  expect(await readdir(join(daemon.root, 'inbox'))).toEqual(['film.mp4'])
})
