import * as ace from 'ace-builds'
import type { Translate } from '../../i18n/use-text.tsx'

/** A blank hides a label or role; Ace would replace an empty text by its English default. */
const BLANK = ' '

/** Translates Ace into the language of the page. Ace fills in `$0` and `$1`. */
export function translateAce(text: AceText): void {
  const { editor, suggestions, loading, noProblems, readOnly, problem, fold, unfold } = text
  const severities = ['security', 'warning', 'info', 'hint'].flatMap((kind): [string, string][] => [
    [`gutter.annotation.aria-label.${kind}`, '$0'],
    [`gutter-tooltip.aria-label.${kind}.singular`, BLANK],
    [`gutter-tooltip.aria-label.${kind}.plural`, BLANK],
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
    'autocomplete.popup.item.aria-roledescription': BLANK,
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

/** Ace's texts in the language of the page. */
export function aceTextOf(t: Translate) {
  return {
    editor: t('editor.label'),
    suggestions: t('editor.suggestions'),
    loading: t('viewer.loading'),
    noProblems: t('editor.noProblems'),
    readOnly: t('editor.readOnly'),
    problem: t('errors.pageTitle'),
    fold: t('uploads.collapse'),
    unfold: t('uploads.expand'),
    /** "Line 3, column 8"; both count from 1. */
    cursorPosition: (line: number, column: number) => t('editor.cursorPosition', { line, column }),
  }
}

/** The texts of Ace's own labels, tooltips and lists. */
export type AceText = ReturnType<typeof aceTextOf>
