import { describe, expect, it } from 'vitest'
import { createFormat } from '../../../../ui/src/lib/format.ts'

const now = new Date(2026, 4, 3, 12)
const yesterday = new Date(2026, 4, 2, 11)

describe('numbers, sizes and dates', () => {
  it.each([
    ['en', '1,234,567', '84.6 KiB', '29%', 'yesterday'],
    ['de', '1.234.567', '84,6 KiB', '29\u00a0%', 'gestern'],
    ['fr', '1\u202f234\u202f567', '84,6 Kio', '29\u00a0%', 'hier'],
    ['ru', '1\u00a0234\u00a0567', '84,6 КиБ', '29\u00a0%', 'вчера'],
    ['uk', '1\u00a0234\u00a0567', '84,6 КіБ', '29%', 'учора'],
    ['nl-be', '1.234.567', '84,6 KiB', '29%', 'gisteren'],
    ['tr', '1.234.567', '84,6 KiB', '%29', 'dün'],
    ['zh-tw', '1,234,567', '84.6 KiB', '29%', '昨天'],
  ])('are formatted as in %s', (locale, number, size, percent, day) => {
    const format = createFormat(locale)
    expect(format.number(1_234_567)).toBe(number)
    expect(format.bytes(86_630)).toBe(size)
    expect(format.percent(0.29)).toBe(percent)
    expect(format.relativeTime(yesterday, now)).toBe(day)
  })

  it('use the largest unit that leaves a number of one or more', () => {
    const { bytes } = createFormat('en')
    expect([0, 1023, 1024, 1_048_575, 1_048_576, 2 ** 30, 2 ** 40, 2 ** 50, 2 ** 60].map(bytes)).toEqual([
      '0 B', '1,023 B', '1 KiB', '1 MiB', '1 MiB', '1 GiB', '1 TiB', '1 PiB', '1,024 PiB',
    ]) // prettier-ignore
    expect(createFormat('fr').bytes(12)).toBe('12 o')
  })

  it('format date and time in the order of the language', () => {
    const moment = new Date(2026, 10, 3, 14, 5)
    expect(createFormat('de').dateTime(moment)).toBe('03.11.2026, 14:05')
    expect(createFormat('ja').dateTime(moment)).toBe('2026/11/03 14:05')
    expect(createFormat('sv-se').dateTime(moment)).toBe('3 nov. 2026 14:05')
  })

  it('keep sizes and dates together in right-to-left text', () => {
    const { bytes, dateTime } = createFormat('ar', 'rtl')
    expect(bytes(86_630)).toBe('\u206884.6 KiB\u2069')
    expect(dateTime(new Date(2026, 10, 3, 14, 5))).toMatch(/^\u2068.*2026.*\u2069$/)
  })
})
