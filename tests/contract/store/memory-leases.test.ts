import { expect, it } from 'vitest'
import { MemoryLeases } from '../../../src/store/memory-leases.ts'
import { leasesContract } from './leases.ts'

leasesContract('leases of the only daemon', async () => {
  const leases = new MemoryLeases()
  return { one: leases, other: leases }
})

it('a holder that had to wait leaves nothing behind after its release', async () => {
  const leases = new MemoryLeases()
  const first = await leases.takeOver('a', {})
  const waiting = leases.takeOver('a', {})
  await first[Symbol.asyncDispose]()
  expect(await leases.tryAcquire('a')).toBeUndefined()
  await (await waiting)[Symbol.asyncDispose]()
  expect(await leases.list('')).toEqual([])
})
