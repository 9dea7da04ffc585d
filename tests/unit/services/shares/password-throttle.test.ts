import { expect, it } from 'vitest'
import { createPasswordThrottle } from '../../../../src/services/shares/password-throttle.ts'
import { errorLike } from '../../../helpers/error-like.ts'
import { movableClock } from '../../../helpers/movable-clock.ts'

const LIMITED = errorLike('RATE_LIMITED')
const wrong = () => Promise.resolve(false)
const right = () => Promise.resolve(true)

async function tenWrong() {
  const clock = movableClock()
  const throttle = createPasswordThrottle({ clock })
  for (let count = 0; count < 10; count += 1) {
    await throttle.attempt('hash', '192.0.2.1', wrong)
    clock.move(1000)
  }
  return { clock, throttle }
}

it('lets ten wrong passwords pass and then not even a right one', async () => {
  const { throttle } = await tenWrong()
  await expect(throttle.attempt('hash', '192.0.2.1', right)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    details: { retryAfter: 50 },
  })
})

it('counts for each share and each address on its own, a household of IPv6 as one', async () => {
  const { throttle } = await tenWrong()
  expect(await throttle.attempt('hash', '192.0.2.2', right)).toBe(true)
  expect(await throttle.attempt('other', '192.0.2.1', right)).toBe(true)
  for (let count = 0; count < 10; count += 1) await throttle.attempt('hash', `2001:db8::${count}`, wrong)
  await expect(throttle.attempt('hash', '2001:db8::ffff', right)).rejects.toEqual(LIMITED)
})

it('lets the next one in when the oldest wrong one is a minute old', async () => {
  const { clock, throttle } = await tenWrong()
  clock.move(49_999)
  await expect(throttle.attempt('hash', '192.0.2.1', right)).rejects.toEqual(LIMITED)
  clock.move(1)
  expect(await throttle.attempt('hash', '192.0.2.1', wrong)).toBe(false)
  await expect(throttle.attempt('hash', '192.0.2.1', right)).rejects.toEqual(LIMITED)
})

it('never locks longer than a minute when the clock is set back', async () => {
  const { clock, throttle } = await tenWrong()
  clock.move(-24 * 3600 * 1000)
  expect(await throttle.attempt('hash', '192.0.2.1', right)).toBe(true)
})

it('counts those under way, so that a burst does not pass as a whole', async () => {
  const throttle = createPasswordThrottle({ clock: movableClock() })
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const burst = Array.from({ length: 12 }, async () => await throttle.attempt('hash', '192.0.2.1', () => promise))
  resolve(false)
  const outcomes = await Promise.allSettled(burst)
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2)
})

it('forgets the oldest when very many addresses try', async () => {
  const throttle = createPasswordThrottle({ clock: movableClock() })
  for (let count = 0; count < 10; count += 1) await throttle.attempt('hash', '192.0.2.1', wrong)
  for (let count = 0; count < 10_000; count += 1) {
    await throttle.attempt('hash', `10.0.${Math.floor(count / 256)}.${count % 256}`, wrong)
  }
  expect(await throttle.attempt('hash', '192.0.2.1', right)).toBe(true)
})
