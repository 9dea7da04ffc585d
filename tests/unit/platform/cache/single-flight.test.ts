import { describe, expect, it } from 'vitest'
import { SingleFlight } from '../../../../src/platform/cache/single-flight.ts'

describe('the same work', () => {
  it('runs once for all concurrent callers, and again for later ones', async () => {
    const flights = new SingleFlight<number>()
    let runs = 0
    const gate = Promise.withResolvers<void>()
    const work = async () => {
      await gate.promise
      return (runs += 1)
    }
    const both = [flights.run('a', work), flights.run('a', work)]
    gate.resolve()
    expect(await Promise.all(both)).toEqual([1, 1])
    expect(await flights.run('a', work)).toBe(2)
  })

  it('continues while one caller still waits, and stops when none does', async () => {
    const flights = new SingleFlight<string>()
    const [first, second] = [new AbortController(), new AbortController()]
    const end = Promise.withResolvers<string>()
    let common: AbortSignal | undefined
    const work = async (signal: AbortSignal) => {
      common = signal
      return await end.promise
    }
    const one = flights.run('a', work, first.signal)
    const other = flights.run('a', work, second.signal)
    first.abort()
    await expect(one).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(common?.aborted).toBe(false)
    second.abort()
    await expect(other).rejects.toMatchObject({ code: 'CANCELLED' })
    expect(common?.aborted).toBe(true)
    const next = flights.run('a', async () => 'fresh')
    end.resolve('given up')
    expect(await next).toBe('fresh')
  })

  it('fails for all and can be tried again', async () => {
    const flights = new SingleFlight<string>()
    const failing = async () => await Promise.reject(new Error('no'))
    await Promise.all([
      expect(flights.run('a', failing)).rejects.toThrow('no'),
      expect(flights.run('a', failing)).rejects.toThrow('no'),
    ])
    expect(await flights.run('a', async () => 'yes')).toBe('yes')
  })
})
