/** Draws rows under headings, without lines, so that a table also reads well in a pipe. */
export async function drawTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  color: boolean,
): Promise<string> {
  const [{ default: Table }, { createColors }] = await Promise.all([
    import('cli-table3'),
    import('picocolors').then((m) => m.default),
  ])
  const { bold } = createColors(color)
  const table = new Table({
    head: headings.map((heading) => bold(heading)),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    chars: Object.fromEntries(EDGES.map((edge) => [edge, ''])),
  })
  table.push(...rows.map((row) => [...row]))
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

const EDGES = [
  'top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right', 'left', 'left-mid',
  'mid', 'mid-mid', 'right', 'right-mid', 'middle',
] // prettier-ignore
