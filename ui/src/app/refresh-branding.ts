import type { ClientConfig } from '../../../src/domain/settings/client-config.ts'
import { applyBranding } from '../api/apply-branding.ts'
import { asThemeChoice, THEME_KEY } from '../lib/theme.ts'
import type { Services } from './services.ts'

/** The server leaves no "<" in it. Parsed as a document, the page would ask for its styles, with a nonce that is not ours. */
const CONFIG = /id="filemgr-config">([^<]*)</

/**
 * Takes over the branding as it is now, after an administrator has saved another one. It is read from the page as the server
 * gives it: who may not see the settings sees that too.
 */
export async function refreshBranding({ config, theme }: Pick<Services, 'config' | 'theme'>): Promise<void> {
  const response = await fetch(`${config.get().BaseURL}/login`, { cache: 'no-store' }).catch(ignore)
  const written = response?.ok ? CONFIG.exec(await response.text())?.[1] : undefined
  if (written === undefined) return
  const next = JSON.parse(written) as ClientConfig
  const before = config.get()
  applyBranding(document, { color: next.Color, theme: next.Theme })
  if (localStorage.getItem(THEME_KEY) === null) theme.choice.set(asThemeChoice(next.Theme))
  if (next.CSS || before.CSS) replaceStyles(next)
  config.set(next)
}

/** The style sheet of the installation, asked for anew; the one before stays until that is there. */
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

/** Without a connection there is nothing new to see; the next event, or the next visit, tells. */
function ignore(): undefined {
  return undefined
}
