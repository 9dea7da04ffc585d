import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import he from '../../../../ui/src/i18n/catalogues/he.json' with { type: 'json' }
import en from '../../../../ui/src/i18n/catalogues/en.json' with { type: 'json' }
import { accessibilityProblems, isTooWide } from '../accessibility.ts'
import { openBrowser } from '../browser.ts'
import { newSession } from '../sessions.ts'
import { startFurnished } from './furnished.ts'
import type { Screen, Stage, TextId } from './screen.ts'
import { walk } from './walk.ts'

/**
 * A desktop, and a phone with a language that is written from right to left. Not Arabic: axe takes its joined letters for
 * ligatures of icons and does not check their contrast.
 */
const LAYOUTS = [
  { language: 'en', width: 1280, texts: en, scheme: 'light', others: ['dark'] },
  { language: 'he', width: 400, texts: he, scheme: 'dark', others: [] },
] as const

interface WalkOptions {
  readonly signsIn?: boolean
  readonly cutsConnections?: boolean
}

/**
 * Defines tests that open these screens and every overlay on them. The colours are the same at any width, so the desktop is
 * checked in both colour schemes, and each overlay in one scheme at each width.
 */
export function checkEveryScreen(screens: readonly Screen[], options: WalkOptions = {}): void {
  const { signsIn = true, cutsConnections = false } = options
  const name =
    'screens have no accessibility violations in "$language" at $width px, fit the width and return the focus'
  it.each(LAYOUTS)(name, async ({ language, width, texts, scheme, others }) => {
    await using daemon = await startFurnished()
    const body = JSON.stringify({ what: 'user', which: ['locale'], data: { id: 1, locale: language } })
    await daemon.fetch('/api/users/1', { method: 'PUT', body })
    await using browser = await openBrowser(daemon.url, {
      colorScheme: scheme,
      locale: language,
      viewport: { width, height: 800 },
      cutsConnections,
      ...(signsIn && { storageState: await newSession(daemon) }),
      expectedStatuses: [400, 401, 403, 404, 409, 412, 415, 500, 501, 503, 507],
    })
    const { page } = browser
    const text: Stage['text'] = (id: TextId, values = {}) =>
      Object.entries(values).reduce((filled, [key, value]) => filled.replace(`{${key}}`, value), texts[id])
    await skipAnimations(page)
    const faults: string[] = []
    const lost = await walk(
      { page, daemon, links: daemon.links, text, isVisitor: !signsIn },
      screens,
      async (shown, inside) => {
        faults.push(...(await accessibilityProblems(page, { inside })).map((fault) => `${shown}, ${scheme}: ${fault}`))
        if (inside === undefined && (await page.evaluate(isTooWide))) faults.push(`${shown}: wider than the screen`)
        if (inside !== undefined) return
        for (const other of others) {
          await page.emulateMedia({ colorScheme: other })
          const contrast = await accessibilityProblems(page, { rules: ['color-contrast'] })
          faults.push(...contrast.map((fault) => `${shown}, ${other}: ${fault}`))
          await page.emulateMedia({ colorScheme: scheme })
        }
      },
    )
    expect([...faults, ...lost]).toEqual([])
  })
}

/** The walk waits for the end of every animation, whose frames cost as much as some rules of axe. */
async function skipAnimations(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(':root { --t-fade: 0ms; --t-slide: 0ms }')
    document.adoptedStyleSheets = [sheet]
  })
}
