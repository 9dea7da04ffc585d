/** `system` follows the operating system. */
export type ThemeChoice = 'system' | 'light' | 'dark'

/** Where the browser remembers what was chosen. */
export const THEME_KEY = 'filemgr:theme'

export function asThemeChoice(value: unknown): ThemeChoice {
  return value === 'light' || value === 'dark' ? value : 'system'
}

/** Dresses the page; the colours follow by themselves. */
export function showTheme(page: HTMLElement, choice: ThemeChoice): void {
  page.classList.toggle('light', choice === 'light')
  page.classList.toggle('dark', choice === 'dark')
}
