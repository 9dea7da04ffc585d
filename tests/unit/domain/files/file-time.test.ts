import { expect, it } from 'vitest'
import {
  createTimeFormat,
  isTimeHeld,
  millisecondsOf,
  parseSeconds,
  partsOfTime,
  secondsText,
  timeOfParts,
  writableTime,
} from '../../../../src/domain/files/file-time.ts'

const TIMES: readonly [bigint, string, string][] = [
  [0n, '0.000000000', '1970-01-01T00:00:00Z'],
  [-1n, '-0.000000001', '1969-12-31T23:59:59.999999999Z'],
  [-1_500_000_000n, '-1.500000000', '1969-12-31T23:59:58.5Z'],
  [-114_912_000_000_000_000n, '-114912000.000000000', '1966-05-12T00:00:00Z'],
  [1_700_000_000_123_456_789n, '1700000000.123456789', '2023-11-14T22:13:20.123456789Z'],
  [9_300_000_000_000_000_000n, '9300000000.000000000', '2264-09-14T21:20:00Z'],
  [13_569_465_600_000_000_001n, '13569465600.000000001', '2400-01-01T00:00:00.000000001Z'],
  [253_402_300_799_999_999_999n, '253402300799.999999999', '9999-12-31T23:59:59.999999999Z'],
  [-62_167_219_200_000_000_000n, '-62167219200.000000000', '0000-01-01T00:00:00Z'],
]

it.each(TIMES)('reads and writes %s', (time, text, date) => {
  expect([secondsText(time), parseSeconds(text), createTimeFormat()(time)]).toEqual([text, time, date])
  const { seconds, nanos } = partsOfTime(time)
  expect(nanos).toBeGreaterThanOrEqual(0)
  expect(timeOfParts(seconds, nanos)).toBe(time)
  expect(millisecondsOf(time)).toBe(Date.parse(date))
})

it.each([
  ['1', 1_000_000_000n],
  ['1500000000.25', 1_500_000_000_250_000_000n],
  ['-0.5', -500_000_000n],
  ['1.0000000019', 1_000_000_001n],
])('reads %s', (text, time) => {
  expect(parseSeconds(text)).toBe(time)
})

it.each(['', '-', '1e9', '--1', '+1', ' 1', '1.', '.5', '0x1', 'NaN', '253402300800', '-62167219201', '1700000000000'])(
  'finds no time in "%s"',
  (text) => {
    expect(parseSeconds(text)).toBeUndefined()
  },
)

it('writes times outside of all calendars as the nearest one', () => {
  const far = 10n ** 25n
  const format = createTimeFormat()
  expect(format(far)).toBe('9999-12-31T23:59:59.999999999Z')
  expect(format(-far)).toBe('0000-01-01T00:00:00Z')
  expect([writableTime(far), writableTime(-far), writableTime(5n)]).toEqual([
    253_402_300_799_999_999_999n,
    -62_167_219_200_000_000_000n,
    5n,
  ])
})

it('takes a time for held if the disk only keeps even seconds', () => {
  expect(isTimeHeld(1_700_000_001_900_000_000n, 1_700_000_000_000_000_000n)).toBe(true)
  expect(isTimeHeld(-1n, 315_532_800_000_000_000n)).toBe(false)
})
