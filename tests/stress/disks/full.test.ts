import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { SampleBytes, sha256OfFile } from '../../helpers/samples/sample-bytes.ts'
import { sendBody } from '../../helpers/cli/send-body.ts'
import { smallDisk } from '../../helpers/disks/small-disk.ts'
import { startTestDaemon, type TestDaemon } from '../../helpers/cli/test-daemon.ts'
import { ADMIN_PASSWORD, testStore } from '../../helpers/cli/test-store.ts'
import { askOffset, beginUpload, sendPart } from '../../helpers/cli/tus-client.ts'

const MEBIBYTE = 1024 * 1024
/** The daemon refuses files that would leave less than 64 MiB, so there is room for 96. */
const DISK = 160
const LENGTH = 60 * MEBIBYTE
const THIRD = LENGTH / 3

interface Admin {
  readonly token: string
  /** Sends a body of this many mebibytes. @returns the status */
  ask(method: string, path: string, mebibytes?: number): Promise<number | undefined>
  setLocale(locale: string): Promise<number>
}

async function signIn({ url }: TestDaemon): Promise<Response> {
  const body = JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD })
  return await fetch(`${url}api/login`, { method: 'POST', body })
}

function adminOf({ url }: TestDaemon, token: string): Admin {
  return {
    token,
    // Without a length, so that a body is not refused before it comes.
    ask: async (method, path, mebibytes = 0) => {
      const pieces = new SampleBytes(mebibytes * MEBIBYTE).pieces(0)
      return (await sendBody(new URL(path, url), { method, headers: { 'X-Auth': token } }, pieces))?.statusCode
    },
    async setLocale(locale) {
      const body = JSON.stringify({ what: 'user', which: ['locale'], data: { id: 1, locale } })
      return (await fetch(`${url}api/users/1`, { method: 'PUT', headers: { 'X-Auth': token }, body })).status
    },
  }
}

it('a full disk is answered with 507, loses no data, and needs no restart once it has room again', async () => {
  using disk = smallDisk(DISK)
  vi.stubEnv('TMPDIR', disk.path)
  await using store = await testStore({ 'old.txt': 'old' })
  vi.unstubAllEnvs()
  await using daemon = await startTestDaemon({ data: store.data, root: store.root, env: disk.env })
  const admin = adminOf(daemon, await (await signIn(daemon)).text())
  const { ask, token } = admin
  const target = { url: daemon.url, token, path: '/big.bin' }
  const bytes = new SampleBytes(LENGTH)

  // An announced length keeps nobody else from the disk; an upload without a length leaves the reserve free.
  expect(await beginUpload(target, LENGTH)).toBe(201)
  expect(await beginUpload({ ...target, path: '/other.bin' }, LENGTH)).toBe(201)
  expect(await ask('DELETE', 'api/tus/other.bin')).toBe(204)
  if (disk.isReal) expect(await ask('POST', 'api/resources/endless.bin', 112)).toBe(507)
  expect(await sendPart(target, bytes, { start: 0, end: THIRD })).toEqual({ status: 204, offset: THIRD })
  await writeFile(join(store.root, 'source.bin'), Buffer.alloc(8 * MEBIBYTE))
  const before = (await readdir(store.root)).toSorted()

  // Somebody else fills the disk.
  disk.leave(4 * MEBIBYTE)
  expect((await sendPart(target, bytes, { start: THIRD, end: LENGTH }))?.status).toBe(507)
  expect(await askOffset(target)).toEqual({ status: 200, offset: THIRD })
  expect(await ask('POST', 'api/resources/old.txt?override=true', 8)).toBe(507)
  expect(await ask('PUT', 'api/resources/old.txt', 8)).toBe(507)
  expect(await ask('POST', 'api/resources/new.txt', 8)).toBe(507)
  expect(await ask('PATCH', 'api/resources/source.bin?action=copy&destination=%2Fcopy.bin')).toBe(507)
  expect(await readFile(join(store.root, 'old.txt'), 'utf8')).toBe('old')
  expect((await readdir(store.root)).toSorted()).toEqual(before)

  // No page is left, not even for the daemon, which keeps sessions in memory until there is room. A file may have room in its last.
  disk.leave(0)
  const answers: number[] = []
  while (answers.length < 50 && answers.at(-1) !== 507)
    answers.push(await admin.setLocale(answers.length % 2 === 0 ? 'de' : 'fr'))
  expect(answers.at(-1)).toBe(507)
  expect((await signIn(daemon)).status).toBe(200)
  expect(await ask('GET', 'api/raw/old.txt')).toBe(200)

  disk.empty()
  expect(await sendPart(target, bytes, { start: THIRD, end: LENGTH })).toEqual({ status: 204, offset: LENGTH })
  expect(await sha256OfFile(join(store.root, 'big.bin'))).toBe(bytes.sha256())
  expect(await ask('POST', 'api/resources/new.txt', 1)).toBe(200)
  expect(await ask('PATCH', 'api/resources/old.txt?action=copy&destination=%2Fcopy.txt')).toBe(200)
  expect(await admin.setLocale('de')).toBe(200)
  expect((await signIn(daemon)).status).toBe(200)
})
