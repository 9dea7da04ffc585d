import { best, costs, judge, median, type Measured, type Verdict } from './judge.ts'
import type { Unit } from './row.ts'

export interface MeasuredRow extends Measured {
  readonly name: string
  /** The name of the limit, and the program that it lacks here. */
  readonly limit?: string
  readonly missing?: string
}

const HEAD = ['', 'filemgr', 'limit', 'ratio', 'goal', 'CPU s', 'memory MB']

/** A table in Markdown, one line for each row. */
export function table(rows: readonly MeasuredRow[]): string {
  const cells = [HEAD, HEAD.map((_, index) => (index === 0 ? '---' : '---:')), ...rows.map(cellsOf)]
  return cells.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

function cellsOf(row: MeasuredRow): string[] {
  const { name, unit, samples, limits, limit, missing } = row
  const { cpu, memory } = costs(samples)
  const values = samples.map((sample) => sample.value)
  return [
    name,
    `${bestAndMedian(values, unit)} ${unit}`,
    missing === undefined
      ? limit === undefined
        ? ''
        : `${limit} ${bestAndMedian(limits, unit)}`
      : `no ${missing} here`,
    limits.length === 0 ? '' : figure(best(values, unit) / best(limits, unit)),
    judge(row)
      .map((verdict) => goalCell(verdict, unit))
      .join(', '),
    cpu === undefined ? '' : figure(cpu),
    memory === undefined ? '' : figure(memory),
  ]
}

function bestAndMedian(values: readonly number[], unit: Unit): string {
  const [first, second] = [figure(best(values, unit)), figure(median(values))]
  return values.length === 1 ? first : `${first} (${second})`
}

function goalCell({ kind, goal, excess }: Verdict, unit: Unit): string {
  const sign = unit === 'requests/s' && kind !== 'cpu' ? '≥' : '≤'
  const wanted = `${sign} ${figure(goal)}${{ ratio: ' ×', value: ` ${unit}`, cpu: ' CPU s' }[kind]}`
  return excess <= 1 ? `${wanted} ✓` : `**${wanted}**, missed ${figure(excess)} ×`
}

/** Three digits that count. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  return value >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString()
}
