import { expect, it } from 'vitest'
import { best, judge, median, type Measured } from '../../bench/judge.ts'

const measured = (row: Partial<Measured>): Measured => ({
  unit: 's',
  goal: {},
  samples: [{ value: 1 }],
  limits: [],
  ...row,
})

it('the best sample is the shortest time or the highest rate of requests', () => {
  expect(best([3, 1, 2], 's')).toBe(1)
  expect(best([3, 1, 2], 'requests/s')).toBe(3)
})

it('the median is the middle sample, or the mean of the two in the middle', () => {
  expect(median([9, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 9])).toBe(3)
})

it('divides the best sample by the best sample of the limit', () => {
  const row = measured({ goal: { ratio: 2 }, samples: [{ value: 6 }, { value: 9 }], limits: [4, 2] })
  expect(judge(row)).toEqual([{ kind: 'ratio', goal: 2, reached: 3, excess: 1.5 }])
})

it('a goal for requests is a minimum', () => {
  const row = measured({ unit: 'requests/s', goal: { ratio: 0.5 }, samples: [{ value: 1000 }], limits: [4000] })
  expect(judge(row)).toEqual([{ kind: 'ratio', goal: 0.5, reached: 0.25, excess: 2 }])
})

it('judges processor seconds separately from the value', () => {
  const row = measured({ goal: { value: 4, cpu: 1 }, samples: [{ value: 2, cpu: 3 }] })
  expect(judge(row).map(({ kind, excess }) => [kind, excess])).toEqual([
    ['value', 0.5],
    ['cpu', 3],
  ])
})

it('a goal of nothing is met by nothing only', () => {
  const found = (value: number) => judge(measured({ unit: 'shift', goal: { value: 0 }, samples: [{ value }] }))
  expect(found(0).map(({ excess }) => excess)).toEqual([1])
  expect(found(0.01).map(({ excess }) => excess)).toEqual([Infinity])
})

it('does not judge a ratio to a limit that could not be measured', () => {
  expect(judge(measured({ goal: { ratio: 1 } }))).toEqual([])
})
