/** More than so many are not counted: in a large text that would take longer than typing. */
export const MOST_COUNTED = 9999

export interface Matches {
  readonly total: number
  /** Of the match that begins at the place, counted from 1; 0 when none does. */
  readonly index: number
}

/** How often a global expression matches, and which of the matches begins at an offset of the text. */
export function countMatches(text: string, expression: RegExp, offset: number): Matches {
  let total = 0
  let index = 0
  for (const match of text.matchAll(expression)) {
    if (match[0] === '') continue
    total++
    if (match.index === offset) index = total
    if (total === MOST_COUNTED) break
  }
  return { total, index }
}

/** Whether a pattern is a regular expression that this browser understands. */
export function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== ''
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  // Without "u" more is forgiven, as the search itself does.
  try {
    return new RegExp(pattern).source !== ''
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
