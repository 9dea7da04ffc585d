import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ShareView } from '../../src/domain/shares/share.ts'
import type { QuotaUse } from '../../src/domain/access/quota.ts'
import type { UploadView } from '../../src/domain/uploads/upload.ts'
import { runCliJson } from '../helpers/cli/run-cli.ts'
import type { TestDaemon } from '../helpers/cli/test-daemon.ts'
import { type S3Server, startS3Server } from '../helpers/cluster/s3-server.ts'
import { type Machines, machinesOfFile, SOON } from './machines.ts'

const { machines } = machinesOfFile()

const PER_ADDRESS = 32
const PER_LINK = 128
const BY_VISITORS = 500
/** Bytes of a file for the quota. */
const UNIT = 64 * 1024

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3Server()
})
afterAll(async () => await s3[Symbol.asyncDispose]())

/** Three daemons behind a balancer that names the addresses of visitors. */
const three = async (root?: string) =>
  await machines({
    count: 3,
    env: { FILEMGR_TRUSTED_PROXIES: '127.0.0.1', ...(root !== undefined && s3.env) },
    ...(root !== undefined && { root }),
  })

/** Links of the administrator to folders of their own that take files. */
async function linksOf({ ask, one, all }: Machines, count: number): Promise<string[]> {
  const hashes: string[] = []
  for (let number = 0; number < count; number += 1) {
    await ask(one, `api/resources/drop${number}/`, { method: 'POST' })
    const body = JSON.stringify({ terms: { allows: 'upload' } })
    const share = await ask(one, `api/share/drop${number}`, { method: 'POST', body })
    hashes.push(((await share.json()) as ShareView).hash)
  }
  // All daemons know the last one, and so the others.
  const known = async () =>
    await Promise.all(all.map(async ({ url }) => (await fetch(`${url}api/public/link/${hashes.at(-1)}`)).status))
  await expect.poll(known).toEqual(all.map(() => 200))
  return hashes
}

interface Begin {
  readonly link: string
  readonly visitor: number
  readonly length?: number
}

interface Begun {
  readonly status: number
  readonly location: string
  readonly retryAfter: string | null
}

/** Sends all at once, each to the next daemon. Who is told that the daemons are busy tries again. */
async function flood({ all }: Machines, begins: readonly Begin[]): Promise<Begun[]> {
  return await Promise.all(
    begins.map(async ({ link, visitor, length = 9 }, number) => {
      const url = new URL(`api/public/tus/${link}/${randomUUID()}`, all[number % all.length]?.url)
      const address = `192.0.2.${visitor}`
      const headers = { 'upload-length': String(length), 'tus-resumable': '1.0.0', 'x-forwarded-for': address }
      for (;;) {
        const { status, headers: reply } = await fetch(url, { method: 'POST', headers })
        const retryAfter = reply.get('retry-after')
        if (status !== 503) return { status, location: reply.get('location') ?? '', retryAfter }
        await setTimeout(Number(retryAfter) * 1000)
      }
    }),
  )
}

const repeated = (count: number, of: (number: number) => Begin) => Array.from({ length: count }, (_, n) => of(n))
const begun = (answers: readonly Begun[]) => answers.filter(({ status }) => status === 201)

/** The refused ones are told when to try again, and nothing fails in another way. */
function expectRefused(answers: readonly Begun[], count: number, status: number): void {
  const others = answers.filter((each) => each.status !== 201)
  expect(new Set(others.map((each) => each.status))).toEqual(new Set([status]))
  expect(others).toHaveLength(count)
  if (status === 429) expect(new Set(others.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['60']))
}

const cancel = async ({ other }: Machines, { location }: Begun) =>
  (await fetch(new URL(location, other.url), { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } })).status

/** Gives a quota to the administrator, which all daemons know then. */
async function limitOwner({ ask, all, one, env }: Machines, quota: number): Promise<void> {
  await runCliJson(['users', 'set', one.username, '--quota', String(quota)], { env })
  const limitAt = async (daemon: TestDaemon) =>
    ((await (await ask(daemon, 'api/usage/')).json()) as { quota?: QuotaUse }).quota?.limit.bytes
  await expect.poll(async () => await Promise.all(all.map(limitAt)), SOON).toEqual(all.map(() => quota))
}

const unfinished = async ({ env, files }: Machines, root = files.path) =>
  await runCliJson<UploadView[]>(['uploads', 'ls'], { env: { ...env, FILEMGR_ROOT: root } })

describe('visitors who begin at three daemons at once', () => {
  it('hold at most 32 uploads per address, and one who is refused leaves room for others', async () => {
    await using cluster = await three()
    const [link = ''] = await linksOf(cluster, 1)
    const answers = await flood(
      cluster,
      repeated(PER_ADDRESS * 2 + 8, (n) => ({ link, visitor: n < PER_ADDRESS * 2 ? 1 : 2 })),
    )
    const [flooding, others] = [answers.slice(0, PER_ADDRESS * 2), answers.slice(PER_ADDRESS * 2)]
    expectRefused(flooding, PER_ADDRESS, 429)
    expect(begun(others)).toHaveLength(8)
    expect(await unfinished(cluster)).toHaveLength(PER_ADDRESS + 8)
    // As many as are cancelled, at another daemon, may begin again.
    for (const each of begun(flooding).slice(0, 3)) expect(await cancel(cluster, each)).toBe(204)
    expectRefused(
      await flood(
        cluster,
        repeated(6, () => ({ link, visitor: 1 })),
      ),
      3,
      429,
    )
  })

  it('hold at most 128 uploads by a link, and leave room by another link', async () => {
    await using cluster = await three()
    const [link = '', second = ''] = await linksOf(cluster, 2)
    const answers = await flood(
      cluster,
      repeated(200, (n) => ({ link, visitor: n })),
    )
    expectRefused(answers, 200 - PER_LINK, 429)
    expect(begun(await flood(cluster, [{ link: second, visitor: 1 }]))).toHaveLength(1)
    for (const each of begun(answers).slice(0, 2)) expect(await cancel(cluster, each)).toBe(204)
    expectRefused(
      await flood(
        cluster,
        repeated(5, (n) => ({ link, visitor: n })),
      ),
      3,
      429,
    )
    expect(await unfinished(cluster)).toHaveLength(PER_LINK + 1)
  })

  it('hold at most 500 uploads by all links, and leave room for users', async () => {
    await using cluster = await three()
    const links = await linksOf(cluster, 5)
    const linkOf = (number: number) => links[number % links.length] ?? ''
    const answers = await flood(
      cluster,
      repeated(560, (n) => ({ link: linkOf(n), visitor: n % 200 })),
    )
    expectRefused(answers, 560 - BY_VISITORS, 429)
    const own = await cluster.ask(cluster.other, 'api/tus/own.bin', {
      method: 'POST',
      headers: { 'upload-length': '9' },
    })
    expect(own.status).toBe(201)
    for (const each of begun(answers).slice(0, 2)) expect(await cancel(cluster, each)).toBe(204)
    expectRefused(
      await flood(
        cluster,
        repeated(5, (n) => ({ link: linkOf(n), visitor: n })),
      ),
      3,
      429,
    )
    expect(await unfinished(cluster)).toHaveLength(BY_VISITORS + 1)
  })

  it.each([
    ['on a disk', () => undefined],
    ['in a bucket', () => `s3://${s3.bucket}/${randomUUID()}`],
  ])('reserve at most half of what is free in the quota of the owner, %s', async (_where, rootOf) => {
    const root = rootOf()
    await using cluster = await three(root)
    const [link = ''] = await linksOf(cluster, 1)
    await limitOwner(cluster, 20 * UNIT)
    expect(
      (await cluster.ask(cluster.one, 'api/resources/own', { method: 'POST', body: Buffer.alloc(4 * UNIT) })).status,
    ).toBe(200)
    const race = async (count: number) =>
      await flood(
        cluster,
        repeated(count, (n) => ({ link, visitor: n, length: UNIT })),
      )
    const answers = await race(40)
    expectRefused(answers, 40 - 8, 507)
    // The owner has the other half.
    const body = Buffer.alloc(8 * UNIT)
    expect((await cluster.ask(cluster.other, 'api/resources/half', { method: 'POST', body })).status).toBe(200)
    expect((await cluster.ask(cluster.other, 'api/resources/half', { method: 'DELETE' })).status).toBe(204)
    for (const each of begun(answers).slice(0, 2)) expect(await cancel(cluster, each)).toBe(204)
    expectRefused(await race(5), 3, 507)
    expect(await unfinished(cluster, root)).toHaveLength(8)
  })
})
