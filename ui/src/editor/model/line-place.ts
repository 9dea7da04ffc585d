export interface LinePlace {
  /** Both count from 1. */
  readonly line: number
  readonly column: number
}

/** "12" or "12:5", within a text of so many lines; undefined for anything else. A line behind the last is the last. */
export function parseLinePlace(text: string, lines: number): LinePlace | undefined {
  const [, line, column = '1'] = /^\s*(\d+)\s*(?:[:,]\s*(\d+))?\s*$/.exec(text) ?? []
  if (line === undefined) return undefined
  return { line: Math.min(Math.max(Number(line), 1), lines), column: Math.max(Number(column), 1) }
}
