import { BRAND_TOKENS, brandTokens } from '../../../src/domain/settings/brand-colors.ts'
import { asThemeChoice, showTheme, THEME_KEY } from '../lib/theme.ts'

/** How an installation looks; a part of its branding. */
export interface Look {
  /** `#1558d6`; "" for our own. */
  readonly color: string
  /** For those who have not chosen one: "light", "dark", or "" for that of the system. */
  readonly theme: string
}

/**
 * Makes a page look so, at once and until it is loaded again: for a preview too, which is taken back by applying the saved
 * look. Name and logo are words and pictures of components, which read them from the configuration.
 */
export function applyBranding(page: Document, { color, theme }: Look): void {
  const root = page.documentElement
  const tokens = brandTokens(color)
  // "initial" is as if there were none, also where the page came with those of the colour before.
  for (const name of BRAND_TOKENS) root.style.setProperty(name, tokens?.[name] ?? 'initial')
  for (const frame of page.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    frame.content = color || getComputedStyle(page.body).backgroundColor
  }
  if (localStorage.getItem(THEME_KEY) === null) showTheme(root, asThemeChoice(theme))
}
