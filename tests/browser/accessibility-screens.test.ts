import { describe, expect, it } from 'vitest'
import ar from '../../ui/src/i18n/ar.json' with { type: 'json' }
import en from '../../ui/src/i18n/en.json' with { type: 'json' }
import { accessibilityProblems } from '../helpers/accessibility.ts'
import { openBrowser } from '../helpers/browser.ts'
import { ACTIVITY_SCREENS } from '../helpers/screens/activity-screens.ts'
import { AWAY_SCREENS } from '../helpers/screens/away-screens.ts'
import { ENTRY_SCREENS, FOLDER_SCREENS } from '../helpers/screens/files-screens.ts'
import { startFurnished } from '../helpers/screens/furnished.ts'
import type { Stage, TextId } from '../helpers/screens/screen.ts'
import { SETTINGS_SCREENS } from '../helpers/screens/settings-screens.ts'
import { VIEWER_SCREENS } from '../helpers/screens/viewer-screens.ts'
import { VISITOR_SCREENS } from '../helpers/screens/visitor-screens.ts'
import { walk } from '../helpers/screens/walk.ts'

const LANGUAGES = [
  { language: 'en', width: 1280, texts: en },
  { language: 'ar', width: 400, texts: ar },
] as const

const SCREENS = {
  links: VISITOR_SCREENS,
  folders: FOLDER_SCREENS,
  entries: ENTRY_SCREENS,
  viewers: VIEWER_SCREENS,
  settings: SETTINGS_SCREENS,
  activity: ACTIVITY_SCREENS,
  away: AWAY_SCREENS,
}
const PARTS = ['links', 'folders', 'entries', 'viewers', 'settings', 'activity', 'away'] as const
/** There is much to see, on a machine that may have other things to do. */
const MINUTES = 400_000

describe.each(LANGUAGES)('in "$language" at $width px', ({ language, width, texts }) => {
  const text: Stage['text'] = (id: TextId, values = {}) =>
    Object.entries(values).reduce((filled, [name, value]) => filled.replace(`{${name}}`, value), texts[id])

  it.each(PARTS)('axe finds nothing wrong in %s, and the focus comes back', { timeout: MINUTES }, async (part) => {
    await using daemon = await startFurnished()
    const body = JSON.stringify({ what: 'user', which: ['locale'], data: { id: 1, locale: language } })
    await daemon.fetch('/api/users/1', { method: 'PUT', body })
    await using browser = await openBrowser(daemon.url, {
      ...{ colorScheme: 'light', locale: language, viewport: { width, height: 800 } },
      expectedStatuses: [400, 401, 403, 404, 409, 412, 415, 500, 501, 507],
      cutsConnections: part === 'away',
    })
    const { page } = browser
    const stage: Stage = { page, daemon, links: daemon.links, text }
    if (part !== 'links') {
      await page.goto('/login')
      await page.getByLabel(text('login.username'), { exact: true }).fill(daemon.username)
      await page.getByLabel(text('login.password'), { exact: true }).fill(daemon.password)
      await page.keyboard.press('Enter')
      await page.waitForURL('**/files/')
    }
    const faults: string[] = []
    const lost = await walk(stage, SCREENS[part], async (name) => {
      faults.push(...(await accessibilityProblems(page)).map((fault) => `${name}: ${fault}`))
      await page.emulateMedia({ colorScheme: 'dark' })
      faults.push(...(await accessibilityProblems(page, ['color-contrast'])).map((fault) => `${name}, dark: ${fault}`))
      await page.emulateMedia({ colorScheme: 'light' })
    })
    expect([...faults, ...lost]).toEqual([])
  })
})
