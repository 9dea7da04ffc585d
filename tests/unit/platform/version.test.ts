import { expect, it } from 'vitest'
import { isNewer } from '../../../src/platform/version.ts'

it.each([
  ['1.10.0', '1.9.9', true],
  ['1.9.9', '1.10.0', false],
  ['1.0.1', '1.0', true],
  ['1.0.0', '1.0.0', false],
  ['2.0.0-rc.1', '1.9.0', true],
])('version %s compared with %s: newer is %s', (one, other, expected) => {
  expect(isNewer(one, other)).toBe(expected)
})
