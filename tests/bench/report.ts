import { best, costs, isMoreBetter, judge, median, type Measured, type Verdict } from './judge.ts'
import type { Unit } from './row.ts'
import { growth, type Curve } from './scale/curve.ts'

export interface MeasuredRow extends Measured {
  readonly name: string
  /** The name of the limit, and the program that is not installed. */
  readonly limit?: string
  readonly missing?: string
}

const HEAD = ['', 'filemgr', 'limit', 'ratio', 'goal', 'CPU s', 'memory MB']

/** Growth from one size to the next beyond n log n that is still noise. */
const MAX_GROWTH = 1.5
/** Milliseconds for which the event loop may be blocked. */
const LONGEST = 20

/** One line per row. */
export function table(rows: readonly MeasuredRow[]): string {
  return markdownTable(HEAD, rows.map(cellsOf))
}

/** One line per curve, one column per size. */
export function curveTable(curves: readonly Curve[]): string {
  const sizes = curves[0]?.points.map(({ size }) => size.toLocaleString('en')) ?? []
  const lines = curves.map((curve) => {
    const beyond = growth(curve)
    const isLatency = curve.unit === 'ms'
    const values = curve.points.map(({ value }) =>
      emphasised(`${figure(value)} ${curve.unit}`, isLatency && value > LONGEST),
    )
    return [curve.name, ...values, isLatency ? '' : emphasised(figure(beyond), beyond > MAX_GROWTH)]
  })
  return markdownTable(['', ...sizes, 'growth ÷ n log n'], lines)
}

/** Replaces the section with this title, or appends it. */
export function withSection(report: string, title: string, text: string): string {
  const sections = report.split(/^(?=## )/m)
  const own = `## ${title}\n\n${text}\n`
  const isOwn = (section: string) => section.startsWith(`## ${title}\n`)
  const all = sections.some(isOwn) ? sections.map((section) => (isOwn(section) ? own : section)) : [...sections, own]
  return `${all.map((section) => section.trimEnd()).join('\n\n')}\n`
}

/** The first column is text, the others are figures. */
export function markdownTable(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const rule = head.map((_, index) => (index === 0 ? '---' : '---:'))
  return [head, rule, ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n')
}

const emphasised = (text: string, isBad: boolean) => (isBad ? `**${text}**` : text)

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
  const sign = isMoreBetter(unit) && kind !== 'cpu' ? '≥' : '≤'
  const wanted = `${sign} ${figure(goal)}${{ ratio: ' ×', value: ` ${unit}`, cpu: ' CPU s' }[kind]}`
  return excess <= 1 ? `${wanted} ✓` : `**${wanted}**, missed ${figure(excess)} ×`
}

/** Three significant digits. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  return value >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString()
}
