import { expect, it } from 'vitest'
import { parseSeconds } from '../../../../../src/domain/files/file-time.ts'
import { secondsOf } from '../../../../../ui/src/files/uploads/engine/file-seconds.ts'

it.each([
  [0, '0'],
  [1_700_000_000_000, '1700000000'],
  [1_700_000_000_250, '1700000000.25'],
  [1_700_000_000_123.456, '1700000000.123456'],
  [-114_912_000_500, '-114912000.5'],
  [-1, '-0.001'],
  [0.0001, '0'],
  [13_569_465_600_000, '13569465600'],
])('the time %d of a file is sent as %s seconds', (lastModified, text) => {
  expect(secondsOf({ lastModified })).toBe(text)
  expect(parseSeconds(text)).toBeDefined()
})
