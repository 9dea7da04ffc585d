import { expect, it } from 'vitest'
import { curveTable, table, withSection, type MeasuredRow } from '../../bench/report.ts'

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

it('shows curves with their growth, in bold where it is too much', () => {
  const curve = (name: string, unit: 's' | 'ms', values: readonly number[]) => ({
    name,
    unit,
    points: values.map((value, index) => ({ size: 1000 * 10 ** index, value })),
  })
  const text = curveTable([curve('search', 's', [1, 10]), curve('list', 's', [1, 40]), curve('answer', 'ms', [5, 25])])
  expect(text.split('\n')).toEqual([
    '|  | 1,000 | 10,000 | growth ÷ n log n |',
    '| --- | ---: | ---: | ---: |',
    '| search | 1 s | 10 s | 0.75 |',
    '| list | 1 s | 40 s | **3** |',
    '| answer | 5 ms | **25 ms** |  |',
  ])
})

it('replaces a section of the report, or adds it', () => {
  const report = '# Report\n\n## One\n\n1\n\n## Two\n\n2\n'
  expect(withSection(report, 'One', 'new')).toBe('# Report\n\n## One\n\nnew\n\n## Two\n\n2\n')
  expect(withSection(report, 'Three', '3')).toBe(`${report}\n## Three\n\n3\n`)
})
