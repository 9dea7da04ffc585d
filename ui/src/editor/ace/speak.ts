import * as ace from 'ace-builds'

/** What Ace says by itself in labels, tooltips and lists. */
export interface AceWords {
  readonly editor: string
  readonly suggestions: string
  readonly loading: string
  readonly noProblems: string
  readonly readOnly: string
  readonly problem: string
  readonly fold: string
  readonly unfold: string
  /** "Line 3, column 8"; both count from 1. */
  place(line: number, column: number): string
}

/** White space is no label, and no role either; Ace takes an empty text for a missing one and speaks English. */
const NOTHING = ' '

/** Makes Ace speak the language of the page. Its own numbers stand for `$0` and `$1`. */
export function speak(words: AceWords): void {
  const { editor, suggestions, loading, noProblems, readOnly, problem, fold, unfold } = words
  const severities = ['security', 'warning', 'info', 'hint'].flatMap((kind): [string, string][] => [
    [`gutter.annotation.aria-label.${kind}`, '$0'],
    [`gutter-tooltip.aria-label.${kind}.singular`, NOTHING],
    [`gutter-tooltip.aria-label.${kind}.plural`, NOTHING],
  ])
  ace.config.setMessages({
    ...Object.fromEntries(severities),
    'gutter.annotation.aria-label.error': `${problem} $0`,
    'gutter-tooltip.aria-label.error.singular': problem,
    'gutter-tooltip.aria-label.error.plural': problem,
    'gutter.code-folding.range.aria-label': `${fold} $0–$1`,
    'gutter.code-folding.closed.aria-label': `${unfold} $0–$1`,
    'gutter.code-folding.open.aria-label': `${fold} $0`,
    'gutter.code-folding.closed.title': unfold,
    'gutter.code-folding.open.title': fold,
    'inline-fold.closed.title': unfold,
    'autocomplete.popup.aria-roledescription': suggestions,
    'autocomplete.popup.aria-label': suggestions,
    'autocomplete.popup.item.aria-roledescription': NOTHING,
    'autocomplete.loading': loading,
    'error-marker.good-state': noProblems,
    'editor.tooltip.disable-editing': readOnly,
    'editor.scroller.aria-roledescription': editor,
    'editor.scroller.aria-label': editor,
    'editor.gutter.aria-roledescription': editor,
    'editor.gutter.aria-label': editor,
    'text-input.aria-roledescription': editor,
    'text-input.aria-label': '$0',
  })
}
