import { describe, expect, it, vi } from 'vitest'
import { HeavyMemory } from '../../../../src/platform/limits/heavy-memory.ts'

describe('the memory of heavy work', () => {
  it('is given in order: a small request does not overtake a large one', async () => {
    const memory = new HeavyMemory({ max: 100 })
    const first = await memory.acquire(80)
    const order: string[] = []
    const large = memory.acquire(90).then((permit) => {
      order.push('large')
      return permit
    })
    const small = memory.acquire(10).then((permit) => {
      order.push('small')
      return permit
    })
    expect(memory.tryAcquire(1)).toBeUndefined()
    first[Symbol.dispose]()
    using _large = await large
    using _small = await small
    expect(order).toEqual(['large', 'small'])
    expect(memory.isWanted).toBe(false)
  })

  it('is refused after a while, with the time of the next try, and then given to the next', async () => {
    const memory = new HeavyMemory({ max: 100, timeout: 50 })
    using _held = await memory.acquire(60)
    const large = memory.acquire(90)
    const small = memory.acquire(40)
    await expect(large).rejects.toMatchObject({ code: 'BUSY', details: { retryAfter: 5 } })
    using _small = await small
  })

  it('is not held by who leaves while waiting', async () => {
    const memory = new HeavyMemory({ max: 100 })
    const held = await memory.acquire(60)
    const leaving = new AbortController()
    const waiting = memory.acquire(90, leaving.signal)
    leaving.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect(memory.acquire(1, leaving.signal)).rejects.toMatchObject({ code: 'CANCELLED' })
    held[Symbol.dispose]()
    expect(memory.tryAcquire(100)).toBeDefined()
  })

  it('is given up by those who hold it only to save work, as soon as someone waits', async () => {
    const memory = new HeavyMemory({ max: 100 })
    const idle = await memory.acquire(80)
    let calls = 0
    const spare = memory.onWanted(() => {
      calls += 1
      idle[Symbol.dispose]()
    })
    using _first = await memory.acquire(20)
    expect(calls).toBe(0)
    using _second = await memory.acquire(50)
    expect(calls).toBe(1)
    spare[Symbol.dispose]()
    const leaving = new AbortController()
    const third = memory.acquire(50, leaving.signal)
    leaving.abort()
    await expect(third).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(calls).toBe(1)
  })

  it('lets those who wait go before work that needs no more of it', async () => {
    const memory = new HeavyMemory({ max: 100 })
    await memory.letOthersFirst()
    const held = await memory.acquire(60)
    const order: string[] = []
    const waiting = memory.acquire(90).then((permit) => {
      order.push('waiting')
      permit[Symbol.dispose]()
    })
    const polite = memory.letOthersFirst().then(() => order.push('polite'))
    held[Symbol.dispose]()
    await Promise.all([waiting, polite])
    expect(order).toEqual(['waiting', 'polite'])
  })

  it('lets them go first only for a while: a slow client must not stop everybody', async () => {
    const memory = new HeavyMemory({ max: 100, patience: 20 })
    using _held = await memory.acquire(60)
    const leaving = new AbortController()
    const waiting = memory.acquire(90, leaving.signal)
    await memory.letOthersFirst()
    expect(memory.isWanted).toBe(true)
    leaving.abort()
    await expect(memory.letOthersFirst(leaving.signal)).rejects.toMatchObject({ code: 'CANCELLED' })
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
  })

  it('says when all of it has been free for a while', async () => {
    vi.useFakeTimers()
    const rests: number[] = []
    const memory = new HeavyMemory({ max: 100, onRest: () => void rests.push(Date.now()) })
    const [first, second] = [await memory.acquire(60), await memory.acquire(40)]
    first[Symbol.dispose]()
    await vi.advanceTimersByTimeAsync(60_000)
    second[Symbol.dispose]()
    await vi.advanceTimersByTimeAsync(4000)
    const third = await memory.acquire(10)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(rests).toEqual([])
    third[Symbol.dispose]()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(rests).toHaveLength(1)
    vi.useRealTimers()
  })
})
