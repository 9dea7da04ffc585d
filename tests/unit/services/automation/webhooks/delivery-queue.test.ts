import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../../../src/domain/automation/webhook.ts'
import { systemRandom } from '../../../../../src/platform/security/random.ts'
import {
  DeliveryQueue,
  MAX_BACKLOG,
  MAX_DELIVERIES,
  RETRY_DELAYS,
  retryDelay,
} from '../../../../../src/services/automation/webhooks/delivery-queue.ts'

const NOW = 1_000_000
const DAY = 86_400_000

const delivery = (id: string, fields: Partial<Delivery> = {}): Delivery => ({
  id,
  body: '{}',
  attempts: 0,
  due: NOW,
  ...fields,
})
const queueOf = (...deliveries: Delivery[]) => new DeliveryQueue({ deliveries })

describe('the delay before another attempt', () => {
  it('grows, differs by up to a fifth, and ends after the last one', () => {
    const delays = RETRY_DELAYS.map((_, index) => retryDelay(index + 1, { below: () => 200 }))
    expect(delays).toEqual(RETRY_DELAYS)
    expect(delays).toEqual([...RETRY_DELAYS].toSorted((one, other) => one - other))
    expect([0, 400].map((jitter) => retryDelay(2, { below: () => jitter }))).toEqual([4000, 6000])
    const drawn = Array.from({ length: 200 }, () => retryDelay(1, systemRandom) ?? 0)
    expect([Math.min(...drawn) >= 800, Math.max(...drawn) <= 1200, new Set(drawn).size > 10]).toEqual([
      true,
      true,
      true,
    ])
    expect(retryDelay(RETRY_DELAYS.length + 1, systemRandom)).toBeUndefined()
  })
})

describe('the events that wait for a receiver', () => {
  it('are taken oldest first, each once, and leave when they are settled', () => {
    const queue = queueOf(delivery('a'), delivery('b'))
    const taken = [queue.dequeue(NOW), queue.dequeue(NOW), queue.dequeue(NOW)]
    expect(taken.map((each) => each?.id)).toEqual(['a', 'b', undefined])
    expect(queue.pause(NOW)).toBeUndefined()
    queue.finish(delivery('a'))
    queue.putBack(delivery('b'))
    expect(queue.dequeue(NOW)?.id).toBe('b')
    expect(queue.deliveries.map(({ id }) => id)).toEqual(['b'])
  })

  it('wait for their next attempt while others go on', () => {
    const queue = queueOf(delivery('a'), delivery('b'))
    const first = queue.dequeue(NOW)
    queue.finish(first ?? delivery('a'), { attempts: 1, due: NOW + 5000 })
    expect(queue.dequeue(NOW)?.id).toBe('b')
    expect([queue.dequeue(NOW + 4999), queue.pause(NOW + 1000)]).toEqual([undefined, 4000])
    expect(queue.dequeue(NOW + 5000)).toMatchObject({ id: 'a', attempts: 1 })
  })

  it('are all due after a correction of the webhook or of the clock', () => {
    const queue = queueOf(delivery('a', { due: NOW + 5000 }), delivery('far', { due: NOW + DAY }))
    expect(queue.pause(NOW)).toBe(0)
    expect(queue.dequeue(NOW)?.id).toBe('far')
    queue.hurry(NOW)
    expect(queue.dequeue(NOW)?.id).toBe('a')
  })

  it('are limited in number and in size, also those of before a restart', () => {
    const many = queueOf(...Array.from({ length: MAX_DELIVERIES - 1 }, (_, index) => delivery(String(index))))
    expect([many.add(delivery('last')), many.add(delivery('more'))]).toEqual([true, false])
    many.finish(delivery('0'))
    expect(many.add(delivery('more'))).toBe(true)

    const body = 'x'.repeat(MAX_BACKLOG / 2)
    const large = queueOf(delivery('a', { body }))
    expect([large.add(delivery('b', { body })), large.add(delivery('c'))]).toEqual([true, false])
    large.finish(delivery('a', { body }))
    expect(large.add(delivery('c'))).toBe(true)
  })
})
