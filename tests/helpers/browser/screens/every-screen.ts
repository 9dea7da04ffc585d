import { expect, it } from 'vitest'
import type en from '../../../../ui/src/i18n/catalogues/en.json'
import { accessibilityProblems } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { ACTIVITY_SCREENS } from './activity-screens.ts'
import { AWAY_SCREENS } from './away-screens.ts'
import { ENTRY_SCREENS, FOLDER_SCREENS } from './files-screens.ts'
import { startFurnished } from './furnished.ts'
import type { Stage, TextId } from './screen.ts'
import { SETTINGS_SCREENS } from './settings-screens.ts'
import { VIEWER_SCREENS } from './viewer-screens.ts'
import { VISITOR_SCREENS } from './visitor-screens.ts'
import { walk } from './walk.ts'

interface HowSeen {
  readonly language: string
  readonly width: number
  readonly texts: typeof en
}

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
/** Many screens, on a machine that may be busy. */
const MINUTES = 400_000

/** Defines tests that open every screen and every overlay on it: one test for each part of the page. */
export function checkEveryScreen({ language, width, texts }: HowSeen): void {
  const text: Stage['text'] = (id: TextId, values = {}) =>
    Object.entries(values).reduce((filled, [name, value]) => filled.replace(`{${name}}`, value), texts[id])

  it.each(PARTS)('has no accessibility violations in %s, and the focus returns', { timeout: MINUTES }, async (part) => {
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
    const lost = await walk(stage, SCREENS[part], async (name, inside) => {
      faults.push(...(await accessibilityProblems(page, { inside })).map((fault) => `${name}: ${fault}`))
      await page.emulateMedia({ colorScheme: 'dark' })
      const dark = await accessibilityProblems(page, { inside, rules: ['color-contrast'] })
      faults.push(...dark.map((fault) => `${name}, dark: ${fault}`))
      await page.emulateMedia({ colorScheme: 'light' })
    })
    expect([...faults, ...lost]).toEqual([])
  })
}
