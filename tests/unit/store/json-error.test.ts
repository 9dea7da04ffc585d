import { expect, it } from 'vitest'
import { locateJsonError } from '../../../src/store/json/json.ts'

it.each([
  ['{"a":1,}', 'line 1, column 8'],
  ['{"a":1\n"b":2}', 'line 2, column 1'],
  ['{"a": tru}', 'line 1, column 10'],
  ['{\n  "a": "x",\n  "b": secret\n}', 'line 3, column 8'],
  ['\0\0\0', 'line 1, column 1'],
  ['{"a":1}}', 'line 1, column 8'],
])('finds where %j stops being JSON', (text, position) => {
  expect(locateJsonError(text)).toBe(`${position}: this is not JSON`)
})

it.each(['', '{', '{"a', '{"a":"x', '[1,2'])('reports that %j was cut off', (text) => {
  expect(locateJsonError(text)).toBe('ends too early')
})
