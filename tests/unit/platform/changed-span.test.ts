import { expect, it } from 'vitest'
import { changedSpan } from '../../../src/platform/changed-span.ts'

it.each([
  ['nothing', [1, 2, 3], [1, 2, 3], { start: 3, end: 0 }],
  ['a replaced item', [1, 2, 3], [1, 9, 3], { start: 1, end: 1 }],
  ['an added item', [1, 2], [1, 2, 3], { start: 2, end: 0 }],
  ['a removed item', [1, 2, 3], [1, 3], { start: 1, end: 1 }],
  ['the first item', [1, 2], [2], { start: 0, end: 1 }],
  ['one of two equal items', [1, 1, 2], [1, 2], { start: 1, end: 1 }],
  ['everything', [1], [], { start: 0, end: 0 }],
])('finds where lists differ: %s', (_what, before, now, span) => {
  expect(changedSpan(before, now)).toEqual(span)
})

it('takes other objects for the same ones if they count as unchanged', () => {
  const areSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  const [before, now] = [
    [{ id: 1 }, { id: 2 }, { id: 3 }],
    [{ id: 1 }, { id: 5 }, { id: 3 }],
  ]
  expect(changedSpan(before, now)).toEqual({ start: 0, end: 0 })
  expect(changedSpan(before, now, areSame)).toEqual({ start: 1, end: 1 })
})
