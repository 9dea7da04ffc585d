import { describe, expect, it } from 'vitest'
import { ArchiveMemory } from '../../../../src/platform/archives/read/archive-memory.ts'

const MEBIBYTE = 1024 * 1024
const LARGEST = 130 * MEBIBYTE

describe('the memory of archives', () => {
  it('is shared: one user has no more than a share of it, and others still have room', async () => {
    const memory = new ArchiveMemory()
    const first = await memory.acquire(LARGEST, 'ann')
    await expect(memory.acquire(LARGEST, 'ann')).rejects.toMatchObject({ code: 'BUSY', details: { retryAfter: 5 } })
    using _other = await memory.acquire(LARGEST, 'ben')
    first[Symbol.dispose]()
    using _again = await memory.acquire(LARGEST, 'ann')
  })

  it('is waited for', async () => {
    const memory = new ArchiveMemory()
    const held = [await memory.acquire(LARGEST, 'ann'), await memory.acquire(LARGEST, 'ben')]
    const waiting = memory.acquire(LARGEST, 'eve')
    const stopped = new AbortController()
    const another = memory.acquire(LARGEST, 'zoe', stopped.signal)
    stopped.abort()
    await expect(another).rejects.toMatchObject({ code: 'CANCELLED' })
    held[0]?.[Symbol.dispose]()
    using _room = await waiting
    // One that gave up holds no share.
    held[1]?.[Symbol.dispose]()
    using _zoe = await memory.acquire(LARGEST, 'zoe')
  })

  it('is taken back from what is only kept to save work', async () => {
    const memory = new ArchiveMemory()
    const kept = [await memory.acquire(LARGEST), await memory.acquire(LARGEST)]
    const asked: number[] = []
    memory.useSpare({
      reclaim(bytes) {
        asked.push(bytes)
        kept.pop()?.[Symbol.dispose]()
      },
      giveUp: () => undefined,
    })
    using _room = await memory.acquire(LARGEST, 'ann')
    expect(asked).toEqual([(130 * 3 - 320) * MEBIBYTE])
    expect(kept).toHaveLength(1)
  })
})
