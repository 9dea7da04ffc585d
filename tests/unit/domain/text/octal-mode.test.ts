import { expect, it } from 'vitest'
import { formatMode, parseMode } from '../../../../src/domain/text/octal-mode.ts'

it.each([
  ['640', 0o640, '0640'],
  ['0640', 0o640, '0640'],
  ['0o640', 0o640, '0640'],
  ['7', 0o7, '0007'],
  ['2775', 0o2775, '2775'],
  [' 02775 ', 0o2775, '2775'],
])('reads the mode "%s"', (text, mode, shown) => {
  expect([parseMode(text), formatMode(mode)]).toEqual([mode, shown])
})

it.each(['', '0888', 'rwx', '-1', '0x1ff', '1000000'])('finds no mode in "%s"', (text) => {
  expect(parseMode(text)).toBeUndefined()
})
