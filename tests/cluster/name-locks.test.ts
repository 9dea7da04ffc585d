import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { NameLocks } from '../../src/platform/limits/name-locks.ts'
import { clusterOfFile } from './opened.ts'

const { postgres, created, node } = clusterOfFile()

async function daemons(count: number): Promise<{ url: string; all: NameLocks[] }> {
  const url = await created()
  const opened = await Promise.all(Array.from({ length: count }, async () => await node(url)))
  return { url, all: opened.flatMap(({ shared }) => shared?.nameLocks ?? []) }
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

it('who does not wait for a name learns that somebody has it', async () => {
  const { all } = await daemons(2)
  const [one, other] = all
  {
    using _held = await one?.tryAcquire('a')
    expect(await one?.tryAcquire('a')).toBeUndefined()
    expect(await other?.tryAcquire('a')).toBeUndefined()
    using another = await other?.tryAcquire('b')
    await another?.confirm()
  }
  using lock = await other?.acquire(['a'])
  await lock?.confirm()
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
  await postgres().query(
    url,
    "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND pid <> pg_backend_pid()",
  )
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
