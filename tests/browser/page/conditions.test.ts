import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { entryOf, gridOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { keepToasts, toastOf } from '../../helpers/browser/pages/toasts.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { eventually } from '../../helpers/browser/pages/viewer-page.ts'

/** An empty text has an icon: others show what is in them. */
const FILES = { 'one.txt': '', 'two.txt': '2', 'folder/': '' }

describe('forced colours', () => {
  it('show selected, switched-on and focused elements in system colours', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon, { forcedColors: 'active' })
    const { page } = browser
    // All of these colours have transitions.
    const colours = await systemColours(page)
    const chosen = { color: colours.HighlightText, background: colours.Highlight }
    const one = entryOf(page, 'one.txt')
    await one.getByRole('checkbox').click()
    for (const part of [one, one.locator('svg').first(), one.getByRole('link')]) {
      await eventually(async () => (await lookOf(part)).color).toBe(chosen.color)
    }
    await eventually(async () => await lookOf(one)).toMatchObject(chosen)
    // The box is filled with one highlight colour and the tick has the other.
    await eventually(async () => (await lookOf(one.getByRole('checkbox'))).background).toBe(chosen.color)
    await eventually(async () => (await lookOf(one.getByRole('checkbox'), '::before')).border).toBe(chosen.background)
    await eventually(async () => await lookOf(page.getByRole('toolbar', { name: 'Selection actions' }))).toMatchObject(
      chosen,
    )
    await page.keyboard.press('ArrowDown')
    const focused = page.locator('[data-entry]:focus')
    expect(await focused.evaluate((row) => getComputedStyle(row).outlineStyle)).toBe('solid')
    expect(await focused.evaluate((row) => parseFloat(getComputedStyle(row).outlineWidth))).toBeGreaterThanOrEqual(2)

    await page.goto('/settings/profile')
    const hiddenFiles = page.getByRole('switch', { name: 'Do not show hidden files' })
    await eventually(async () => (await lookOf(hiddenFiles)).background).toBe(colours.ButtonText)
    await hiddenFiles.click()
    await eventually(async () => (await lookOf(hiddenFiles)).background).toBe(colours.Highlight)
    const here = page.getByRole('complementary').locator('[aria-current="page"]')
    await eventually(async () => await lookOf(here)).toMatchObject(chosen)
    await page.goto('/settings/users')
    await page.getByRole('row').nth(1).getByRole('checkbox').click()
    await eventually(async () => await lookOf(page.getByRole('row').nth(1))).toMatchObject(chosen)
    await eventually(async () => await lookOf(page.getByRole('toolbar', { name: 'Selection actions' }))).toMatchObject(
      chosen,
    )
  })
})

describe('user preferences of the system', () => {
  it('reduced motion stops animations, and toasts never cover a bar', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon, { viewport: { width: 400, height: 800 }, hasTouch: true })
    const { page } = browser
    await entryOf(page, 'two.txt').waitFor()
    expect(await motions(page)).toEqual([])
    await keepToasts(page)
    await entryOf(page, 'one.txt').getByRole('checkbox').click()
    const bar = page.getByRole('toolbar').last()
    await bar.getByRole('button', { name: 'Delete' }).click()
    const toast = toastOf(page, 'to the trash')
    await toast.waitFor()
    await entryOf(page, 'two.txt').getByRole('checkbox').dispatchEvent('click')
    await bar.waitFor()
    await expect.poll(async () => await gap(toast, bar)).toBeGreaterThanOrEqual(0)
    expect(await motions(page)).toEqual([])
  })

  it('higher contrast has no contrast violations', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon, { contrast: 'more' })
    const { page } = browser
    await entryOf(page, 'one.txt').click()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await accessibilityProblems(page, { rules: ['color-contrast'] })).toEqual([])
    }
    const line = await gridOf(page).evaluate((grid) => getComputedStyle(grid).getPropertyValue('--border'))
    await page.emulateMedia({ contrast: 'no-preference' })
    expect(await gridOf(page).evaluate((grid) => getComputedStyle(grid).getPropertyValue('--border'))).not.toBe(line)
  })
})

type SystemColour = 'Highlight' | 'HighlightText' | 'ButtonText'

/** The system colours as rendered by this browser. */
async function systemColours(page: Page): Promise<Readonly<Record<SystemColour, string>>> {
  return await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    const colourOf = (name: SystemColour): string => {
      probe.style.color = name
      return getComputedStyle(probe).color
    }
    const names = ['Highlight', 'HighlightText', 'ButtonText'] as const
    const found = Object.fromEntries(names.map((name) => [name, colourOf(name)])) as Record<SystemColour, string>
    probe.remove()
    return found
  })
}

async function lookOf(element: Locator, part?: string): Promise<Record<'color' | 'background' | 'border', string>> {
  return await element.evaluate((found, pseudo) => {
    const { color, backgroundColor, borderBlockEndColor } = getComputedStyle(found, pseudo)
    return { color, background: backgroundColor, border: borderBlockEndColor }
  }, part)
}

/** Transitions longer than 80 ms and endless animations. */
async function motions(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const slow = (durations: string): boolean => durations.split(',').some((duration) => parseFloat(duration) > 0.08)
    return [...document.querySelectorAll('*')]
      .filter((element) => {
        const { animationName, animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(element)
        const animated = animationName !== 'none' && slow(animationDuration)
        return animated || slow(transitionDuration) || scrollBehavior === 'smooth'
      })
      .map((element) => element.outerHTML.slice(0, 80))
  })
}

/** Pixels between the lower edge of one and the upper edge of the other. */
async function gap(above: Locator, below: Locator): Promise<number> {
  const [one, other] = await Promise.all([above.boundingBox(), below.boundingBox()])
  return one === null || other === null ? Number.NaN : other.y - (one.y + one.height)
}
