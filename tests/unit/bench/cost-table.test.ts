import { expect, it } from 'vitest'
import { costTable } from '../../bench/nodes/cost-table.ts'

it('shows the costs with one, two and three daemons side by side', () => {
  const costs = (factor: number) =>
    new Map([['sign in', { cpu: 1.234 * factor, databaseCpu: 12.3, queries: 4, requests: 0.05 }]])
  const many = [costs(1), costs(2), costs(3)]
  expect(
    costTable({ alone: costs(1), disk: many, s3: many })
      .split('\n')
      .at(-1),
  ).toBe(
    [
      '| sign in | 1.2 | 1.2 / 2.5 / 3.7 | 12 / 12 / 12 | 4 / 4 / 4 ',
      '| 1.2 / 2.5 / 3.7 | 12 / 12 / 12 | 4 / 4 / 4 | 0.05 / 0.05 / 0.05 |',
    ].join(''),
  )
})
