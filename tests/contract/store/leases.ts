import { describe, expect, it } from 'vitest'
import type { Lease, Leases } from '../../../src/store/store.ts'

/** Lets everything run first that is ready to run. */
const settled = async () => await new Promise((resolve) => setImmediate(resolve))

/** What all leases must do, whether two daemons share them or one daemon has them alone. */
export function leasesContract(title: string, open: () => Promise<{ one: Leases; other: Leases }>): void {
  describe(title, () => {
    it('give a name to one holder at a time, until it is released', async () => {
      const { one, other } = await open()
      const first = await one.tryAcquire('a')
      expect(first?.signal.aborted).toBe(false)
      expect([await other.tryAcquire('a'), await one.tryAcquire('a')]).toEqual([undefined, undefined])
      await first?.[Symbol.asyncDispose]()
      expect(await other.tryAcquire('a')).toBeDefined()
    })

    it('give other names meanwhile', async () => {
      const { one, other } = await open()
      expect([await one.tryAcquire('a'), await other.tryAcquire('b')]).not.toContain(undefined)
    })

    it('give increasing numbers to their holders, also after a release', async () => {
      const { one, other } = await open()
      const fences: number[] = []
      for (const leases of [one, other, one, other]) {
        await using lease = await leases.takeOver('a', {})
        fences.push(lease.fence)
      }
      expect(fences).toEqual(fences.toSorted((a, b) => a - b))
      expect(new Set(fences).size).toBe(4)
    })

    it('tell a holder why another one wants the name, and wait for the release', async () => {
      const { one, other } = await open()
      const first = await one.takeOver('a', {})
      let isTaken = false
      const second = other.takeOver('a', { kind: 'resume', from: 7 }).then((lease) => {
        isTaken = true
        return lease
      })
      await expect.poll(() => first.signal.aborted).toBe(true)
      expect([first.signal.reason, first.isLost, isTaken]).toEqual([{ kind: 'resume', from: 7 }, false, false])
      // The holder may still finish its work.
      await first.renew()
      await first[Symbol.asyncDispose]()
      await using lease = await second
      expect(lease.signal.aborted).toBe(false)
    })

    it('let one holder work at a time, however many ask', async () => {
      const { one, other } = await open()
      const working: number[] = []
      let most = 0
      const work = async (index: number) => {
        await using lease = await (index % 2 === 0 ? one : other).takeOver('a', { index })
        expect(lease.isLost).toBe(false)
        working.push(index)
        most = Math.max(most, working.length)
        await settled()
        working.splice(working.indexOf(index), 1)
      }
      const works = Array.from({ length: 20 }, async (_, index) => await work(index))
      const refused = (await Promise.allSettled(works)).filter(({ status }) => status === 'rejected')
      for (const { reason } of refused as PromiseRejectedResult[]) expect(reason).toMatchObject({ code: 'CONFLICT' })
      expect(most).toBe(1)
      expect(await one.tryAcquire('a')).toBeDefined()
    })

    it('list their current holders', async () => {
      const { one, other } = await open()
      const held: (Lease | undefined)[] = []
      for (const name of ['run/a', 'run/b', 'other']) held.push(await one.tryAcquire(name))
      await held[0]?.[Symbol.asyncDispose]()
      expect(await other.list('run/')).toMatchObject([{ name: 'run/b', isHeld: true }])
    })
  })
}
