import type { ClientConfig } from '../../../src/domain/settings/client-config.ts'
import { applyBranding } from '../api/apply-branding.ts'
import { asThemeChoice, THEME_KEY } from '../lib/theme.ts'
import type { Services } from './services.ts'

/**
 * The server escapes "<" in it. A regular expression, because parsing the document would load its styles with a foreign
 * nonce.
 */
const CONFIG = /id="filemgr-config">([^<]*)</

/**
 * Applies branding that an administrator has changed, and the state of maintenance. Reads them from the login page, since
 * not every user may read the settings.
 */
export async function refreshConfig({ config, theme }: Pick<Services, 'config' | 'theme'>): Promise<void> {
  // Without a connection nothing changes; the next event or visit updates it.
  const response = await fetch(`${config.get().BaseURL}/login`, { cache: 'no-store' }).catch(() => undefined)
  const written = response?.ok ? CONFIG.exec(await response.text())?.[1] : undefined
  if (written === undefined) return
  const next = JSON.parse(written) as ClientConfig
  const before = config.get()
  applyBranding(document, { color: next.Color, theme: next.Theme })
  if (localStorage.getItem(THEME_KEY) === null) theme.choice.set(asThemeChoice(next.Theme))
  if (next.CSS || before.CSS) replaceStyles(next)
  // An equal one would render the whole page again.
  if (JSON.stringify(next) !== JSON.stringify(before)) config.set(next)
}

/** Reloads the custom style sheet. The old one stays until the new one has loaded. */
function replaceStyles({ CSS, StaticURL }: { CSS: boolean; StaticURL: string }): void {
  const old = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"][href*="/custom.css"]')]
  const remove = () => {
    for (const link of old) link.remove()
  }
  if (!CSS) {
    remove()
    return
  }
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = `${StaticURL}/custom.css?${Date.now()}`
  link.addEventListener('load', remove)
  document.head.append(link)
}
