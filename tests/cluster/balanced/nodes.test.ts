import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import type { UserView } from '../../../src/domain/accounts/user.ts'
import { SOON, TAKEOVER } from '../machines.ts'
import { type Cluster, clusterOfFile } from './cluster.ts'

const cluster = clusterOfFile()

const MiB = 1024 * 1024

it('20 administrators change the users at the same time, and no change is lost', async () => {
  const { askAny, ask, all, one } = cluster()
  const writers = Array.from({ length: 20 }, (_, number) => `writer${number}`)
  const body = (which: readonly string[], data: object) =>
    JSON.stringify({ what: 'user', which, current_password: one.password, data })
  const data = { password: 'a long passphrase', scope: '/', viewMode: 'list' }
  const added = writers.map(
    async (username) => await askAny('api/users', { method: 'POST', body: body([], { ...data, username }) }),
  )
  expect((await Promise.all(added)).map(({ status }) => status)).toEqual(Array(20).fill(201))
  const usersAt = async (daemon: Cluster['one']) => (await (await ask(daemon, 'api/users')).json()) as UserView[]
  for (const daemon of all) await vi.waitFor(async () => expect(await usersAt(daemon)).toHaveLength(21), SOON)

  const users = (await usersAt(one)).filter(({ username }) => writers.includes(username))
  expect(users.map(({ username }) => username).toSorted()).toEqual(writers.toSorted())
  const changed = users.map(async ({ id, username }) => {
    if (username.endsWith('7')) return await askAny(`api/users/${id}`, { method: 'DELETE', body: body([], {}) })
    const change = body(['locale', 'commands'], { id, locale: 'de', commands: [username] })
    return await askAny(`api/users/${id}`, { method: 'PUT', body: change })
  })
  expect((await Promise.all(changed)).map(({ status }) => status)).toEqual(Array(20).fill(200))
  const kept = writers.filter((name) => !name.endsWith('7')).toSorted()
  for (const daemon of all)
    await vi.waitFor(async () => {
      const seen = (await usersAt(daemon)).filter(({ locale }) => locale === 'de')
      expect(seen.map(({ username, commands }) => [username, ...commands]).toSorted()).toEqual(
        kept.map((name) => [name, name]),
      )
    }, SOON)
})

it('a session that is revoked at any daemon ends at all of them within a second', async () => {
  const { askAny, all, balancer, one } = cluster()
  const body = JSON.stringify({ username: one.username, password: one.password })
  const token = await (await fetch(`${balancer}api/login`, { method: 'POST', body })).text()
  const statuses = async () =>
    await Promise.all(
      all.map(async ({ url }) => (await fetch(`${url}api/users`, { headers: { 'x-auth': token } })).status),
    )
  await vi.waitFor(async () => expect(await statuses()).toEqual([200, 200, 200]), SOON)
  const own = await fetch(`${balancer}api/sessions`, { headers: { 'x-auth': token } })
  const current = ((await own.json()) as { id: string; current: boolean }[]).find((session) => session.current)
  const revoked = await askAny(`api/sessions/${current?.id}`, { method: 'DELETE' })
  const since = performance.now()
  expect(revoked.status).toBe(204)
  await vi.waitFor(async () => expect(await statuses()).toEqual([401, 401, 401]), SOON)
  expect(performance.now() - since).toBeLessThan(1000)
})

it('during a restart of PostgreSQL under load, requests are refused and no acknowledged change is lost', async () => {
  const { askAny, ask, all, postgres } = cluster()
  const [files, links, refusals]: [string[], string[], string[]] = [[], [], []]
  let isOver = false
  const write = async (path: string, init: RequestInit) => {
    const reply = await askAny(path, { method: 'POST', ...init })
    const text = await reply.text()
    if (reply.status === 200) return text
    refusals.push(`${reply.status}, Retry-After: ${reply.headers.get('retry-after')}`)
    return undefined
  }
  const writer = async (number: number) => {
    for (let round = 0; !isOver; round++) {
      const name = `load/${number}-${round}.txt`
      if ((await write(`api/resources/${name}`, { body: name })) === undefined) continue
      files.push(name)
      const link = await write(`api/share/${name}`, { body: '{}' })
      if (link !== undefined) links.push((JSON.parse(link) as { hash: string }).hash)
    }
  }
  const writers = Array.from({ length: 8 }, async (_, number) => await writer(number))
  const grown = async (list: readonly string[]) => {
    const enough = list.length + 20
    await vi.waitFor(() => expect(list.length).toBeGreaterThan(enough), { timeout: 300_000, interval: 20 })
  }
  await grown(links)
  await postgres.stop()
  await vi.waitFor(() => expect(refusals.length).toBeGreaterThan(8), { timeout: 300_000 })
  await postgres.start()
  await grown(links)
  isOver = true
  await Promise.all(writers)

  expect(new Set(refusals)).toEqual(new Set(['503, Retry-After: 2']))
  const listing = (await (await askAny('api/resources/load/')).json()) as { items: { name: string }[] }
  const stored = new Set(listing.items.map(({ name }) => `load/${name}`))
  expect(files.filter((name) => !stored.has(name))).toEqual([])
  for (const daemon of all)
    await vi.waitFor(async () => {
      const known = (await (await ask(daemon, 'api/shares')).json()) as { hash: string }[]
      const hashes = new Set(known.map(({ hash }) => hash))
      expect(links.filter((hash) => !hashes.has(hash))).toEqual([])
    }, SOON)
})

it('uploads through the balancer continue when a daemon is killed, and arrive complete', async () => {
  const { askAny, all } = cluster()
  const size = 12 * MiB
  let hasDied = false
  const broken: string[] = []
  const offsetOf = ({ headers }: Response) => Number(headers.get('upload-offset'))

  const begin = async (name: string) => {
    const headers = { 'upload-length': String(size) }
    return (await askAny(`api/tus/${name}`, { method: 'POST', headers })).status
  }
  /** Asks for the offset after each request that failed, as clients do. */
  const send = async (name: string, body: Buffer) => {
    const path = `api/tus/${name}`
    for (let offset = 0; offset < size;) {
      const headers = { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
      const sent = { method: 'PATCH', headers, body: slowly(body.subarray(offset)), duplex: 'half' }
      const reply = await askAny(path, sent as RequestInit).catch(() => undefined)
      if (reply?.status === 204) offset = offsetOf(reply)
      else {
        broken.push(name)
        expect([hasDied, reply?.status ?? 502, await reply?.text()]).toEqual([true, 502, expect.anything()])
        await vi.waitFor(async () => {
          const head = await askAny(path, { method: 'HEAD' })
          expect(head.status).toBe(200)
          offset = offsetOf(head)
        }, TAKEOVER)
      }
    }
    const raw = Buffer.from(await (await askAny(`api/raw/${name}`)).arrayBuffer())
    return raw.equals(body)
  }
  const names = ['one.bin', 'two.bin', 'three.bin']
  // At the same time, each at a different daemon.
  expect(await Promise.all(names.map(begin))).toEqual([201, 201, 201])
  const outcomes = Promise.allSettled(names.map(async (name) => await send(name, randomBytes(size))))
  await pause(500)
  hasDied = true
  await all[0]?.stop('SIGKILL')
  expect(await outcomes).toEqual(Array(3).fill({ status: 'fulfilled', value: true }))
  // Round robin: each daemon had one of the three.
  expect(broken).toHaveLength(1)
})

/** A body that takes a second. */
function slowly(body: Buffer): ReadableStream<Uint8Array> {
  let offset = 0
  return new ReadableStream({
    async pull(controller) {
      await pause(80)
      controller.enqueue(new Uint8Array(body.subarray(offset, offset + MiB)))
      offset += MiB
      if (offset >= body.length) controller.close()
    },
  })
}
