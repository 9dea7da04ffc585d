import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import type { Claim, NameLocks } from '../../src/platform/limits/name-locks.ts'
import { clusterOfFile } from './opened.ts'

const { postgres, created, node } = clusterOfFile()

const END_LOCK_SESSIONS =
  "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()"

async function daemons(count: number): Promise<{ url: string; all: NameLocks[] }> {
  const url = await created()
  const opened = await Promise.all(Array.from({ length: count }, async () => await node(url)))
  return { url, all: opened.flatMap(({ shared }) => shared?.nameLocks ?? []) }
}

/** Who gives up a claim does not wait until the others see that. */
async function claimed(locks: NameLocks | undefined, name: string): Promise<Claim> {
  return await vi.waitFor(
    async () => (await locks?.claim(name)) ?? (await Promise.reject(new Error('it is claimed'))),
    { timeout: 300_000 },
  )
}

async function seenBy(claim: Claim): Promise<(name: string) => boolean> {
  return (await claim.others()) ?? (() => false)
}

it('a name has one holder among all daemons, and calls that take several names in any order do not block each other', async () => {
  const { all } = await daemons(3)
  const held = new Map<string, number>()
  const hold = async (locks: NameLocks, names: readonly string[]) => {
    using lock = await locks.acquire(names)
    for (const name of names) held.set(name, (held.get(name) ?? 0) + 1)
    await pause(1)
    await lock.confirm()
    for (const name of names) expect(held.get(name)).toBe(1)
    for (const name of names) held.set(name, 0)
  }
  const sets = [['a', 'b'], ['b', 'a'], ['b', 'c'], ['c', 'a'], ['a']]
  await Promise.all(all.flatMap((locks) => [...sets, ...sets].map(async (names) => await hold(locks, names))))
})

it('a lock that is freed after the store was closed does not keep the process busy', async () => {
  const stores = await node(await created())
  const held = await stores.shared?.nameLocks.acquire(['a'])
  await stores[Symbol.asyncDispose]()
  held?.[Symbol.dispose]()
  // An endless loop would let no timer run.
  await pause(100)
})

describe('a claim', () => {
  it('has one holder among all daemons, locks nothing, and is seen by all who take a name later', async () => {
    const { all } = await daemons(2)
    for (const [one, other] of [all, all.toReversed()]) {
      const claim = await claimed(one, 'a')
      expect([await one?.claim('a'), await other?.claim('a')]).toEqual([undefined, undefined])
      using another = await claimed(other, 'b')
      for (const locks of all) {
        using held = await locks.acquire(['a'])
        const isClaimed = await held.claims()
        expect(['a', 'b', 'c'].map((name) => isClaimed?.(name))).toEqual([true, true, false])
      }
      expect(['a', 'b'].map(await seenBy(claim))).toEqual([false, true])
      expect(['a', 'b'].map(await seenBy(another))).toEqual([true, false])
      claim[Symbol.dispose]()
      await vi.waitFor(async () => expect(await another.others()).toBeUndefined(), { timeout: 300_000 })
      using _again = await claimed(other, 'a')
    }
    using held = await all[0]?.acquire(['a'])
    await vi.waitFor(async () => expect(await held?.claims()).toBeUndefined(), { timeout: 300_000 })
  })

  it('waits for those who may not have seen it, in any daemon', async () => {
    const { all } = await daemons(2)
    const [one] = all
    for (const locks of all) {
      const held = await locks.acquire(['x'])
      expect(await held.claims()).toBeUndefined()
      using claim = await claimed(one, 'a')
      const order: string[] = []
      const others = claim.others().then(() => order.push('seen'))
      await pause(100)
      order.push('done')
      held[Symbol.dispose]()
      await others
      expect(order).toEqual(['done', 'seen'])
    }
  })

  it('is kept when the session of the daemon ends', async () => {
    const { url, all } = await daemons(2)
    const [one, other] = all
    using claim = await one?.claim('a')
    await postgres().query(url, END_LOCK_SESSIONS)
    // The next lock opens another session.
    ;(await vi.waitFor(async () => await one?.acquire(['x']), { timeout: 300_000 }))?.[Symbol.dispose]()
    expect(await vi.waitFor(async () => await other?.claim('a'), { timeout: 300_000 })).toBeUndefined()
    claim?.[Symbol.dispose]()
    using _again = await claimed(other, 'a')
  })
})

it('a daemon with many calls for a name does not keep another one from it', async () => {
  const { all } = await daemons(2)
  const [busy, other] = all
  let isOver = false
  let taken = 0
  const often = async () => {
    while (!isOver) {
      using _lock = await busy?.acquire(['a'])
      taken += 1
      await pause(1)
    }
  }
  const calls = Array.from({ length: 4 }, often)
  for (let count = 0; count < 5; count += 1) {
    using _lock = await other?.acquire(['a'])
  }
  isOver = true
  await Promise.all(calls)
  expect(taken).toBeLessThan(100)
})

it('a holder whose session ends is told before the effect, and others get the name', async () => {
  const { url, all } = await daemons(2)
  const [one, other] = all
  using lock = await one?.acquire(['a'])
  await lock?.confirm()
  await postgres().query(url, END_LOCK_SESSIONS)
  using _taken = await other?.acquire(['a'])
  await expect(lock?.confirm()).rejects.toMatchObject({ code: 'STORE_BUSY' })
})

it('while the database is away, no name can be held; afterwards it can', async () => {
  const { all } = await daemons(1)
  const [locks] = all
  ;(await locks?.acquire(['a']))?.[Symbol.dispose]()
  await postgres().stop()
  await expect(locks?.acquire(['a'])).rejects.toMatchObject({ code: 'STORE_BUSY' })
  await postgres().start()
  using lock = await locks?.acquire(['a'])
  await lock?.confirm()
})
