import type { Ace } from 'ace-builds'
import { countMatches, isExpression, type Matches } from './count-matches.ts'

export interface Query {
  readonly text: string
  readonly matchCase: boolean
  readonly wholeWord: boolean
  readonly regExp: boolean
}

export interface Found extends Matches {
  /** The text is no regular expression. */
  readonly wrong: boolean
}

/** `here` stays at the match under the cursor while somebody types. */
export type Direction = 'here' | 'next' | 'previous'

export interface Finder {
  look(query: Query, direction: Direction): Found
  /** Replaces the match that is selected and goes to the next one. */
  replace(query: Query, by: string): Found
  /** @returns how many there were */
  replaceAll(query: Query, by: string): number
  /** Takes the marks of the matches away. */
  clear(): void
}

const NOTHING: Found = { total: 0, index: 0, wrong: false }

interface SearchingEditor {
  readonly $search: { readonly $options: { readonly re?: RegExp | false } }
}

interface HighlightingSession {
  highlight(expression: RegExp | null): void
}

/** Searches the text of an editor, marks the matches and counts them. */
export function createFinder(editor: Ace.Editor): Finder {
  const mark = (expression: RegExp | null): void => {
    ;(editor.session as unknown as HighlightingSession).highlight(expression)
    editor.renderer.updateBackMarkers()
  }
  const options = ({ matchCase, wholeWord, regExp }: Query) => ({
    ...{ caseSensitive: matchCase, wholeWord, regExp, wrap: true },
  })
  const look = (query: Query, direction: Direction): Found => {
    const wrong = query.regExp && !isExpression(query.text)
    if (query.text === '' || wrong) {
      mark(null)
      return { ...NOTHING, wrong }
    }
    const how = { ...options(query), skipCurrent: direction !== 'here', backwards: direction === 'previous' }
    editor.find(query.text, how)
    const expression = expressionOf(editor)
    mark(expression)
    if (expression === null) return NOTHING
    const text = editor.session.getDocument().getAllLines().join('\n')
    const offset = editor.session.getDocument().positionToIndex(editor.getSelectionRange().start)
    return { ...countMatches(text, expression, offset), wrong: false }
  }
  return {
    look,
    replace(query, by) {
      look(query, 'here')
      editor.replace(by, options(query))
      return look(query, 'here')
    },
    replaceAll(query, by) {
      look(query, 'here')
      return editor.replaceAll(by, { needle: query.text, ...options(query) })
    },
    clear: () => mark(null),
  }
}

/** What Ace has made of the last search, to match anywhere. */
function expressionOf(editor: Ace.Editor): RegExp | null {
  const { re } = (editor as unknown as SearchingEditor).$search.$options
  return re instanceof RegExp ? new RegExp(re.source, `${re.flags.replace('g', '')}g`) : null
}
