import { printable } from '../../domain/text/printable.ts'

/** Formats a table without borders, so that it also works in a pipe. Escapes cells, which contain names chosen by users. */
export async function drawTable(
  headings: readonly string[],
  cells: readonly (readonly string[])[],
  color: boolean,
): Promise<string> {
  const rows = cells.map((row) => row.map((cell) => printable(cell)))
  const { bold } = await colors(color)
  const plain = plainTable(headings, rows, bold)
  if (plain !== undefined) return plain
  const { default: Table } = await import('cli-table3')
  const table = new Table({
    head: headings.map((heading) => bold(heading)),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    chars: Object.fromEntries(EDGES.map((edge) => [edge, ''])),
  })
  table.push(...rows)
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

/** Formats a table of ASCII text, whose length is its width; undefined for other text. */
function plainTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  style: (text: string) => string,
): string | undefined {
  const all = [headings, ...rows]
  if (!all.every((row) => row.every((cell) => /^[ -~]*$/.test(cell)))) return undefined
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
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
