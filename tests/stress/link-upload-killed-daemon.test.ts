import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { LinkView, Receipt } from '../../src/domain/shares/share-terms.ts'
import { arrivedAt, beginSending, sendPart } from '../helpers/cli/link-sending.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { storeWithToken, type TestStore } from '../helpers/cli/test-store.ts'
import { SampleBytes, sha256OfFile } from '../helpers/samples/sample-bytes.ts'

const MEBIBYTE = 1024 * 1024
const PART = 8 * MEBIBYTE
const LENGTH = 64 * MEBIBYTE
const KILL_AT = [3, 27, 50].map((mebibytes) => mebibytes * MEBIBYTE)
/** Room for this file and four bytes. */
const TERMS = { allows: 'upload', maxFiles: 2, maxBytes: LENGTH + 4 }

const start = async ({ data, root }: TestStore) => await startTestDaemon({ data, root })

async function linkOf(daemon: TestDaemon, hash: string): Promise<LinkView> {
  return (await (await fetch(new URL(`api/public/link/${hash}`, daemon.url))).json()) as LinkView
}

async function begin(store: TestStore & { readonly token: string }): Promise<{ hash: string; path: string }> {
  await using daemon = await start(store)
  const headers = { 'X-Auth': store.token, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ terms: TERMS })
  const made = await fetch(new URL('api/share/inbox', daemon.url), { method: 'POST', headers, body })
  const { hash } = (await made.json()) as { hash: string }
  return { hash, path: await beginSending(daemon.url, hash, 'film.mp4', LENGTH) }
}

/** Continues until the file is complete, or kills the daemon in the middle of a part. */
async function send(daemon: TestDaemon, path: string, bytes: SampleBytes, killAt: number): Promise<void> {
  const file = new URL(path, daemon.url)
  let killed: Promise<unknown> | undefined
  for (let offset = await arrivedAt(file); offset < bytes.length && killed === undefined; offset += PART) {
    const part = { start: offset, end: Math.min(offset + PART, bytes.length) }
    const status = await sendPart(file, bytes, part, (sent) => {
      if (sent >= killAt) killed ??= daemon.stop('SIGKILL')
    })
    expect([204, undefined]).toContain(status)
  }
  await killed
}

it('a file that a visitor sends is whole after SIGKILLs, its receipt is right, and the limits hold to the byte', async () => {
  await using store = await storeWithToken({ 'inbox/': '' })
  const bytes = new SampleBytes(LENGTH)
  const { hash, path } = await begin(store)
  for (const killAt of [...KILL_AT, Infinity]) {
    await using daemon = await start(store)
    expect(await linkOf(daemon, hash)).toMatchObject({ filesLeft: 1, bytesLeft: 4 })
    await expect(beginSending(daemon.url, hash, 'more.mp4', 5)).rejects.toThrow('413')
    await send(daemon, path, bytes, killAt)
  }
  await using daemon = await start(store)
  const receipt = (await (await fetch(new URL(path, daemon.url))).json()) as Receipt
  expect(receipt).toMatchObject({ name: 'film.mp4', size: LENGTH, sha256: bytes.sha256() })
  expect(await sha256OfFile(join(store.root, 'inbox/film.mp4'))).toBe(bytes.sha256())
  expect(await readdir(join(store.root, 'inbox'))).toEqual(['film.mp4'])
  expect(await linkOf(daemon, hash)).toMatchObject({ filesLeft: 1, bytesLeft: 4 })
  await sendPart(new URL(await beginSending(daemon.url, hash, 'rest', 4), daemon.url), bytes, { start: 0, end: 4 })
  expect(await linkOf(daemon, hash)).toMatchObject({ filesLeft: 0, bytesLeft: 0 })
  await expect(beginSending(daemon.url, hash, 'more.mp4', 0)).rejects.toThrow()
})
