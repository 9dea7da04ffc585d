import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withHeartbeat } from '../../../src/http/routes/search.ts'

async function* soon(...lines: string[]): AsyncGenerator<string, void, void> {
  yield* lines
}

describe('the heartbeat of lines', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is one empty line when the first is long in coming', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const lines = withHeartbeat(
      (async function* late() {
        await promise
        yield* soon('a\n', 'b\n')
      })(),
    )
    const first = lines.next()
    await vi.advanceTimersByTimeAsync(4999)
    expect(await Promise.race([first, Promise.resolve('nothing yet')])).toBe('nothing yet')
    await vi.advanceTimersByTimeAsync(1)
    expect(await first).toEqual({ done: false, value: '\n' })
    const second = lines.next()
    await vi.advanceTimersByTimeAsync(20_000)
    resolve()
    expect(await second).toEqual({ done: false, value: 'a\n' })
    expect(await Array.fromAsync(lines)).toEqual(['b\n'])
  })

  it('is not there when lines come, nor when there are none', async () => {
    expect(await Array.fromAsync(withHeartbeat(soon('a\n', 'b\n')))).toEqual(['a\n', 'b\n'])
    expect(await Array.fromAsync(withHeartbeat(soon()))).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends the lines when nobody reads on', async () => {
    let isEnded = false
    const lines = withHeartbeat(
      (async function* endless() {
        try {
          for (;;) yield 'a\n'
        } finally {
          isEnded = true
        }
      })(),
    )
    await lines.next()
    await lines.return()
    expect([isEnded, vi.getTimerCount()]).toEqual([true, 0])
  })
})
