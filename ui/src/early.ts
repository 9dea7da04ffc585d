/**
 * Runs before anything is drawn: without it a page whose theme was chosen here would flash in the one of the system. The
 * theme of the branding is in the page already.
 */
import { asThemeChoice, showTheme, THEME_KEY } from './lib/theme-choice.ts'

try {
  const stored = localStorage.getItem(THEME_KEY)
  if (stored !== null) showTheme(document.documentElement, asThemeChoice(stored))
} catch (error) {
  // Where nothing can be stored, nothing was chosen.
  if (!(error instanceof DOMException)) throw error
}
