import { readdir, truncate, writeFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Job } from '../../src/domain/automation/job.ts'
import type { TestDaemon } from '../helpers/cli/test-daemon.ts'
import { type S3Server, startS3Server } from '../helpers/cluster/s3-server.ts'
import { webhookReceiver } from '../helpers/webhook-receiver.ts'
import { type Machines, machinesOfFile, SOON, TAKEOVER } from './machines.ts'

const { postgres, machines } = machinesOfFile()

let s3: S3Server
beforeAll(async () => {
  s3 = await startS3Server()
})
afterAll(async () => await s3[Symbol.asyncDispose]())

/** Events of a stream at a daemon, as they come. */
async function eventsAt({ ask }: Machines, daemon: TestDaemon, folder: string) {
  const abort = new AbortController()
  const reply = await ask(daemon, `api/events?folder=${encodeURIComponent(folder)}`, { signal: abort.signal })
  const received: { name: string; data: unknown }[] = []
  const read = async () => {
    let text = ''
    for await (const part of (reply.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const blocks = `${text}${part}`.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const name = /^event: (.*)$/m.exec(block)?.[1]
        if (name !== undefined) received.push({ name, data: JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '{}') })
      }
    }
  }
  const ended = read().catch(() => undefined)
  await vi.waitFor(() => expect(received[0]).toMatchObject({ name: 'hello' }), SOON)
  return { received, ended, [Symbol.dispose]: () => abort.abort() }
}

const at = (name: string) => ({ root: `s3://${s3.bucket}/${name}`, env: s3.env })

// A bucket cannot be watched, so pages learn of changes only from daemons.
describe('a change at one daemon', () => {
  it('is announced to pages at another one', async () => {
    await using cluster = await machines(at('events'))
    const { one, other, ask } = cluster
    await ask(one, 'api/resources/docs/', { method: 'POST' })
    using docs = await eventsAt(cluster, other, '/docs')
    using elsewhere = await eventsAt(cluster, other, '/')
    await ask(one, 'api/resources/docs/a.txt', { method: 'POST', body: 'a' })
    await vi.waitFor(() => expect(docs.received).toContainEqual({ name: 'folder', data: { path: '/docs' } }), SOON)
    await ask(one, 'api/resources/docs?action=rename&destination=%2Fpapers', { method: 'PATCH' })
    await vi.waitFor(() => expect(elsewhere.received).toContainEqual({ name: 'folder', data: { path: '/' } }), SOON)
  })

  it('is announced to a page whose request for another folder went to a different daemon', async () => {
    await using cluster = await machines(at('watch'))
    const { one, other, ask } = cluster
    await ask(one, 'api/resources/docs/', { method: 'POST' })
    using page = await eventsAt(cluster, other, '/')
    const { stream } = page.received[0]?.data as { stream: string }
    const watch = async (folder: string) =>
      await ask(one, `api/events/${stream}`, { method: 'PUT', body: JSON.stringify({ folder }) })
    expect((await watch('/docs')).status).toBeLessThan(300)
    const changes = () => page.received.filter(({ data }) => (data as { path?: string }).path === '/docs').length
    await vi.waitFor(() => expect(changes()).toBe(1), SOON)
    await ask(one, 'api/resources/docs/a.txt', { method: 'POST', body: 'a' })
    await vi.waitFor(() => expect(changes()).toBe(2), SOON)
    await watch('/none')
    await page.ended
  })

  it('to an unknown event stream is limited, so that one user cannot flood the other daemons', async () => {
    await using cluster = await machines(at('flood'))
    const body = JSON.stringify({ folder: '/' })
    const wish = async () => (await cluster.ask(cluster.one, 'api/events/none', { method: 'PUT', body })).status
    const began = performance.now()
    const statuses = await Promise.all(Array.from({ length: 100 }, wish))
    // A busy machine takes more than a second for all of them.
    const seconds = Math.ceil((performance.now() - began) / 1000)
    const sent = statuses.filter((status) => status === 204).length
    expect(sent).toBeGreaterThanOrEqual(20)
    expect(sent).toBeLessThanOrEqual(20 * seconds)
    expect(statuses.filter((status) => status === 429)).toHaveLength(100 - sent)
  })

  it('that may have been missed makes pages list their folder again', async () => {
    await using cluster = await machines(at('gap'))
    using docs = await eventsAt(cluster, cluster.other, '/')
    const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'filemgr'"
    await postgres().query(cluster.url, `${end} AND datname = current_database()`)
    await vi.waitFor(() => expect(docs.received).toContainEqual({ name: 'gap', data: {} }), SOON)
  })
})

describe('a job', () => {
  /** A checksum that takes minutes. */
  async function begun({ one, files, ask }: Machines): Promise<Job> {
    await writeFile(files.at('huge'), '')
    await truncate(files.at('huge'), 500_000_000_000)
    const headers = { prefer: 'respond-async' }
    const reply = await ask(one, 'api/resources/huge?checksum=sha512', { headers })
    expect(reply.status).toBe(202)
    return (await reply.json()) as Job
  }
  const jobAt = async ({ ask }: Machines, daemon: TestDaemon, id: string) =>
    (await (await ask(daemon, `api/jobs/${id}`)).json()) as Job

  it('is listed with its progress by all daemons, and cancelled by any', async () => {
    await using cluster = await machines()
    const { one, other, ask } = cluster
    using page = await eventsAt(cluster, other, '/')
    const { id } = await begun(cluster)
    const list = async () => (await (await ask(other, 'api/jobs')).json()) as Job[]
    await vi.waitFor(async () => expect(await list()).toMatchObject([{ id, state: 'running', path: '/huge' }]), SOON)
    const progress = async () => (await jobAt(cluster, other, id)).progress.bytes
    const before = await progress()
    await vi.waitFor(async () => expect(await progress()).toBeGreaterThan(before), SOON)
    await vi.waitFor(() => expect(page.received).toContainEqual(eventOf({ id, state: 'running' })), SOON)
    expect((await ask(other, `api/jobs/${id}`, { method: 'DELETE' })).status).toBeLessThan(300)
    for (const daemon of [one, other])
      await vi.waitFor(async () => expect(await jobAt(cluster, daemon, id)).toMatchObject({ state: 'cancelled' }), SOON)
    await vi.waitFor(() => expect(page.received).toContainEqual(eventOf({ id, state: 'cancelled' })), SOON)
  })

  it('of a daemon that dies goes on at another one, where any cancels it', async () => {
    await using cluster = await machines({ count: 3 })
    const { one, other, all, ask } = cluster
    using page = await eventsAt(cluster, other, '/')
    const { id } = await begun(cluster)
    const progress = () =>
      page.received
        .map(({ data }) => data as Partial<Job>)
        .flatMap((job) => (job.id === id && job.progress ? [job.progress.bytes] : []))
    await vi.waitFor(() => expect(progress().at(-1)).toBeGreaterThan(1_000_000_000), TAKEOVER)
    await one.stop('SIGKILL')
    // A checksum begins anew.
    const fallsBack = () => progress().some((bytes, index) => bytes < (progress()[index - 1] ?? 0))
    await vi.waitFor(() => expect(fallsBack()).toBe(true), TAKEOVER)
    await vi.waitFor(() => expect(progress().at(-1)).toBeGreaterThan(0), TAKEOVER)
    expect(page.received).not.toContainEqual(eventOf({ id, state: 'failed' }))
    for (const daemon of all.slice(1)) expect(await jobAt(cluster, daemon, id)).toMatchObject({ state: 'running' })
    // Which of the two works on it is unknown: each of them can cancel it.
    expect((await ask(other, `api/jobs/${id}`, { method: 'DELETE' })).status).toBeLessThan(300)
    for (const daemon of all.slice(1))
      await vi.waitFor(
        async () => expect(await jobAt(cluster, daemon, id)).toMatchObject({ state: 'cancelled' }),
        TAKEOVER,
      )
  })

  it('that is cancelled while nobody works on it ends as soon as another daemon has taken it over', async () => {
    await using cluster = await machines()
    const { one, other, ask } = cluster
    const { id } = await begun(cluster)
    await vi.waitFor(async () => expect(await jobAt(cluster, other, id)).toMatchObject({ state: 'running' }), SOON)
    await one.stop('SIGKILL')
    expect((await ask(other, `api/jobs/${id}`, { method: 'DELETE' })).status).toBeLessThan(300)
    await vi.waitFor(async () => expect(await jobAt(cluster, other, id)).toMatchObject({ state: 'cancelled' }), SOON)
    const records = "SELECT count(*) FROM filemgr_records WHERE kind = 'unfinished'"
    await vi.waitFor(async () => expect(await postgres().query(cluster.url, records)).toBe('0'), SOON)
  })

  const eventOf = (job: object) => ({ name: 'job', data: expect.objectContaining(job) as unknown })
})

it('one daemon does the periodic chores; when it dies, another one does them and removes its temporary files', async () => {
  await using cluster = await machines({ files: { 'a.txt': 'a' } })
  const { one, other, url, ask, files } = cluster
  const holder = async () =>
    await postgres().query(url, "SELECT holder FROM filemgr_leases WHERE name = 'chores' AND until > now()")
  const first = await holder()
  expect(first).not.toBe('')
  const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(100_000)) })
  void ask(one, 'api/resources/half.bin', { method: 'POST', body, duplex: 'half' } as RequestInit).catch(
    () => undefined,
  )
  await vi.waitFor(async () => expect(await readdir(files.path)).toHaveLength(2), SOON)
  await pause(500)
  expect(await holder()).toBe(first)
  await one.stop('SIGKILL')
  await vi.waitFor(async () => expect(['', first]).not.toContain(await holder()), TAKEOVER)
  await vi.waitFor(async () => expect(await readdir(files.path)).toEqual(['a.txt']), SOON)
  expect((await ask(other, 'api/resources/')).status).toBe(200)
  expect(await postgres().query(url, "SELECT count(*) FROM filemgr_leases WHERE name LIKE 'run/%'")).toBe('1')
})

it('a webhook is sent by another daemon when the one with the event dies', async () => {
  await using receiver = await webhookReceiver(500, 500, 204)
  await using cluster = await machines({ env: { FILEMGR_WEBHOOK_HOSTS: receiver.host } })
  const { one, other, ask } = cluster
  const added = await ask(one, 'api/webhooks', { method: 'POST', body: JSON.stringify({ url: receiver.url }) })
  expect(added.status).toBe(200)
  await ask(one, 'api/resources/a.txt', { method: 'POST', body: 'a' })
  const listed = async () => (await (await ask(other, 'api/webhooks')).json()) as object[]
  await vi.waitFor(async () => expect(await listed()).toMatchObject([{ waiting: 1, failures: 2 }]), SOON)
  await one.stop('SIGKILL')
  await vi.waitFor(() => expect(receiver.messages).toHaveLength(3), TAKEOVER)
  const ids = receiver.messages.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(1)
  await vi.waitFor(async () => expect(await listed()).toMatchObject([{ waiting: 0, failures: 0 }]), SOON)
})
