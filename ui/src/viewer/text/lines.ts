/** A longer line is cut, because laying out a megabyte in one line stops the page. */
export const LONGEST_LINE = 10_000

export interface Line {
  /** Where it starts in the text. */
  readonly start: number
  readonly length: number
  /** At most the first 10,000 characters. */
  readonly shown: string
}

/** The lines of a text, whether they end in LF, CRLF or CR. */
export function linesOf(text: string): Line[] {
  const lines: Line[] = []
  const ends = /\r\n|\n|\r/g
  let start = 0
  const add = (end: number): void => {
    const length = end - start
    lines.push({ start, length, shown: text.slice(start, start + Math.min(length, LONGEST_LINE)) })
  }
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    add(end.index)
    start = ends.lastIndex
  }
  add(text.length)
  return lines
}
