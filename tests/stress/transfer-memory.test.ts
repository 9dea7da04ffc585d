import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { SampleBytes, sha256OfFile } from '../helpers/samples/sample-bytes.ts'
import { sendBody } from '../helpers/cli/send-body.ts'
import { isLong } from '../helpers/stress-size.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { beginUpload, sendPart } from '../helpers/cli/tus-client.ts'

const run = promisify(execFile)
const MEBIBYTE = 1024 * 1024
const LENGTH = (isLong ? 1024 : 160) * MEBIBYTE
const MAX_GROWTH = 96 * MEBIBYTE

/** Resident memory of the daemon in bytes: now (VmRSS), or its peak since `resetPeak` (VmHWM). */
function memoryOf({ pid }: TestDaemon, which: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`^${which}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1]) * 1024
}

/** Lets VmHWM begin again at the present memory. */
const resetPeak = ({ pid }: TestDaemon) => writeFileSync(`/proc/${pid}/clear_refs`, '5')

const METHODS: Readonly<Record<string, (daemon: TestDaemon, bytes: SampleBytes) => Promise<unknown>>> = {
  'a POST': async (daemon, bytes) => (await send(daemon, 'POST', '?override=true', bytes))?.statusCode,
  'a PUT': async (daemon, bytes) => (await send(daemon, 'PUT', '', bytes))?.statusCode,
  'a tus upload in one part': async ({ url, token }, bytes) => {
    const target = { url, token, path: '/big.bin?override=true' }
    expect(await beginUpload(target, bytes.length)).toBe(201)
    return (await sendPart({ ...target, path: '/big.bin' }, bytes, { start: 0, end: bytes.length }))?.status
  },
}

async function send({ url, token }: TestDaemon, method: string, query: string, bytes: SampleBytes) {
  const headers = { 'X-Auth': token, 'Content-Length': String(bytes.length) }
  return await sendBody(new URL(`api/resources/big.bin${query}`, url), { method, headers }, bytes.pieces(0))
}

/** The digest of the file in the zip, which another program unpacks. */
async function digestOfZipped(daemon: TestDaemon): Promise<string> {
  await using folder = await tempFolder()
  const { body } = await daemon.fetch('api/raw/?algo=zip')
  await writeFile(folder.at('a.zip'), body ?? '')
  const { stdout } = await run('sh', ['-c', 'unzip -p "$0" | sha256sum', folder.at('a.zip')])
  return stdout.slice(0, 64)
}

async function digestOfDownload(daemon: TestDaemon, path: string): Promise<string> {
  const hash = createHash('sha256')
  const { body } = await daemon.fetch(path)
  for await (const chunk of body ?? []) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}

it(`${LENGTH / MEBIBYTE} MiB are uploaded and downloaded intact by each method, and the daemon grows by less than 96 MiB`, async () => {
  await using daemon = await startTestDaemon()
  const bytes = new SampleBytes(LENGTH)
  const digest = bytes.sha256()
  // Code that is loaded at its first use does not count.
  for (const upload of Object.values(METHODS)) await upload(daemon, new SampleBytes(MEBIBYTE))
  await digestOfDownload(daemon, 'api/raw/big.bin')
  await digestOfZipped(daemon)
  const before = memoryOf(daemon, 'VmRSS')
  for (const [name, upload] of Object.entries(METHODS)) {
    resetPeak(daemon)
    expect([200, 204], name).toContain(await upload(daemon, bytes))
    expect(await sha256OfFile(join(daemon.root, 'big.bin')), name).toBe(digest)
    process.stdout.write(`${name}: +${((memoryOf(daemon, 'VmHWM') - before) / MEBIBYTE).toFixed(0)} MiB\n`)
    expect(memoryOf(daemon, 'VmHWM') - before, name).toBeLessThan(MAX_GROWTH)
  }
  resetPeak(daemon)
  expect(await digestOfDownload(daemon, 'api/raw/big.bin')).toBe(digest)
  expect(await digestOfZipped(daemon)).toBe(digest)
  expect(memoryOf(daemon, 'VmHWM') - before).toBeLessThan(MAX_GROWTH)
})
