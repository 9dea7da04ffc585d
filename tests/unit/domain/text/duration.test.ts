import { expect, it } from 'vitest'
import { parseDuration } from '../../../../src/domain/text/units.ts'
it.each([
  ['2h30m', 9_000_000],
  ['7d', 604_800_000],
  ['90s', 90_000],
  ['1.5h', 5_400_000],
  ['250ms', 250],
  ['6d 23h', 601_200_000],
  ['0', 0],
])('reads %s as %i milliseconds', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds)
})

it.each(['', '5', 'h', '2 h', '-1h', '1y', '2h30'])('refuses "%s"', (text) => {
  expect(parseDuration(text)).toBeUndefined()
})
