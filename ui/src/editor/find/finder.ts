import type { Ace } from 'ace-builds'

export interface Query {
  readonly text: string
  readonly matchCase: boolean
  readonly wholeWord: boolean
  readonly regExp: boolean
}

export interface Found extends Matches {
  /** The text is not a valid regular expression. */
  readonly wrong: boolean
}

/** `here` stays at the match under the cursor while the user types. */
export type Direction = 'here' | 'next' | 'previous'

const NOTHING: Found = { total: 0, index: 0, wrong: false }

interface SearchingEditor {
  readonly $search: { readonly $options: { readonly re?: RegExp | false } }
}

interface HighlightingSession {
  highlight(expression: RegExp | null): void
}

/** Searches the text of an editor, marks the matches and counts them. */
export function createFinder(editor: Ace.Editor) {
  const highlight = (expression: RegExp | null): void => {
    ;(editor.session as unknown as HighlightingSession).highlight(expression)
    editor.renderer.updateBackMarkers()
  }
  const options = ({ matchCase, wholeWord, regExp }: Query) => ({
    caseSensitive: matchCase,
    wholeWord,
    regExp,
    wrap: true,
  })
  const find = (query: Query, direction: Direction): Found => {
    const wrong = query.regExp && !isExpression(query.text)
    if (query.text === '' || wrong) {
      highlight(null)
      return { ...NOTHING, wrong }
    }
    const settings = { ...options(query), skipCurrent: direction !== 'here', backwards: direction === 'previous' }
    editor.find(query.text, settings)
    const expression = expressionOf(editor)
    highlight(expression)
    if (expression === null) return NOTHING
    const text = editor.session.getDocument().getAllLines().join('\n')
    const offset = editor.session.getDocument().positionToIndex(editor.getSelectionRange().start)
    return { ...countMatches(text, expression, offset), wrong: false }
  }
  return {
    find,
    /** Replaces the selected match and selects the next one. */
    replace(query: Query, by: string) {
      find(query, 'here')
      editor.replace(by, options(query))
      return find(query, 'here')
    },
    /** @returns the number of replacements */
    replaceAll(query: Query, by: string): number {
      find(query, 'here')
      return editor.replaceAll(by, { needle: query.text, ...options(query) })
    },
    /** Removes the highlighting of matches. */
    clear: () => highlight(null),
  }
}

/** The regular expression that Ace built for the last search, as a global one. */
function expressionOf(editor: Ace.Editor): RegExp | null {
  const { re } = (editor as unknown as SearchingEditor).$search.$options
  return re instanceof RegExp ? new RegExp(re.source, `${re.flags.replace('g', '')}g`) : null
}

/** Counting stops here: in a large text it would slow down typing. */
export const MAX_COUNTED = 9999

interface Matches {
  readonly total: number
  /** Number of the match that begins at the offset, from 1; 0 if none does. */
  readonly index: number
}

/** Counts the matches of a global expression and finds the one that begins at an offset. */
export function countMatches(text: string, expression: RegExp, offset: number): Matches {
  let total = 0
  let index = 0
  for (const match of text.matchAll(expression)) {
    if (match[0] === '') continue
    total++
    if (match.index === offset) index = total
    if (total === MAX_COUNTED) break
  }
  return { total, index }
}

/** Whether the browser accepts a pattern as a regular expression. */
export function isExpression(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').source !== ''
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  // Ace searches without "u" then, which accepts more patterns.
  try {
    return new RegExp(pattern).source !== ''
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
