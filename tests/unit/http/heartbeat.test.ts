import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withHeartbeat } from '../../../src/http/routes/files/search.ts'

async function* linesAtOnce(...lines: string[]): AsyncGenerator<string, void, void> {
  yield* lines
}

describe('the heartbeat of lines', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is one empty line if the first line takes long', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const lines = withHeartbeat(
      (async function* late() {
        await promise
        yield* linesAtOnce('a\n', 'b\n')
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

  it('is absent if lines come at once, or none at all', async () => {
    expect(await Array.fromAsync(withHeartbeat(linesAtOnce('a\n', 'b\n')))).toEqual(['a\n', 'b\n'])
    expect(await Array.fromAsync(withHeartbeat(linesAtOnce()))).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends the source when the reader stops', async () => {
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
