import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { open, readFile, stat, truncate } from 'node:fs/promises'
import { promisify } from 'node:util'
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { get, type IncomingMessage } from 'node:http'
import { expect, it, vi } from 'vitest'
import type { ArchiveFormat } from '../../src/domain/files/archives/archive-format.ts'
import { openLocalStorage } from '../../src/storage/local/local-storage.ts'
import { storagePathOf } from '../../src/storage/storage.ts'
import { path, viewOf } from '../contract/storage/view.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'

const run = promisify(execFile)
const MEBIBYTE = 1024 * 1024
const MAX_GROWTH = 96 * MEBIBYTE
const ZEROS = Buffer.alloc(MEBIBYTE)
/** More than a 16-bit counter can hold. */
const FILES = 66_000
const BEYOND_32_BITS = 4 * 1024 * MEBIBYTE + 1

/** The CRC-32 of this many zeros. */
function checksumOfZeros(count: number): number {
  let checksum = 0
  for (let left = count; left > 0; left -= ZEROS.length) checksum = crc32(ZEROS.subarray(0, left), checksum)
  return checksum
}

const isZero = (part: Uint8Array) => ZEROS.compare(part, 0, part.length, 0, part.length) === 0

/** Writes an archive of the folder. @returns by how many bytes the memory of the process grew at most */
async function archive(folder: string, format: ArchiveFormat, target: string): Promise<number> {
  await using storage = await openLocalStorage(folder)
  using scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  await using file = await open(target, 'w')
  const before = process.memoryUsage.rss()
  let most = before
  const selection = { format, base: path('/'), items: [path('/')] }
  const { known, parts } = await scope.archive(selection, viewOf('/'))
  let size = 0
  for await (const part of parts()) {
    // Zeros become a hole: four gigabytes of them would keep the disk busy.
    if (!isZero(part)) await file.write(part, 0, part.length, size)
    size += part.length
    most = Math.max(most, process.memoryUsage.rss())
  }
  await file.truncate(size)
  if (known) expect(size).toBe(known.size)
  return most - before
}

/** Files in memory take no room for their contents if they are empty, and a disk is slow for minutes once many are deleted. */
function stayInMemory(): void {
  if (existsSync('/dev/shm')) vi.stubEnv('TMPDIR', '/dev/shm')
}

it(`zips ${FILES} files in constant memory, and unzip opens it`, async () => {
  stayInMemory()
  await using folder = await tempFolder({ 'root/': '' })
  for (let group = 0; group < 60; group += 1) {
    const groupFolder = folder.at(`root/größe ${group}`)
    mkdirSync(groupFolder)
    const textOf = (index: number) => (group === 0 ? String(index) : '')
    for (let index = 0; index < FILES / 60; index += 1) writeFileSync(`${groupFolder}/file ${index}.txt`, textOf(index))
  }
  expect(await archive(folder.at('root'), 'zip', folder.at('a.zip'))).toBeLessThan(MAX_GROWTH)
  const { stdout } = await run('unzip', ['-tq', folder.at('a.zip')])
  expect(stdout).toContain('No errors detected')
  const { stdout: summary } = await run('sh', ['-c', 'unzip -l "$0" | tail -1', folder.at('a.zip')])
  expect(summary).toContain(`${FILES + 60} files`)
})

it('zips a file beyond 4 GiB with another one behind it', async () => {
  // Reading a hole takes a twentieth of the time there.
  stayInMemory()
  await using folder = await tempFolder({ 'root/a': '', 'root/b.txt': 'behind' })
  await truncate(folder.at('root/a'), BEYOND_32_BITS)
  expect(await archive(folder.at('root'), 'zip', folder.at('a.zip'))).toBeLessThan(MAX_GROWTH)
  // unzip would need 20 seconds to read the large file. That its bytes are zeros shows in the space that they take.
  expect((await stat(folder.at('a.zip'))).blocks * 512).toBeLessThan(8 * MEBIBYTE)
  const { stdout } = await run('unzip', ['-lv', folder.at('a.zip'), 'a'])
  const checksum = checksumOfZeros(BEYOND_32_BITS).toString(16).padStart(8, '0')
  expect(stdout).toMatch(new RegExp(`${BEYOND_32_BITS}  Stored ${BEYOND_32_BITS} .* ${checksum}  a\n`))
  const { stdout: start } = await run('sh', ['-c', 'unzip -p "$0" a | head -c 9 | wc -c', folder.at('a.zip')])
  expect(Number(start)).toBe(9)
  expect((await run('unzip', ['-tq', folder.at('a.zip'), 'b.txt'])).stdout).toContain('No errors detected')
  expect((await run('unzip', ['-p', folder.at('a.zip'), 'b.txt'])).stdout).toBe('behind')
})

/** The budget of all archives is 192 MiB. The rest is overhead of any work. */
const MAX_FOR_ALL = 448 * MEBIBYTE
const LINKS = 10
const EACH = 8

/** Resident memory of the daemon, in bytes. */
async function memoryOf({ pid }: TestDaemon): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

it('unread downloads by links use bounded memory all together', async () => {
  await using folder = await tempFolder({ 'root/random.bin': randomBytes(64 * MEBIBYTE) })
  await using daemon = await startTestDaemon({ root: folder.at('root') })
  const links = Array.from({ length: LINKS }, async () => {
    const answer = await daemon.fetch('/api/share/', { method: 'POST', body: '{}' })
    return ((await answer.json()) as { hash: string }).hash
  })
  const before = await memoryOf(daemon)
  const answers: IncomingMessage[] = []
  for (const hash of await Promise.all(links))
    for (let each = 0; each < EACH; each += 1) {
      const request = get(new URL(`api/public/dl/${hash}?algo=tarlz4`, daemon.url), { agent: false })
      request.on('response', (answer) => answers.push(answer.pause())).on('error', () => undefined)
    }
  let most = 0
  const refused = async () => {
    most = Math.max(most, (await memoryOf(daemon)) - before)
    return answers.filter(({ statusCode, headers }) => statusCode === 503 && Number(headers['retry-after']) > 0).length
  }
  // The daemon asks downloads that still wait after ten seconds to come again.
  await expect.poll(refused, { interval: 100 }).toBeGreaterThanOrEqual((LINKS * EACH) / 2)
  expect(most).toBeLessThan(MAX_FOR_ALL)
  for (const answer of answers) answer.destroy()
})

/** Text of 43 MiB, which takes each format some time. */
const TEXT = Array.from({ length: 65_537 }, (_, i) => `line ${(i * 7919) % 65_537}\n`)
  .join('')
  .repeat(61)
const FORMATS = ['targz', 'tarbz2', 'tarxz', 'tarlz4', 'tarsz', 'tarbr', 'tarzst']

it('SIGTERM ends the daemon cleanly after downloads of archives in all formats were aborted', async () => {
  await using folder = await tempFolder({ 'root/text.txt': TEXT })
  await using daemon = await startTestDaemon({ root: folder.at('root') })
  const controller = new AbortController()
  const download = async (format: string) => {
    const { body } = await daemon.fetch(`api/raw/?algo=${format}`, { signal: controller.signal })
    expect((await body?.getReader().read())?.done).toBe(false)
  }
  await Promise.all(FORMATS.map(download))
  controller.abort()
  expect(await daemon.stop()).toMatchObject({ code: 0, signal: null })
})
