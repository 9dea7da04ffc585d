/** The columns that a text takes on a terminal. */
export type Measure = (text: string) => number

/** The beginning of a text, if it is too wide. */
export function cut(text: string, room: number, widthOf: Measure = (part) => part.length): string {
  if (widthOf(text) <= room) return text
  const [first = ''] = pieces(text, room - 1, widthOf)
  return `${first.trimEnd()}…`
}

/** Lines of at most this width, which end after a space, "," or "|" if there is one. */
export function folded(text: string, room: number, widthOf: Measure = (part) => part.length): string[] {
  const words = text.split(/(?<=[ |,])/)
  const lines: string[] = []
  let line = ''
  for (const piece of words.flatMap((word) => pieces(word, room, widthOf))) {
    if (line !== '' && widthOf(`${line}${piece}`.trimEnd()) > room) {
      lines.push(line)
      line = ''
    }
    line += piece
  }
  return [...lines, line].map((each) => each.trimEnd())
}

/** Splits a text between characters as people see them. */
function pieces(text: string, room: number, widthOf: Measure): string[] {
  if (widthOf(text.trimEnd()) <= room) return [text]
  const found = ['']
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    const last = found.at(-1) ?? ''
    if (last !== '' && widthOf(last) + widthOf(segment) > room) found.push(segment)
    else found[found.length - 1] = last + segment
  }
  return found
}
