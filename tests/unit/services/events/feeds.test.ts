import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { UserId } from '../../../../src/domain/ids.ts'
import { JobQueue } from '../../../../src/platform/limits/job-queue.ts'
import { systemRandom } from '../../../../src/platform/security/random.ts'
import { feedJobs } from '../../../../src/services/events/events.ts'
import { Debounce } from '../../../../src/services/events/debounce.ts'
import { movableClock } from '../../../helpers/movable-clock.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const SLOW = { delay: 150, pause: 1000 }
const FAST = { delay: 0, pause: 250 }

describe('debouncing', () => {
  it('gathers words, and tells of a lasting change no more often than its pause', () => {
    const tell = vi.fn()
    using debounce = new Debounce(tell)
    for (let time = 0; time < 3000; time += 10) {
      debounce.trigger(SLOW)
      vi.advanceTimersByTime(10)
    }
    expect(tell).toHaveBeenCalledTimes(3)
  })

  it('brings forward what is due when something more urgent comes, and tells of both at once', () => {
    const tell = vi.fn()
    using debounce = new Debounce(tell)
    debounce.trigger(SLOW)
    debounce.trigger(FAST)
    expect(tell).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(5000)
    expect(tell).toHaveBeenCalledTimes(1)
  })

  it('tells of the last word too', () => {
    const tell = vi.fn()
    using debounce = new Debounce(tell)
    debounce.trigger(FAST)
    debounce.trigger(FAST)
    vi.advanceTimersByTime(250)
    expect(tell).toHaveBeenCalledTimes(2)
  })
})

describe('news of a job', () => {
  it('come at once with its state, and four times a second with its progress', async () => {
    const queue = new JobQueue({ clock: movableClock(), random: systemRandom })
    const told: [state: string, bytes: number][] = []
    feedJobs(queue, ({ state, progress }) => told.push([state, progress.bytes]))
    const { promise, resolve } = Promise.withResolvers<void>()
    const started = queue.start({ kind: 'copy', userID: 1 as UserId, path: '/' }, async ({ advance }) => {
      for (let turn = 0; turn < 1000; turn += 1) {
        advance(1, 0)
        vi.advanceTimersByTime(1)
      }
      await promise
      return {}
    })
    expect(told.slice(0, 2)).toEqual([
      ['waiting', 0],
      ['running', 0],
    ])
    expect(told.length).toBeLessThanOrEqual(8)
    expect(told.length).toBeGreaterThan(4)
    resolve()
    await started.done
    expect(told.at(-1)).toEqual(['done', 1000])
    vi.advanceTimersByTime(5000)
    expect(told.at(-1)).toEqual(['done', 1000])
    await queue[Symbol.asyncDispose]()
  })
})
