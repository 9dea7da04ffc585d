import { describe, expect, it } from 'vitest'
import { createLimiter } from '../../../../src/platform/limits/limiter.ts'

describe('a limiter', () => {
  it('runs a few at once, in the order they came', async () => {
    const limiter = createLimiter({ concurrent: 2, waiting: 10 })
    const started: number[] = []
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
    const all = gates.map(async (gate, index) => {
      await limiter.run(async () => {
        started.push(index)
        await gate.promise
      })
    })
    await Promise.resolve()
    expect(started).toEqual([0, 1])
    gates[1]?.resolve()
    await all[1]
    await Promise.resolve()
    expect(started).toEqual([0, 1, 2])
    for (const gate of gates) gate.resolve()
    await Promise.all(all)
    expect(started).toEqual([0, 1, 2, 3])
  })

  it('starts the next work after one has failed', async () => {
    const limiter = createLimiter({ concurrent: 1, waiting: 1 })
    const failed = limiter.run(async () => {
      throw new Error('no')
    })
    const next = limiter.run(async () => 'yes')
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('yes')
  })

  it('refuses work when too much is waiting, and accepts more once some is done', async () => {
    const limiter = createLimiter({ concurrent: 1, waiting: 1 })
    const gate = Promise.withResolvers<void>()
    const running = limiter.run(async () => await gate.promise)
    const waiting = limiter.run(async () => 1)
    await expect(limiter.run(async () => 2)).rejects.toMatchObject({ code: 'BUSY' })
    gate.resolve()
    await Promise.all([running, waiting])
    expect(await limiter.run(async () => 3)).toBe(3)
  })

  it('removes work from the queue when its caller cancels it', async () => {
    const limiter = createLimiter({ concurrent: 1, waiting: 2 })
    const gate = Promise.withResolvers<void>()
    const abort = new AbortController()
    const running = limiter.run(async () => await gate.promise)
    const cancelled = limiter.run(async () => 1, abort.signal)
    const next = limiter.run(async () => 2)
    abort.abort()
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' })
    gate.resolve()
    await running
    expect(await next).toBe(2)
    await expect(limiter.run(async () => 3, abort.signal)).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  it('serves owners in turn, however much one of them has waiting', async () => {
    const limiter = createLimiter({ concurrent: 1, waiting: 20 })
    const done: string[] = []
    const gate = Promise.withResolvers<void>()
    const running = limiter.run(async () => await gate.promise)
    const work = async (owner: string, name: string) =>
      await limiter.run(async () => void done.push(name), undefined, owner)
    const all = [
      ...['a1', 'a2', 'a3', 'a4'].map(async (name) => await work('a', name)),
      ...['b1', 'b2'].map(async (name) => await work('b', name)),
      work('c', 'c1'),
    ]
    gate.resolve()
    await Promise.all([running, ...all])
    expect(done).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
  })

  it('lets no owner fill the queue: the last work of the owner with the most makes room', async () => {
    const limiter = createLimiter({ concurrent: 1, waiting: 3 })
    const gate = Promise.withResolvers<void>()
    const running = limiter.run(async () => await gate.promise)
    const ask = async (owner: string, name: string) => await limiter.run(async () => name, undefined, owner)
    const ofOne = ['a1', 'a2', 'a3'].map(async (name) => await ask('a', name))
    const outcomes = Promise.allSettled(ofOne)
    const ofOther = ask('b', 'b1')
    await expect(ask('b', 'b2')).rejects.toMatchObject({ code: 'BUSY' })
    await expect(ask('a', 'a4')).rejects.toMatchObject({ code: 'BUSY' })
    gate.resolve()
    await running
    expect(await ofOther).toBe('b1')
    expect(await outcomes).toMatchObject([{ value: 'a1' }, { value: 'a2' }, { reason: { code: 'BUSY' } }])
  })
})
