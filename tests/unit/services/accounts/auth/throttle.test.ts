import { describe, expect, it } from 'vitest'
import type { SessionFamily } from '../../../../../src/domain/ids.ts'
import { isFilemgrError } from '../../../../../src/domain/errors.ts'
import { addressKey, createThrottle } from '../../../../../src/services/accounts/auth/throttle.ts'
import { memoryFacts } from '../../../../../src/store/memory-facts.ts'
import { movableClock } from '../../../../helpers/movable-clock.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

const HOME = '192.0.2.1'
const ELSEWHERE = '198.51.100.7'

function guessing() {
  const clock = movableClock()
  const throttle = createThrottle({ facts: memoryFacts(clock), clock })
  /** "right", "wrong", or the seconds to wait. */
  const attempt = async (who: { account?: string; address?: string }, secret: 'right' | 'wrong' = 'wrong') => {
    try {
      const found = await throttle.attempt({ address: ELSEWHERE, ...who }, async () =>
        secret === 'right' ? true : undefined,
      )
      return found === true ? 'right' : 'wrong'
    } catch (error) {
      if (isFilemgrError(error, 'RATE_LIMITED')) return error.details.retryAfter
      throw error
    }
  }
  const many = async (count: number, who: { account?: string; address?: string }) => {
    const results: unknown[] = []
    for (let index = 0; index < count; index += 1) results.push(await attempt(who))
    return results
  }
  return { clock, throttle, attempt, many }
}

describe('wrong tries at one account', () => {
  it('CVE-2025-52997: are free five times and then cost 1, 2, 4 up to 60 seconds', async () => {
    const { clock, attempt, many } = guessing()
    expect(await many(5, { account: 'bob' })).toEqual(Array(5).fill('wrong'))
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      expect(await attempt({ account: 'bob' })).toBe(seconds)
      clock.move(seconds * SECOND - 1)
      expect(await attempt({ account: 'bob' }, 'right')).toBe(1)
      clock.move(1)
      expect(await attempt({ account: 'bob' })).toBe('wrong')
    }
  })

  it('do not slow down another account', async () => {
    const { attempt, many } = guessing()
    await many(5, { account: 'bob' })
    expect(await attempt({ account: 'eve' }, 'right')).toBe('right')
  })

  it('are free again after a right one', async () => {
    const { attempt, many } = guessing()
    await many(4, { account: 'bob' })
    await attempt({ account: 'bob' }, 'right')
    expect(await many(5, { account: 'bob' })).toEqual(Array(5).fill('wrong'))
  })

  it('are forgotten after ten minutes', async () => {
    const { clock, attempt, many } = guessing()
    await many(5, { account: 'bob' })
    clock.move(10 * MINUTE)
    expect(await many(5, { account: 'bob' })).toEqual(Array(5).fill('wrong'))
    expect(await attempt({ account: 'bob' })).toBe(1)
  })

  it('count the same from all addresses', async () => {
    const { attempt } = guessing()
    for (let index = 1; index <= 5; index += 1) await attempt({ account: 'bob', address: `198.51.100.${index}` })
    expect(await attempt({ account: 'bob', address: '203.0.113.9' })).toBe(1)
  })

  it('do not lock the owner out at an address where they signed in recently', async () => {
    const { clock, attempt, many } = guessing()
    await attempt({ account: 'bob', address: HOME }, 'right')
    await many(6, { account: 'bob' })
    expect(await attempt({ account: 'bob' }, 'right')).toBe(1)
    expect(await attempt({ account: 'bob', address: HOME }, 'right')).toBe('right')
    clock.move(25 * 60 * MINUTE)
    await many(6, { account: 'bob' })
    expect(await attempt({ account: 'bob', address: HOME }, 'right')).toBe(1)
  })

  it('do not go faster when they are sent at once', async () => {
    const { throttle } = guessing()
    let checked = 0
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, async () => {
        await throttle.attempt({ account: 'bob', address: ELSEWHERE }, async () => {
          checked += 1
          await Promise.resolve()
          return undefined
        })
      }),
    )
    expect(checked).toBe(5)
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(45)
  })

  it('let right ones through, however many come at once', async () => {
    const { throttle } = guessing()
    const results = Array.from(
      { length: 60 },
      async () => await throttle.attempt({ account: 'bob', address: HOME }, async () => true),
    )
    expect(await Promise.all(results)).toEqual(Array(60).fill(true))
  })

  it('are not displaced by ten thousand cheap tries at other names', async () => {
    const { attempt, many } = guessing()
    await many(8, { account: 'admin' })
    for (let index = 0; index < 11_000; index += 1) {
      await attempt({ account: `nobody${index}`, address: `198.18.${index % 250}.${index % 199}` })
    }
    expect(await attempt({ account: 'admin', address: HOME })).toBeGreaterThan(0)
  })

  it('leave room to hash for others, however many addresses sign in with the right password', async () => {
    const { throttle } = guessing()
    let [underWay, most] = [0, 0]
    const signIn = async (index: number) =>
      await throttle.attempt({ account: 'bob', address: `198.51.100.${index}` }, async () => {
        underWay += 1
        most = Math.max(most, underWay)
        await new Promise(setImmediate)
        underWay -= 1
        return true
      })
    const addresses = Array.from({ length: 40 }, (_, index) => index)
    await Promise.all(addresses.map(signIn))
    await Promise.all(addresses.map(signIn))
    expect(most).toBe(5)
  })

  it('at a confirmation count for that session only: a stolen token does not lock its owner out', async () => {
    const { throttle, attempt } = guessing()
    const confirm = async () => await throttle.attempt({ session: 'stolen' as SessionFamily }, async () => undefined)
    for (let count = 0; count < 5; count += 1) await confirm()
    await expect(confirm()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
    expect(await attempt({ account: 'bob' })).toBe('wrong')
  })

  it('do not count when the check itself failed', async () => {
    const { throttle, many } = guessing()
    for (let index = 0; index < 10; index += 1) {
      const broken = throttle.attempt({ account: 'bob', address: ELSEWHERE }, async () => {
        throw new Error('busy')
      })
      await expect(broken).rejects.toThrow('busy')
    }
    expect(await many(5, { account: 'bob' })).toEqual(Array(5).fill('wrong'))
  })
})

describe('wrong tries from one address', () => {
  it('are free thirty times over all accounts and then cost seconds', async () => {
    const { clock, attempt } = guessing()
    for (let index = 0; index < 30; index += 1) expect(await attempt({ account: `user${index}` })).toBe('wrong')
    expect(await attempt({ account: 'one more' })).toBe(1)
    clock.move(SECOND)
    expect(await attempt({ account: 'one more' })).toBe('wrong')
    expect(await attempt({ account: 'one more' })).toBe(2)
    expect(await attempt({ account: 'one more', address: HOME }, 'right')).toBe('right')
  })

  it('count for the whole network of an IPv6 household', async () => {
    const { attempt } = guessing()
    for (let index = 0; index < 30; index += 1) {
      await attempt({ account: `user${index}`, address: `2001:db8:1:2::${index.toString(16)}` })
    }
    expect(await attempt({ account: 'bob', address: '2001:db8:1:2:ffff::1' })).toBe(1)
    expect(await attempt({ account: 'bob', address: '2001:db8:1:3::1' })).toBe('wrong')
  })

  it('still count after a sign-in from there to another account than the guessed one', async () => {
    const { attempt } = guessing()
    for (let index = 0; index < 29; index += 1) await attempt({ account: `user${index}` })
    await attempt({ account: 'bob' }, 'right')
    expect(await attempt({ account: 'eve' })).toBe('wrong')
    expect(await attempt({ account: 'eve' })).toBe(1)
  })

  it('count together, whatever port a proxy adds', async () => {
    const { attempt } = guessing()
    for (let port = 1; port <= 30; port += 1) await attempt({ account: `user${port}`, address: `192.0.2.9:${port}` })
    expect(await attempt({ account: 'one more', address: '192.0.2.9' })).toBe(1)
  })

  it('are limited even without an account name', async () => {
    const { attempt, many } = guessing()
    expect(await many(30, {})).toEqual(Array(30).fill('wrong'))
    expect(await attempt({}, 'right')).toBe(1)
  })
})

describe('a clock that was wrong', () => {
  it.each([-24 * 60 * MINUTE, 24 * 60 * MINUTE])('keeps nobody out after a step of %i ms', async (step) => {
    const { clock, attempt, many } = guessing()
    await many(10, { account: 'bob' })
    clock.move(step)
    expect(await attempt({ account: 'bob' }, 'right')).toBe('right')
  })
})

describe('one client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
    ['', ''],
    ['192.0.2.1:50000', '192.0.2.1'],
    ['[2001:db8::1]:443', '2001:db8:0:0::/64'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
    ['unknown', ''],
  ])('%s counts as %s', (address, key) => {
    expect(addressKey(address)).toBe(key)
  })
})
