import { describe, expect, it } from 'vitest'
import { NOTHING } from '../../../../../src/domain/access/quota.ts'
import {
  mayBeLower,
  isDue,
  type ScopeUsage,
  UNKNOWN,
  usedOf,
  withCount,
  withGrowth,
  withReservation,
  withLoss,
  withoutCount,
  withoutReservation,
} from '../../../../../src/services/access/quotas/scope-usage.ts'

const amount = (bytes: number, files = 1) => ({ bytes, files })
const counted = (usage: ScopeUsage, bytes: number, { begun = usage, at = 0, took = 1 } = {}) =>
  withCount(usage, begun, { found: amount(bytes), at, took })

describe('what a scope uses', () => {
  it('is unknown before the first count', () => {
    expect(usedOf(withGrowth(UNKNOWN, amount(5)), 0)).toBeUndefined()
    expect(isDue(UNKNOWN, 0)).toBe(true)
    expect(mayBeLower(UNKNOWN, 0)).toBe(true)
  })

  it('is what was counted, what has grown since, and what is reserved', () => {
    const usage = withReservation(withGrowth(counted(UNKNOWN, 10), amount(5)), 'a', { ...amount(3), until: 100 })
    expect(usedOf(usage, 99)).toEqual(amount(18, 3))
    expect(usedOf(withoutReservation(usage, 'a'), 99)).toEqual(amount(15, 2))
  })

  it('is unknown once a daemon with a reservation has died, until the next count', () => {
    const usage = withReservation(counted(UNKNOWN, 10), 'a', { ...amount(3), until: 100 })
    expect(usedOf(usage, 100)).toBeUndefined()
    expect(usedOf(counted(usage, 13, { at: 101 }), 101)?.bytes).toBe(13)
  })

  it('may be lower than it seems if a file may have been found whose room was still reserved', () => {
    const begun = withReservation(counted(UNKNOWN, 10), 'a', { ...amount(3), until: 100 })
    const usage = withGrowth(withoutReservation(counted(begun, 13), 'a'), amount(3))
    expect(usedOf(usage, 1)?.bytes).toBe(16)
    expect(mayBeLower(usage, 1)).toBe(true)
    expect(mayBeLower(counted(usage, 13, { at: 1 }), 1)).toBe(false)
  })

  it('is not lowered by a count that may have missed moved files', () => {
    const known = counted(UNKNOWN, 10)
    const moving = withReservation(known, 'a', { ...NOTHING, until: 100 })
    for (const [begun, usage] of [
      [moving, moving],
      [moving, withoutReservation(moving, 'a')],
      [known, withoutReservation(moving, 'a')],
    ] as const) {
      expect(usedOf(counted(usage, 4, { begun }), 0)?.bytes).toBe(10)
      expect(usedOf(counted(usage, 14, { begun }), 0)?.bytes).toBe(14)
      expect(mayBeLower(counted(usage, 4, { begun }), 0)).toBe(true)
    }
    const first = withReservation(UNKNOWN, 'a', { ...NOTHING, until: 100 })
    expect(usedOf(counted(first, 4), 0)).toBeUndefined()
    expect(usedOf(counted(withoutCount(known), 4, { begun: known }), 0)).toBeUndefined()
  })

  it('is never too low for what was written during a count, and is counted again', () => {
    const begun = withGrowth(counted(UNKNOWN, 10), amount(5))
    const usage = counted(withGrowth(begun, amount(7)), 15, { begun })
    expect(usedOf(usage, 0)?.bytes).toBe(22)
    expect(isDue(usage, 20)).toBe(true)
    expect(usedOf(counted(usage, 22), 0)?.bytes).toBe(22)
    expect(isDue(counted(usage, 22), 20)).toBe(false)
  })

  it('is never too low if it was forgotten during a count', () => {
    const begun = withGrowth(counted(UNKNOWN, 10), amount(100))
    expect(usedOf(counted(withGrowth(UNKNOWN, amount(7)), 110, { begun }), 0)?.bytes).toBe(117)
  })

  it('does not shrink when files are freed, but becomes due for a count', () => {
    const usage = withGrowth(counted(UNKNOWN, 10), amount(-4, 0))
    expect(usedOf(usage, 0)?.bytes).toBe(10)
    expect([isDue(usage, 20), mayBeLower(usage, 0)]).toEqual([true, true])
  })

  it('is due for a count that takes no more than a twentieth of the time', () => {
    const usage = withLoss(counted(UNKNOWN, 10, { took: 1000 }))
    expect([isDue(usage, 19_999), isDue(usage, 20_000)]).toEqual([false, true])
  })

  it('is due after ten minutes, and too old to refuse anybody after five seconds', () => {
    const usage = counted(UNKNOWN, 10)
    expect([isDue(usage, 599_999), isDue(usage, 600_000)]).toEqual([false, true])
    expect([mayBeLower(usage, 4999), mayBeLower(usage, 5000)]).toEqual([false, true])
  })
})
