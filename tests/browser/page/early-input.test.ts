import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { dropAtOnce } from '../../helpers/browser/drop-files.ts'
import { entryOf, gridOf, openFiles, selectedNames } from '../../helpers/browser/pages/files-page.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const FILES = { 'box/x.txt': '', 'old.txt': 'old', 'report.txt': 'report', 'zebra.txt': '' }

describe('what is typed while the code for it is being fetched', () => {
  it('reaches the dialog that it opens, with its first letter', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon)
    const { page } = browser
    await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.evaluate(async () => await navigator.clipboard.writeText('ing'))

    const parts = await reloadWithout(page, 'late-parts|palette-prompt')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('settXX')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Control+v')
    parts.come()
    const palette = page.getByRole('combobox', { name: 'Type a command or a folder' })
    await hasText(palette, 'setting')
    await page.keyboard.type('s of all')
    await hasText(palette, 'settings of all')

    const overlay = await reloadWithout(page, 'late-parts|search-overlay')
    await page.keyboard.press('Control+Shift+F')
    await page.keyboard.type('rep')
    overlay.come()
    const search = page.getByRole('combobox', { name: 'Search files' })
    await hasText(search, 'rep')
    await page.getByRole('option', { name: /report\.txt/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/files/report.txt')
  })

  it('does what it asks for with what was selected, and nothing after a press on something else', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon)
    const { page } = browser

    const parts = await reloadWithout(page, 'late-parts|folder-extras|rename-field')
    await entryOf(page, 'old.txt').click()
    await page.keyboard.press('F2')
    await page.keyboard.type('new')
    await page.keyboard.press('Enter')
    parts.come()
    await entryOf(page, 'new.txt').waitFor()
    expect(await readFile(join(daemon.root, 'new.txt'), 'utf8')).toBe('old')

    const again = await reloadWithout(page, 'late-parts')
    await entryOf(page, 'zebra.txt').click()
    await page.keyboard.press('Delete')
    again.come()
    await entryOf(page, 'zebra.txt').waitFor({ state: 'detached' })

    const menu = await reloadWithout(page, 'late-parts|folder-extras|menu-popup')
    await entryOf(page, 'report.txt').click()
    await page.keyboard.press('Shift+F10')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    menu.come()
    await page.waitForURL('**/files/report.txt')

    await page.goBack()
    const last = await reloadWithout(page, 'late-parts|folder-extras')
    await page.keyboard.press('Delete')
    await entryOf(page, 'new.txt').click()
    last.come()
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'New name for new.txt' }).waitFor()
    expect(await selectedNames(page)).toEqual(['new.txt'])
    expect(existsSync(join(daemon.root, 'new.txt'))).toBe(true)
  })
})

describe('files that come while the code for them is being fetched', () => {
  it('are uploaded to where they were dropped or pasted', async () => {
    await using mine = await tempFolder({ 'dropped.txt': 'dropped', 'boxed.txt': 'boxed' })
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon)
    const { page } = browser
    const parts = await reloadWithout(page, 'late-parts|folder-extras|uploads-root')
    await dropAtOnce(entryOf(page, 'report.txt'), [join(mine.path, 'dropped.txt')])
    await dropAtOnce(entryOf(page, 'box'), [join(mine.path, 'boxed.txt')])
    await page.evaluate(() => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File(['pasted'], 'pasted.txt'))
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    parts.come()
    await entryOf(page, 'dropped.txt').waitFor()
    await entryOf(page, 'pasted.txt').waitFor()
    await expect.poll(() => existsSync(join(daemon.root, 'box/boxed.txt')), { timeout: 30_000 }).toBe(true)
    expect(page.url()).toBe(new URL('/files/', daemon.url).href)
  })
})

async function hasText(field: Locator, text: string): Promise<void> {
  await expect.poll(async () => await field.inputValue(), { timeout: 30_000 }).toBe(text)
}

/** Loads the page again; chunks of these names come when they are told to. */
async function reloadWithout(page: Page, names: string): Promise<{ come(): void }> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  await page.unrouteAll({ behavior: 'wait' })
  await page.route(new RegExp(`/static/(${names})-[^/]*\\.js`), async (route) => {
    await promise
    await route.continue()
  })
  await page.reload()
  await gridOf(page).waitFor()
  return { come: () => resolve(undefined) }
}
