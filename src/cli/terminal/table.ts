import { printable } from '../../domain/text/printable.ts'
import { cut, folded, type Measure } from './fold.ts'

export interface TableStyle {
  readonly color: boolean
  /** Columns of the terminal; undefined without one: scripts get whole values. */
  readonly width: number | undefined
}

/**
 * Formats a table without borders, so that it also works in a pipe. Escapes cells, which contain names chosen by users. If it is
 * too wide for the terminal, the spare columns are cut, and left out if that is not enough. The others are folded, so that their
 * values stay whole.
 *
 * @param spare headings of columns that matter less, the least important one first
 */
export async function drawTable(
  headings: readonly string[],
  cells: readonly (readonly string[])[],
  { color, width }: TableStyle,
  spare: readonly string[] = [],
): Promise<string> {
  const { bold } = await colors(color)
  const rows = [headings, ...cells].map((row) => row.map((cell) => (ASCII.test(cell) ? cell : printable(cell))))
  const widthOf = await measureFor(rows)
  const natural = headings.map((_, column) => rows.reduce((most, row) => Math.max(most, widthOf(row[column] ?? '')), 0))
  const spareColumns = spare.map((heading) => headings.indexOf(heading))
  const widths = width === undefined ? natural : fitted(natural, headings, spareColumns, width)
  const shown = [...headings.keys()].filter((column) => (widths[column] ?? 0) > 0)
  return rows
    .flatMap((row, number) => {
      const parts = shown.map((column) => {
        const [text, room] = [row[column] ?? '', widths[column] ?? 0]
        if (widthOf(text) <= room) return [text]
        return spareColumns.includes(column) ? [cut(text, room, widthOf)] : folded(text, room, widthOf)
      })
      const height = Math.max(...parts.map((lines) => lines.length))
      return Array.from({ length: height }, (_, line) => {
        const texts = shown.map((column, place) => {
          const text = parts[place]?.[line] ?? ''
          const gap = ' '.repeat(Math.max(0, (widths[column] ?? 0) - widthOf(text)))
          return (number === 0 && text !== '' ? bold(text) : text) + gap
        })
        return texts.join(GAP).trimEnd()
      })
    })
    .join('\n')
}

const GAP = '  '
/** ASCII, whose length is its width. */
const ASCII = /^[ -~]*$/
/** Of a column that is cut: enough for a date. */
const LEAST_CUT = 11
const LEAST_FOLDED = 8

async function measureFor(rows: readonly (readonly string[])[]): Promise<Measure> {
  if (rows.every((row) => row.every((cell) => ASCII.test(cell)))) return (text) => text.length
  const { default: stringWidth } = await import('string-width')
  return (text) => (ASCII.test(text) ? text.length : stringWidth(text))
}

/** The width of each column so that all fit into the limit; 0 for one that is left out. */
function fitted(
  natural: readonly number[],
  headings: readonly string[],
  spare: readonly number[],
  limit: number,
): number[] {
  for (let leftOut = 0; leftOut <= spare.length; leftOut += 1) {
    const widths = natural.map((width, column) => (spare.slice(0, leftOut).includes(column) ? 0 : width))
    for (const column of spare.slice(leftOut)) {
      const width = widths[column] ?? 0
      const least = Math.min(width, Math.max(LEAST_CUT, headings[column]?.length ?? 0))
      widths[column] = Math.max(least, width - Math.max(0, excessOf(widths, limit)))
    }
    if (excessOf(widths, limit) <= 0) return widths
    if (leftOut === spare.length) return narrowed(widths, limit)
  }
  return [...natural]
}

/** Takes from the widest column until all fit. */
function narrowed(widths: readonly number[], limit: number): number[] {
  const narrow = widths.map((width) => Math.min(width, limit))
  while (excessOf(narrow, limit) > 0) {
    const widest = Math.max(...narrow)
    if (widest <= LEAST_FOLDED) break
    narrow[narrow.indexOf(widest)] = widest - 1
  }
  return narrow
}

function excessOf(widths: readonly number[], limit: number): number {
  const shown = widths.filter((width) => width > 0)
  return shown.reduce((sum, width) => sum + width, GAP.length * (shown.length - 1)) - limit
}

async function colors(color: boolean): Promise<{ readonly bold: (text: string) => string }> {
  if (!color) return { bold: (text) => text }
  const { default: picocolors } = await import('picocolors')
  return picocolors.createColors(true)
}
