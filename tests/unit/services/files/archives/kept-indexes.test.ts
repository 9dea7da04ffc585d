import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ROOT } from '../../../../../src/domain/files/virtual-path.ts'
import { ArchiveMemory } from '../../../../../src/platform/archives/read/archive-memory.ts'
import { HeavyMemory } from '../../../../../src/platform/limits/heavy-memory.ts'
import { ArchiveIndex } from '../../../../../src/services/files/archives/archive-index.ts'
import { packRows } from '../../../../../src/services/files/archives/index-rows.ts'
import { KeptIndexes } from '../../../../../src/services/files/archives/kept-indexes.ts'

const IDLE = 1000
const MAX = 10_000

describe('kept indexes', () => {
  let heavy: HeavyMemory
  let kept: KeptIndexes
  const index = new ArchiveIndex({ rows: packRows(new Map([[ROOT, new Map()]])), leftOut: [], encoding: undefined })

  beforeEach(() => {
    vi.useFakeTimers()
    heavy = new HeavyMemory({ max: MAX })
    kept = new KeptIndexes(new ArchiveMemory(heavy), IDLE)
  })

  afterEach(() => {
    kept[Symbol.dispose]()
    vi.useRealTimers()
    expect(heavy.tryAcquire(MAX)).toBeDefined()
  })

  it('are forgotten when nobody has used them for a while', async () => {
    const first = await kept.add('a', index)
    await vi.advanceTimersByTimeAsync(2 * IDLE)
    first[Symbol.dispose]()
    await vi.advanceTimersByTimeAsync(IDLE - 1)
    kept.use('a')?.[Symbol.dispose]()
    await vi.advanceTimersByTimeAsync(IDLE - 1)
    const second = kept.use('a')
    expect(second?.index).toBe(index)
    second?.[Symbol.dispose]()
    await vi.advanceTimersByTimeAsync(IDLE)
    expect(kept.use('a')).toBeUndefined()
  })

  it('give their memory to others who wait, at once or when their user has ended', async () => {
    const used = await kept.add('a', index)
    ;(await kept.add('b', index))[Symbol.dispose]()
    let isTaken = false
    const waiting = heavy.acquire(MAX).then((lease) => {
      isTaken = true
      lease[Symbol.dispose]()
    })
    expect([kept.use('a'), kept.use('b')]).toEqual([undefined, undefined])
    await vi.advanceTimersByTimeAsync(1)
    expect(isTaken).toBe(false)
    used[Symbol.dispose]()
    await waiting
  })
})
