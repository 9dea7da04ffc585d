import { BRAND_TOKENS, brandTokens } from '../../../src/domain/settings/brand-colors.ts'
import { asThemeChoice, showTheme, THEME_KEY } from '../lib/theme.ts'

/** The colours of an installation; a part of its branding. */
export interface BrandColors {
  /** `#1558d6`; "" for the default. */
  readonly color: string
  /** For users who have not chosen one: "light", "dark", or "" for the system's. */
  readonly theme: string
}

/**
 * Applies branding to the page until it is reloaded. Also used for previews: to undo one, apply the saved colours. Name and
 * logo are rendered by components, from the configuration.
 */
export function applyBranding(page: Document, { color, theme }: BrandColors): void {
  const root = page.documentElement
  const tokens = brandTokens(color)
  // "initial" also overrides colours that came with the page.
  for (const name of BRAND_TOKENS) root.style.setProperty(name, tokens?.[name] ?? 'initial')
  for (const frame of page.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    frame.content = color || getComputedStyle(page.body).backgroundColor
  }
  if (localStorage.getItem(THEME_KEY) === null) showTheme(root, asThemeChoice(theme))
}
