/** The lines with one of them a place further; as they are when there is no such place. */
export function moved(lines: readonly string[], line: string, step: -1 | 1): string[] {
  const from = lines.indexOf(line)
  const to = from + step
  if (from < 0 || to < 0 || to >= lines.length) return [...lines]
  return lines.with(from, lines[to] ?? '').with(to, line)
}
