import { describe, expect, it } from 'vitest'
import { etagOf, evaluateConditions, rangeApplies } from '../../../../src/http/send/conditional.ts'

const file = { etag: '"abc"', modified: Date.parse('2024-01-02T03:05:05.700Z') }
const same = 'Tue, 02 Jan 2024 03:05:05 GMT'
const before = 'Tue, 02 Jan 2024 03:05:04 GMT'

describe('evaluateConditions', () => {
  it.each([
    ['nothing', {}, 'send'],
    ['a time at which the file was the same', { 'if-modified-since': same }, 304],
    ['an older time', { 'if-modified-since': before }, 'send'],
    ['an invalid date', { 'if-modified-since': 'yesterday' }, 'send'],
    ['its tag', { 'if-none-match': '"x", "abc"' }, 304],
    ['its tag as a weak one', { 'if-none-match': 'W/"abc"' }, 304],
    ['any tag', { 'if-none-match': '*' }, 304],
    ['another tag, though the time is the same', { 'if-none-match': '"x"', 'if-modified-since': same }, 'send'],
    ['a demand for the current state', { 'if-unmodified-since': same }, 'send'],
    ['a demand for an older state', { 'if-unmodified-since': before }, 412],
    ['a demand for its tag', { 'if-match': '"abc"' }, 'send'],
    ['a demand for another tag', { 'if-match': '"x"' }, 412],
    ['a demand for its tag as a weak one', { 'if-match': 'W/"abc"' }, 412],
  ])('with %s', (_, headers, outcome) => {
    expect(evaluateConditions(headers, file)).toBe(outcome)
  })
})

describe('rangeApplies', () => {
  it.each([
    [undefined, true],
    ['"abc"', true],
    ['"x"', false],
    ['W/"abc"', false],
    [same, true],
    [before, false],
  ])('If-Range %s: %s', (header, applies) => {
    expect(rangeApplies(header, file)).toBe(applies)
  })
})

it('makes the ETag from the time in nanoseconds and the size, both in hex', () => {
  expect(etagOf({ modified: 255n, size: 16 })).toBe('"ff10"')
})
