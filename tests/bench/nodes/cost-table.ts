import { markdownTable } from '../report.ts'
import type { Cost, Costs } from './costs.ts'

/** What is measured: with one daemon alone, or with PostgreSQL and one, two and three daemons. */
export interface Measured {
  readonly alone: Costs
  readonly disk: readonly Costs[]
  readonly s3: readonly Costs[]
}

export const LEGEND = `What one operation costs: processor milliseconds of the daemons ("CPU") and of PostgreSQL, statements of PostgreSQL and
requests to the S3 server. Three figures are those of one, two and three daemons that are asked in turn, without what daemons do
at rest, which the first row shows. Alone: one daemon with its data folder and a disk.`

/** One line for each operation. */
export function costTable({ alone, disk, s3 }: Measured): string {
  const cells = (list: readonly Costs[], name: string, field: keyof Cost) =>
    list.map((costs) => figure(costs.get(name)?.[field] ?? 0)).join(' / ')
  const lines = [...alone.keys()].map((name) => [
    name,
    cells([alone], name, 'cpu'),
    cells(disk, name, 'cpu'),
    cells(disk, name, 'databaseCpu'),
    cells(disk, name, 'queries'),
    cells(s3, name, 'cpu'),
    cells(s3, name, 'databaseCpu'),
    cells(s3, name, 'queries'),
    cells(s3, name, 'requests'),
  ])
  const head = [
    ...['', 'alone: CPU ms', 'disk: CPU ms', 'PostgreSQL ms', 'statements'],
    ...['S3: CPU ms', 'PostgreSQL ms', 'statements', 'S3 requests'],
  ]
  return markdownTable(head, lines)
}

/** Two significant digits. */
function figure(value: number): string {
  return value >= 10 ? value.toFixed(0) : Number(value.toPrecision(2)).toString()
}
