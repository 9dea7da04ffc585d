import { describe, expect, it } from 'vitest'
import { looksOf } from '../../../src/platform/validation/look-alikes.ts'

const isAlike = (one: string, other: string) => looksOf(one).some((look, kind) => look === looksOf(other)[kind])

describe('two names look alike', () => {
  it.each([
    ['admin', 'аdmin'],
    ['admin', 'ADMIN'],
    ['admin', 'adrnin'],
    ['admin', 'ａｄｍｉｎ'],
    ['admin', 'ad\u200bmin'],
    ['paypal', 'PayPaI'],
    ['Ivan', 'lvan'],
    ['ΑΝΝΑ', 'ANNA'],
    ['ANNA', 'АNNА'],
    ['bob', 'b0b'],
    ['hans', 'հaոs'],
  ])('%s and %s', (one, other) => {
    expect(isAlike(one, other)).toBe(true)
  })

  it.each([
    ['mail', 'mall'],
    ['anna', 'annas'],
    ['josé', 'jose'],
    ['Иван', 'Ивана'],
    ['bob', 'dod'],
    ['田中', '田口'],
  ])('but not %s and %s', (one, other) => {
    expect(isAlike(one, other)).toBe(false)
  })
})
