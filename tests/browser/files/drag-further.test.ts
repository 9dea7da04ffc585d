import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import ar from '../../../ui/src/i18n/catalogues/ar.json' with { type: 'json' }
import { openInArabic } from '../../helpers/browser/pages/arabic-page.ts'
import { continueDrag, fingerOn, middleOf, startDrag } from '../../helpers/browser/drag.ts'
import { entryOf, openFiles, waitForWholePage, selectedNames } from '../../helpers/browser/pages/files-page.ts'
import { toastOf } from '../../helpers/browser/pages/toasts.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const FILES = { 'other.txt': 'o', 'third.txt': 't', 'box/inner/x.txt': '', 'box/deep/light.txt': 'l', 'light.txt': '' }

/** Opening `box` shows no folder below a pointer that still rests there: that folder would open too. */
const NESTED = { 'other.txt': 'o', 'third.txt': 't', 'above/a.txt': '', 'box/inner/x.txt': '', 'box/b.txt': '' }

const open = pageOfFile()

/** Whether an element appears within three seconds: a folder opens when a drag has rested on it for 700 ms. */
async function isShownSoon(element: Locator): Promise<boolean> {
  return await element.waitFor({ timeout: 3000 }).then(
    () => true,
    () => false,
  )
}

describe('a drag', () => {
  it('opens the folders it hovers over, and can drag a file out of the page', async () => {
    await using shown = await open(NESTED)
    const { page, daemon } = shown
    await waitForWholePage(page)
    await showDragDataInTitle(page)
    await startDrag(page, entryOf(page, 'other.txt'), entryOf(page, 'box'))
    expect(await page.title()).toBe(
      `application/octet-stream:other.txt:${new URL('/api/raw/other.txt', daemon.url).href}`,
    )
    await entryOf(page, 'inner').waitFor()
    // On a busy machine it rests there so long that this folder opens, too.
    await continueDrag(page, entryOf(page, 'inner'))
    await page.mouse.up()
    await expect.poll(() => existsSync(join(daemon.root, 'box/inner/other.txt'))).toBe(true)
  })

  it('onto the trash in the sidebar deletes, and can be undone', async () => {
    await using shown = await open(FILES)
    const { page, daemon } = shown
    await waitForWholePage(page)
    const trash = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trash' })
    await startDrag(page, entryOf(page, 'other.txt'), trash)
    await page.getByText('Move 1 item to “Trash”').waitFor()
    await page.mouse.up()
    await toastOf(page, 'Moved “other.txt” to the trash').waitFor()
    expect(existsSync(join(daemon.root, 'other.txt'))).toBe(false)
    expect(new URL(page.url()).pathname).toBe('/files/')
    await page.keyboard.press('Control+z')
    await expect.poll(() => existsSync(join(daemon.root, 'other.txt'))).toBe(true)
  })

  it('starts after a long press on touch screens, opens folders too, and dims cut entries', async () => {
    await using daemon = await startTestServer({ files: NESTED })
    await using browser = await openFiles(daemon, { hasTouch: true, viewport: { width: 400, height: 700 } })
    const { page } = browser
    await waitForWholePage(page)
    const finger = await fingerOn(page)
    // The browser of a busy machine may take the first move for scrolling: then the finger is lifted, and presses again.
    await expect
      .poll(async () => {
        await finger.press(await middleOf(entryOf(page, 'other.txt')))
        await expect.poll(async () => await selectedNames(page)).toEqual(['other.txt'])
        await finger.moveTo(await middleOf(entryOf(page, 'box')))
        if (await isShownSoon(entryOf(page, 'inner'))) return true
        await finger.lift()
        await page.keyboard.press('Escape')
        return false
      })
      .toBe(true)
    // Moves again if the row has just moved.
    await expect
      .poll(async () => {
        const row = await entryOf(page, 'inner')
          .boundingBox({ timeout: 1000 })
          .catch(() => null)
        if (row !== null) await finger.moveTo({ x: row.x + row.width / 2, y: row.y + row.height / 2 })
        return await isShownSoon(entryOf(page, 'x.txt'))
      })
      .toBe(true)
    await page.getByText('Move 1 item to “inner”').waitFor()
    await finger.lift()
    await expect.poll(() => existsSync(join(daemon.root, 'box/inner/other.txt'))).toBe(true)
    await page.getByText('Move 1 item to “inner”').waitFor({ state: 'detached' })

    await page.goto('/files/')
    const third = entryOf(page, 'third.txt')
    await third.focus()
    await page.keyboard.press('Control+Space')
    await page.keyboard.press('Control+x')
    const opacity = async () => await third.evaluate((row) => getComputedStyle(row).opacity)
    await expect.poll(opacity).toBe('0.6')
    await page.keyboard.press('Control+c')
    await expect.poll(opacity).toBe('1')
  })

  it('moves search results to folders of the page, and out of the page', async () => {
    await using shown = await open(FILES, { folder: '/box/' })
    const { page, daemon } = shown
    await waitForWholePage(page)
    await showDragDataInTitle(page)
    await page.keyboard.press('Control+Shift+f')
    const field = page.getByRole('combobox', { name: 'Search files' })
    await field.fill('light')
    const hit = page.getByRole('option', { name: 'light.txt' })
    await hit.waitFor()
    // The page below the search is hidden from screen readers, so it has no roles.
    await startDrag(page, hit, page.locator('[data-entry="inner"]'))
    await page.getByText('Move 1 item to “inner”').waitFor()
    expect(await page.title()).toBe(
      `application/octet-stream:light.txt:${new URL('/api/raw/box/deep/light.txt', daemon.url).href}`,
    )
    await page.mouse.up()
    await expect.poll(() => existsSync(join(daemon.root, 'box/inner/light.txt'))).toBe(true)
    await page.getByRole('option', { name: /light\.txt inner/ }).waitFor()
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)

    await field.fill('txt')
    await page
      .getByRole('option')
      .nth(1)
      .click({ modifiers: ['Shift'] })
    await page.getByText('2 selected').waitFor()
    await startDrag(page, page.getByRole('option').first(), page.locator('nav [data-folder="/"]').first())
    await page.getByText('Move 2 items to “My files”').waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.up()
    await field.press('Escape')
    await page.getByText('2 selected').waitFor({ state: 'detached' })
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
  })

  it('works in right-to-left pages: into a folder, onto the breadcrumbs and into the sidebar', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openInArabic(daemon, { folder: '/box/', favourites: ['/box/deep'] })
    const { page } = browser
    const has = (path: string) => existsSync(join(daemon.root, path))
    const row = (name: string) => page.locator(`[data-entry="${name}"]`)
    const home = page
      .getByRole('navigation', { name: ar['shell.breadcrumb'] })
      .getByRole('link', { name: ar['files.root'] })
    const favourite = page.getByRole('navigation', { name: ar['shell.favourites'] }).getByRole('link', { name: 'deep' })
    await page.clock.install()
    const dropOn = async (name: string, place: Locator, folder: string) => {
      await row(name).waitFor()
      await place.waitFor()
      // On a slow machine the drag would hover long enough to open a folder.
      await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000))
      await startDrag(page, row(name), place)
      await page.getByText(`نقل عنصر واحد إلى «${folder}»`).waitFor()
      await place.and(page.locator('[data-drop]')).waitFor()
      await page.mouse.up()
      await page.clock.resume()
      await row(name).waitFor({ state: 'detached' })
    }
    await favourite.waitFor()
    // The sidebar is on the right, with the first entry next to it.
    expect((await middleOf(favourite)).x).toBeGreaterThan((await middleOf(row('deep'))).x)
    expect((await middleOf(row('deep'))).x).toBeGreaterThan((await middleOf(row('inner'))).x)
    await dropOn('inner', row('deep'), 'deep')
    expect(has('box/deep/inner/x.txt')).toBe(true)
    await row('deep').dblclick()
    await dropOn('inner', home, ar['files.root'])
    expect(has('inner/x.txt')).toBe(true)
    await home.click()
    await dropOn('other.txt', favourite, 'deep')
    expect(has('box/deep/other.txt')).toBe(true)

    await page.getByRole('button', { name: ar['files.folders'], exact: true }).click()
    await dropOn('third.txt', page.getByRole('treeitem', { name: 'inner' }), 'inner')
    expect(has('inner/third.txt')).toBe(true)
  })
})

/** Writes the data that a drag offers to other programs into the page title. */
async function showDragDataInTitle(page: Page): Promise<void> {
  await page.evaluate(() => {
    addEventListener('dragstart', ({ dataTransfer }) => {
      document.title = dataTransfer?.getData('DownloadURL') ?? ''
    })
  })
}
