import { expect, it } from 'vitest'
import { prefersJson } from '../../../src/http/plugins/errors.ts'

it.each([
  [undefined, false],
  ['*/*', false],
  ['application/json', true],
  ['application/json, text/plain, */*', true],
  ['text/plain, application/json;q=0.5', false],
  ['application/json;q=0', false],
  ['text/html,application/xhtml+xml,*/*;q=0.8', false],
])('Accept %s: %s', (accept, expected) => {
  expect(prefersJson(accept)).toBe(expected)
})
