import { describe, expect, it } from 'vitest'
import { expiryAfter, expiryOf, isExpired } from '../../../../src/domain/shares/share.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
const NOW = 1_000_000_999
const SECOND = 1_000_000

describe('the expiry of a share', () => {
  it.each([
    ['30', 'seconds', 30],
    ['30', 'minutes', 1800],
    ['2', 'hours', 7200],
    ['2', 'days', 172_800],
    ['2', undefined, 7200],
    ['1', '', 3600],
    ['2147483647', 'seconds', 2_147_483_647],
  ])('%s %s from now is %i seconds away', (expires, unit, seconds) => {
    expect(expiryOf(unit === undefined ? { expires } : { expires, unit }, NOW)).toBe(SECOND + seconds)
  })

  it.each([undefined, '', '0', '00'])('%j means never', (expires) => {
    expect(expiryOf(expires === undefined ? {} : { expires }, NOW)).toBe(0)
  })

  it('is not later than can be written as a date', () => {
    const expire = expiryOf({ expires: '2147483647', unit: 'days' }, NOW)
    expect(new Date(expire * 1000).getUTCFullYear()).toBe(9999)
  })

  it.each(['-1', '1.5', 'abc', '1e3', ' 1', '+1', '2147483648', '99999999999', '٣'])('%j is refused', (expires) => {
    expect(() => expiryOf({ expires }, NOW)).toThrow(errorLike('INVALID_INPUT'))
  })

  it.each(['fortnights', 'constructor', 'Days'])(
    'refuses the unit %j: a link would end at another time than was meant',
    (unit) => {
      expect(() => expiryOf({ expires: '1', unit }, NOW)).toThrow(errorLike('INVALID_INPUT'))
    },
  )

  it('rounds a duration in milliseconds up to the next second', () => {
    expect(expiryAfter(1001, NOW)).toBe(SECOND + 2)
    // Created late in a second, a link of one second would otherwise end before it is shown.
    expect(expiryAfter(1000, SECOND * 1000 + 990)).toBe(SECOND + 2)
    expect(expiryAfter(0, NOW)).toBe(0)
    expect(expiryAfter(Number.MAX_SAFE_INTEGER, NOW)).toBeLessThan(253_402_300_800)
  })
})

it('a share expires when its second begins, and a permanent one never', () => {
  expect(isExpired({ expire: 0 }, Number.MAX_SAFE_INTEGER)).toBe(false)
  expect(isExpired({ expire: 1000 }, 999_999)).toBe(false)
  expect(isExpired({ expire: 1000 }, 1_000_000)).toBe(true)
})
