import { expect, it } from 'vitest'
import { growth, type Curve } from '../../bench/scale/curve.ts'

const curve = (value: (size: number) => number): Curve => ({
  name: 'list',
  unit: 's',
  points: [1000, 10_000, 100_000].map((size) => ({ size, value: value(size) })),
})

it('the growth is 1 for n log n, less for n and more for the square of n', () => {
  expect(growth(curve((size) => size * Math.log(size)))).toBeCloseTo(1)
  expect(growth(curve((size) => size))).toBeCloseTo(0.8)
  expect(growth(curve((size) => size ** 2))).toBeCloseTo(8)
})

it('the growth is that of the steepest step', () => {
  expect(growth(curve((size) => (size === 100_000 ? 30 : 1)))).toBeCloseTo(30 / 12.5)
})
