import { expect, it } from 'vitest'
import { table, type MeasuredRow } from '../../bench/report.ts'

const cellsOf = (row: Partial<MeasuredRow>): string[] => {
  const whole: MeasuredRow = { name: 'list', unit: 's', goal: {}, samples: [{ value: 1 }], limits: [], ...row }
  const line = table([whole]).split('\n').at(-1) ?? ''
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

it('shows best and median, ratio, goal, processor time and memory', () => {
  const samples = [0.25, 0.75, 0.5].map((value) => ({ value, cpu: value * 2, memory: 100.4 }))
  expect(cellsOf({ samples, limit: 'find', limits: [0.125], goal: { ratio: 2 } })).toEqual([
    'list',
    '0.25 (0.5) s',
    'find 0.125',
    '2',
    '≤ 2 × ✓',
    '0.5',
    '100',
  ])
})

it('says by how much a goal is missed', () => {
  const [, , , , goal] = cellsOf({ goal: { value: 0.5, cpu: 2 }, samples: [{ value: 1, cpu: 1 }] })
  expect(goal).toBe('**≤ 0.5 s**, missed 2 ×, ≤ 2 CPU s ✓')
})

it('names the program that is missing', () => {
  const [, , limit, ratio] = cellsOf({ limit: 'zip -0', missing: 'zip', goal: { ratio: 1 } })
  expect([limit, ratio]).toEqual(['no zip here', ''])
})
