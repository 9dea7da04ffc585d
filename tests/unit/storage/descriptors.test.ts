import { describe, expect, it } from 'vitest'
import { Descriptors } from '../../../src/storage/local/scope/run-operation.ts'
import { errorLike } from '../../helpers/unit/error-like.ts'

describe('descriptors', () => {
  it('go to waiting callers in order, as they are released', async () => {
    const descriptors = new Descriptors(2)
    const first = await descriptors.acquire(2)
    const began: string[] = []
    const waiting = [1, 2].map(async (count) => {
      using _held = await descriptors.acquire(count)
      began.push(`took ${count}`)
    })
    first[Symbol.dispose]()
    await Promise.all(waiting)
    expect(began).toEqual(['took 1', 'took 2'])
  })

  it('go to later callers when the first one, who needs more, has waited too long', async () => {
    const descriptors = new Descriptors(3, 100)
    using _held = await descriptors.acquire(2)
    const many = expect(descriptors.acquire(3)).rejects.toThrow(errorLike('BUSY'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    using _one = await descriptors.acquire(1)
    await many
  })

  it('are waited for without a timeout by callers that allow it, until they abort', async () => {
    const descriptors = new Descriptors(2, Infinity)
    using held = await descriptors.acquire(2)
    const abort = new AbortController()
    const stopped = expect(descriptors.acquire(1, abort.signal)).rejects.toThrow(errorLike('CANCELLED'))
    let isTaken = false
    const waiting = descriptors.acquire(1).finally(() => (isTaken = true))
    await new Promise((resolve) => setTimeout(resolve, 20))
    abort.abort()
    await stopped
    expect(isTaken).toBe(false)
    held[Symbol.dispose]()
    using _one = await waiting
  })
})
