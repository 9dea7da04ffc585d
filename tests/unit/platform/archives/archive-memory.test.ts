import { describe, expect, it } from 'vitest'
import { ArchiveMemory } from '../../../../src/platform/archives/read/archive-memory.ts'

const MEBIBYTE = 1024 * 1024
const LARGEST = 130 * MEBIBYTE

describe('the memory of archives', () => {
  it('is shared: one user has no more than a share of it, and others still have room', async () => {
    const memory = new ArchiveMemory()
    const first = await memory.take(LARGEST, 'ann')
    await expect(memory.take(LARGEST, 'ann')).rejects.toMatchObject({ code: 'BUSY', details: { retryAfter: 5 } })
    using _other = await memory.take(LARGEST, 'ben')
    first[Symbol.dispose]()
    using _again = await memory.take(LARGEST, 'ann')
  })

  it('is waited for', async () => {
    const memory = new ArchiveMemory()
    const held = [await memory.take(LARGEST, 'ann'), await memory.take(LARGEST, 'ben')]
    const waiting = memory.take(LARGEST, 'eve')
    const stopped = new AbortController()
    const another = memory.take(LARGEST, 'zoe', stopped.signal)
    stopped.abort()
    await expect(another).rejects.toMatchObject({ code: 'CANCELLED' })
    held[0]?.[Symbol.dispose]()
    using _room = await waiting
    // One that gave up holds no share.
    held[1]?.[Symbol.dispose]()
    using _zoe = await memory.take(LARGEST, 'zoe')
  })

  it('is taken back from what is only kept to save work', async () => {
    const memory = new ArchiveMemory()
    const kept = [await memory.take(LARGEST), await memory.take(LARGEST)]
    const asked: number[] = []
    memory.useSpare({
      reclaim(bytes) {
        asked.push(bytes)
        kept.pop()?.[Symbol.dispose]()
      },
      giveUp: () => undefined,
    })
    using _room = await memory.take(LARGEST, 'ann')
    expect(asked).toEqual([(130 * 3 - 320) * MEBIBYTE])
    expect(kept).toHaveLength(1)
  })
})
