import { expect, it, vi } from 'vitest'
import type { Stores } from '../../src/store/open-stores.ts'
import type { Shared } from '../../src/store/store.ts'
import { leasesContract } from '../contract/store/leases.ts'
import { clusterOfFile } from './opened.ts'

const { postgres, created, node } = clusterOfFile()

/** Milliseconds, instead of 15 s; no machine is so busy that a lease ends in between. */
const LIFETIME = 4000
const HANG = { timeout: 300_000, interval: 10 }

const sharedOf = ({ shared }: Stores): Shared => {
  if (shared === undefined) throw new Error('nothing is shared')
  return shared
}

async function daemons(url: string, options: { readonly lifetime?: number } = {}) {
  const opened = [await node(url, options), await node(url, options)] as const
  return { url, opened, one: sharedOf(opened[0]), other: sharedOf(opened[1]) }
}

leasesContract('leases of two daemons', async () => {
  const { one, other } = await daemons(await created())
  return { one: one.leases, other: other.leases }
})

it('a lease is renewed while its holder lives, and expires soon after its holder dies', async () => {
  const { opened, one, other } = await daemons(await created(), { lifetime: LIFETIME })
  const lease = await one.leases.takeOver('a', {})
  await new Promise((resolve) => setTimeout(resolve, 2 * LIFETIME))
  expect([lease.isLost, await other.leases.tryAcquire('a')]).toEqual([false, undefined])
  await opened[0][Symbol.asyncDispose]()
  const since = performance.now()
  const next = await other.leases.takeOver('a', {})
  expect(next.fence).toBeGreaterThan(lease.fence)
  expect(performance.now() - since).toBeLessThan(1.5 * LIFETIME)
})

it('a dead holder is listed until another daemon has cleaned up', async () => {
  const { opened, one, other } = await daemons(await created(), { lifetime: LIFETIME })
  await one.leases.takeOver('run/a', {})
  await opened[0][Symbol.asyncDispose]()
  await vi.waitFor(
    async () => expect(await other.leases.list('run/')).toMatchObject([{ name: 'run/a', isHeld: false }]),
    HANG,
  )
  await (await other.leases.tryAcquire('run/a'))?.[Symbol.asyncDispose]()
  expect(await other.leases.list('run/')).toEqual([])
})

it('a holder learns that it has lost a lease, and may no longer act', async () => {
  const { url, one, other } = await daemons(await created())
  const lease = await one.leases.takeOver('a', {})
  await postgres().query(url, 'UPDATE filemgr_leases SET until = now()')
  await using next = await other.leases.takeOver('a', {})
  await expect(lease.renew()).rejects.toMatchObject({ code: 'STORE_BUSY' })
  expect([lease.isLost, lease.signal.aborted]).toEqual([true, true])
  await lease[Symbol.asyncDispose]()
  expect([next.isLost, await one.leases.tryAcquire('a')]).toEqual([false, undefined])
})

it('a holder that releases its lease while another daemon asks for it keeps its connections', async () => {
  const { url, one, other } = await daemons(await created())
  const sessions = async () =>
    await postgres().query(url, "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 ORDER BY pid")
  const lease = await one.leases.takeOver('a', {})
  await other.leases.list('')
  const before = await sessions()
  const release = "BEGIN; DELETE FROM filemgr_leases WHERE name = 'a'; SELECT pg_sleep(1); COMMIT"
  const released = postgres().query(url, release)
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(await other.leases.tryAcquire('a')).toMatchObject({ isLost: false })
  await released
  expect(await sessions()).toEqual(before)
  await lease[Symbol.asyncDispose]()
})

it('a holder that loses the database gives up its lease before another daemon can take it', async () => {
  const url = await created()
  const { one } = await daemons(url, { lifetime: LIFETIME })
  const lease = await one.leases.takeOver('a', {})
  const until = performance.now() + LIFETIME
  await postgres().stop()
  await vi.waitFor(() => expect(lease.isLost).toBe(true), { timeout: LIFETIME, interval: 1 })
  expect(performance.now()).toBeLessThan(until)
  await lease[Symbol.asyncDispose]()
  await postgres().start()
  await vi.waitFor(async () => expect(await one.leases.tryAcquire('a')).toBeDefined(), HANG)
})

it('messages reach all other daemons in order, however many messages there are', async () => {
  const { one, other } = await daemons(await created())
  const heard = { one: [] as unknown[], other: [] as unknown[] }
  const gap = vi.fn()
  one.messages.subscribe({ received: (kind, content) => heard.one.push([kind, content]), gap })
  other.messages.subscribe({ received: (kind, content) => heard.other.push([kind, content]), gap })
  // A daemon listens for messages from its first statement on.
  for (const { leases } of [one, other]) await leases.list('')
  const sent = Array.from({ length: 500 }, (_, index) => ['files', `/${index}/${'ä'.repeat(100)}`])
  for (const [kind, content] of sent) one.messages.send(kind ?? '', content)
  await vi.waitFor(() => expect(heard.other).toEqual(sent), HANG)
  expect([heard.one, gap.mock.calls]).toEqual([[], []])
})

it('a message that is too large, or sent while a daemon is disconnected, is reported as a gap', async () => {
  const { url, one, other } = await daemons(await created())
  const gap = vi.fn()
  const heard: unknown[] = []
  other.messages.subscribe({ received: (_kind, content) => heard.push(content), gap })
  await other.leases.list('')
  one.messages.send('files', 'x'.repeat(8000))
  await vi.waitFor(() => expect(gap).toHaveBeenCalledTimes(1), HANG)
  const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'filemgr'"
  await postgres().query(url, `${end} AND datname = current_database()`)
  await vi.waitFor(() => expect(gap).toHaveBeenCalledTimes(2), HANG)
  one.messages.send('files', '/a')
  await vi.waitFor(() => expect(heard).toEqual(['/a']), HANG)
})
