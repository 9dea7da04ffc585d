import { describe, expect, it } from 'vitest'
import type { UserId } from '../../../../src/domain/ids.ts'
import { expiryOf as wireExpiry, type ShareView } from '../../../../src/domain/shares/share.ts'
import {
  type Expiry,
  MAX_AMOUNT,
  NEVER,
  byExpiry,
  checkExpiry,
  expireOf,
  expiryFrom,
  urgencyOf,
  isSameExpiry,
  keepExpiry,
  lastExpiry,
  toDuration,
} from '../../../../ui/src/files/share/expiry.ts'
import { sharedEntriesOf } from '../../../../ui/src/files/queries/shares-query.ts'
import { newPassword } from '../../../../ui/src/files/share/new-password.ts'
import { createFormatLeft } from '../../../../ui/src/lib/format.ts'
import { fromLocalText, toLocalText } from '../../../../ui/src/kit/fields/text-field.tsx'
const NOW = new Date('2026-03-01T12:00:00Z')
const SECONDS = NOW.getTime() / 1000

const after = (amount: string, unit: (Expiry & { kind: 'after' })['unit']): Expiry => ({ kind: 'after', amount, unit })
const at = (text: string): Expiry => ({ kind: 'at', date: new Date(text) })

describe('the duration of a link', () => {
  it.each(['', '-1', '1.5', 'x', String(MAX_AMOUNT + 1), '99999999999'])('rejects %j as a number', (amount) => {
    expect(checkExpiry(after(amount, 'hours'), NOW)).toBe('amount')
  })

  it.each(['0', '1', ' 7 ', String(MAX_AMOUNT)])('accepts %j', (amount) => {
    expect(checkExpiry(after(amount, 'hours'), NOW)).toBeUndefined()
  })

  it('rejects a missing or past date', () => {
    expect(checkExpiry({ kind: 'at', date: undefined }, NOW)).toBe('noDate')
    expect(checkExpiry({ kind: 'at', date: NOW }, NOW)).toBe('past')
    expect(checkExpiry(at('2026-03-01T12:00:01Z'), NOW)).toBeUndefined()
  })

  it.each([
    after('0', 'hours'),
    after('90', 'seconds'),
    after('5', 'minutes'),
    after('007', 'hours'),
    after('30', 'days'),
    after(String(MAX_AMOUNT), 'days'),
    at('2026-03-02T08:00:00Z'),
    at('9000-01-01T00:00:00Z'),
  ])('ends when the server says it does: %j', (expiry) => {
    expect(checkExpiry(expiry, NOW)).toBeUndefined()
    expect(wireExpiry(toDuration(expiry, NOW), NOW.getTime())).toBe(expireOf(expiry, NOW))
  })

  it('reads the expiry of a link, and detects changes', () => {
    expect(expiryFrom(0)).toEqual(NEVER)
    expect(expireOf(expiryFrom(SECONDS + 60), NOW)).toBe(SECONDS + 60)
    expect(isSameExpiry(expiryFrom(SECONDS), expiryFrom(SECONDS))).toBe(true)
    expect(isSameExpiry(expiryFrom(SECONDS), expiryFrom(SECONDS + 1))).toBe(false)
    expect(isSameExpiry(NEVER, after('0', 'hours'))).toBe(true)
    expect(isSameExpiry(after('1', 'days'), after('1', 'hours'))).toBe(false)
    expect(isSameExpiry(after('1', 'days'), expiryFrom(SECONDS))).toBe(false)
  })

  it('starts with the last duration used, or with seven days', () => {
    const kept = new Map<string, string>()
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    }
    expect(lastExpiry(storage)).toEqual(after('7', 'days'))
    keepExpiry(storage, after('030', 'minutes'))
    expect(lastExpiry(storage)).toEqual(after('30', 'minutes'))
    keepExpiry(storage, at('2027-01-01T00:00:00Z'))
    expect(lastExpiry(storage)).toEqual(after('30', 'minutes'))
    for (const key of kept.keys()) kept.set(key, 'nonsense')
    expect(lastExpiry(storage)).toEqual(after('7', 'days'))
  })
})

describe('the urgency of an expiry date', () => {
  it.each([
    [0, 'never'],
    [SECONDS - 1, 'expired'],
    [SECONDS, 'expired'],
    [SECONDS + 1, 'soon'],
    [SECONDS + 3600, 'soon'],
    [SECONDS + 3601, 'today'],
    [SECONDS + 86_400, 'today'],
    [SECONDS + 86_401, 'later'],
  ] as const)('of %i seconds is %s', (expire, expected) => {
    expect(urgencyOf(expire, NOW)).toBe(expected)
  })

  it.each([
    [10, 'in 1 minute'],
    [40 * 60, 'in 40 minutes'],
    [3600, 'in 1 hour'],
    [86_400, 'in 24 hours'],
    [7 * 86_400 - 5, 'in 7 days'],
    [7 * 86_400 - 60, 'in 7 days'],
    [6.4 * 86_400, 'in 6 days'],
    [2 * 3600 - 45, 'in 2 hours'],
    [30 * 86_400, 'in 30 days'],
    [90 * 86_400, 'in 3 months'],
    [800 * 86_400, 'in 2 years'],
  ])('is written for %i seconds as %j', (seconds, text) => {
    expect(createFormatLeft('en')(new Date(NOW.getTime() + seconds * 1000), NOW)).toBe(text)
  })

  it('puts permanent links first, then those that end soonest', () => {
    expect([{ expire: 9 }, { expire: 0 }, { expire: 3 }].toSorted(byExpiry).map(({ expire }) => expire)).toEqual([
      0, 3, 9,
    ])
  })
})

describe('a generated password', () => {
  it('can be read aloud, and differs each time', () => {
    const many = new Set(Array.from({ length: 50 }, () => newPassword()))
    expect(many.size).toBe(50)
    for (const password of many)
      expect(password).toMatch(/^([bdfghjklmnprstvz][aeiou]){2}(-([bdfghjklmnprstvz][aeiou]){2}){3}$/)
  })

  it('rejects bytes that would make some syllables more likely than others', () => {
    const bytes = [255, 240, 0, 79, 80, 239, 1, 2, 3, 4]
    const password = newPassword((one) => one.set([bytes.shift() ?? 0]))
    expect(password).toBe('bazu-bazu-bebi-bobu')
  })
})

describe('the value of a date and time field', () => {
  it('is read as it is written, to the minute', () => {
    const date = new Date(2026, 0, 5, 7, 3)
    expect(toLocalText(date)).toBe('2026-01-05T07:03')
    expect(fromLocalText('2026-01-05T07:03')).toEqual(date)
  })

  it.each(['', '2026-01-05', '2026-13-45T00:00', 'x'])('finds no date in %j', (text) => {
    expect(fromLocalText(text)).toBeUndefined()
  })
})

describe('the shared marks', () => {
  const link = (path: string, hasPassword: boolean, userID = 1) =>
    ({ hash: path, path, userID, expire: 0, hasPassword }) as unknown as ShareView

  it('find entries with and without a slash, as public if one link is', () => {
    const places = sharedEntriesOf([link('/a b', true), link('/dir/', true), link('/a b', false)], 1 as UserId)
    expect(Object.fromEntries(places)).toEqual({
      '/files/a%20b': 'open',
      '/files/a%20b/': 'open',
      '/files/dir': 'password',
      '/files/dir/': 'password',
    })
  })

  it('ignore links of others, whose paths mean something else here', () => {
    expect(sharedEntriesOf([link('/a', false, 2)], 1 as UserId).size).toBe(0)
  })
})
