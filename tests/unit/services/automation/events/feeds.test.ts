import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { UserId } from '../../../../../src/domain/ids.ts'
import { JobQueue } from '../../../../../src/platform/limits/job-queue.ts'
import { systemRandom } from '../../../../../src/platform/security/random.ts'
import { feedJobs } from '../../../../../src/services/automation/events/events.ts'
import { Debounce } from '../../../../../src/services/automation/events/debounce.ts'
import { movableClock } from '../../../../helpers/movable-clock.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const SLOW = { delay: 150, pause: 1000 }
const FAST = { delay: 0, pause: 250 }

describe('debouncing', () => {
  it('gathers triggers, and notifies of a lasting change no more often than its pause allows', () => {
    const notify = vi.fn()
    using debounce = new Debounce(notify)
    for (let time = 0; time < 3000; time += 10) {
      debounce.trigger(SLOW)
      vi.advanceTimersByTime(10)
    }
    expect(notify).toHaveBeenCalledTimes(3)
  })

  it('notifies early when a more urgent trigger comes, once for both', () => {
    const notify = vi.fn()
    using debounce = new Debounce(notify)
    debounce.trigger(SLOW)
    debounce.trigger(FAST)
    expect(notify).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(5000)
    expect(notify).toHaveBeenCalledTimes(1)
  })

  it('notifies of the last trigger, too', () => {
    const notify = vi.fn()
    using debounce = new Debounce(notify)
    debounce.trigger(FAST)
    debounce.trigger(FAST)
    vi.advanceTimersByTime(250)
    expect(notify).toHaveBeenCalledTimes(2)
  })
})

describe('news of a job', () => {
  it('come at once with its state, and four times a second with its progress', async () => {
    const queue = new JobQueue({ clock: movableClock(), random: systemRandom })
    const news: [state: string, bytes: number][] = []
    feedJobs(queue, ({ state, progress }) => news.push([state, progress.bytes]))
    const { promise, resolve } = Promise.withResolvers<void>()
    const started = queue.start({ kind: 'copy', userID: 1 as UserId, path: '/' }, async ({ advance }) => {
      for (let turn = 0; turn < 1000; turn += 1) {
        advance(1, 0)
        vi.advanceTimersByTime(1)
      }
      await promise
      return {}
    })
    expect(news.slice(0, 2)).toEqual([
      ['waiting', 0],
      ['running', 0],
    ])
    expect(news.length).toBeLessThanOrEqual(8)
    expect(news.length).toBeGreaterThan(4)
    resolve()
    await started.done
    expect(news.at(-1)).toEqual(['done', 1000])
    vi.advanceTimersByTime(5000)
    expect(news.at(-1)).toEqual(['done', 1000])
    await queue[Symbol.asyncDispose]()
  })
})
