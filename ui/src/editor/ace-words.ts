import type { Translate } from '../i18n/use-text.tsx'
import type { AceWords } from './ace/speak.ts'

/** What Ace says by itself, in the language of the page. */
export function aceWords(t: Translate): AceWords {
  return {
    editor: t('editor.label'),
    suggestions: t('editor.suggestions'),
    loading: t('viewer.loading'),
    noProblems: t('editor.noProblems'),
    readOnly: t('editor.readOnly'),
    problem: t('errors.pageTitle'),
    fold: t('uploads.collapse'),
    unfold: t('uploads.expand'),
    place: (line, column) => t('editor.place', { line, column }),
  }
}
