import { printable } from '../../domain/text/printable.ts'

/** Formats a table without borders, so that it also works in a pipe. Escapes cells, which contain names chosen by users. */
export async function drawTable(
  headings: readonly string[],
  cells: readonly (readonly string[])[],
  color: boolean,
): Promise<string> {
  const { bold } = await colors(color)
  if ([headings, ...cells].every((row) => row.every((cell) => PLAIN.test(cell))))
    return plainTable(headings, cells, bold)
  const { default: Table } = await import('cli-table3')
  const table = new Table({
    head: headings.map((heading) => bold(heading)),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    chars: Object.fromEntries(EDGES.map((edge) => [edge, ''])),
  })
  for (const row of cells) table.push(row.map((cell) => printable(cell)))
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

/** ASCII, whose length is its width. */
const PLAIN = /^[ -~]*$/

/** Formats a table of ASCII text. */
function plainTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  style: (text: string) => string,
): string {
  const all = [headings, ...rows]
  const widths = headings.map((_, column) => all.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0))
  return all
    .map((row, line) => {
      const cells = row.map((cell, column) => {
        const gap = ' '.repeat((widths[column] ?? 0) - cell.length)
        return (line === 0 ? style(cell) : cell) + gap
      })
      return cells.join('  ').trimEnd()
    })
    .join('\n')
}

async function colors(color: boolean): Promise<{ readonly bold: (text: string) => string }> {
  if (!color) return { bold: (text) => text }
  const { default: picocolors } = await import('picocolors')
  return picocolors.createColors(true)
}

const EDGES = [
  'top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left', 'left-mid',
  'mid', 'mid-mid', 'right', 'right-mid', 'middle',
] // prettier-ignore
