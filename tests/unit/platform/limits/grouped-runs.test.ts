import { describe, expect, it } from 'vitest'
import { DiskWait } from '../../../../src/platform/limits/disk-wait.ts'
import { GroupedRuns } from '../../../../src/platform/limits/grouped-runs.ts'

/** Work whose runs end one by one. */
function stepwise() {
  const runs: PromiseWithResolvers<void>[] = []
  const work = async () => {
    const run = Promise.withResolvers<void>()
    runs.push(run)
    await run.promise
  }
  return { runs, work }
}

const settled = async (promise: Promise<void>) => (await Promise.allSettled([promise]))[0].status

describe('runs that are shared', () => {
  it('cover callers who came before the run began, but none who came later', async () => {
    const [grouped, key, { runs, work }] = [new GroupedRuns<object>(1000), {}, stepwise()]
    const first = grouped.run(key, work)
    const later = [grouped.run(key, work), grouped.run(key, work)]
    expect(runs).toHaveLength(1)
    runs[0]?.resolve()
    await first
    await expect.poll(() => runs.length).toBe(2)
    const last = grouped.run(key, work)
    runs[1]?.resolve()
    await Promise.all(later)
    await expect.poll(() => runs.length).toBe(3)
    runs[2]?.resolve()
    await last
    expect(runs).toHaveLength(3)
  })

  it('fail for all callers whom they cover, and for none after them', async () => {
    const [grouped, key, { runs, work }] = [new GroupedRuns<object>(1000), {}, stepwise()]
    const first = settled(grouped.run(key, work))
    const second = [settled(grouped.run(key, work)), settled(grouped.run(key, work))]
    runs[0]?.reject(new Error('the first fails'))
    expect(await first).toBe('rejected')
    await expect.poll(() => runs.length).toBe(2)
    const third = settled(grouped.run(key, work))
    runs[1]?.reject(new Error('the second fails'))
    expect(await Promise.all(second)).toEqual(['rejected', 'rejected'])
    await expect.poll(() => runs.length).toBe(3)
    runs[2]?.resolve()
    expect(await third).toBe('fulfilled')
  })

  it('keep nobody waiting for longer than the timeout while the disk stalls', async () => {
    const [grouped, key, { runs, work }] = [new GroupedRuns<object>(1), {}, stepwise()]
    const first = grouped.run(key, work)
    const waiting = new DiskWait().run(async () => await grouped.run(key, work))
    await expect(waiting).rejects.toMatchObject({ code: 'BUSY' })
    runs[0]?.resolve()
    await first
  })
})
