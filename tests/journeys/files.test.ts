import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../helpers/browser/accessibility.ts'
import { pageOfFile } from '../helpers/browser/page-of-file.ts'
import { startTestServer } from '../helpers/browser/test-server.ts'
import {
  barButton,
  entryOf,
  gridOf,
  openFiles,
  waitForWholePage,
  selectedNames,
} from '../helpers/browser/pages/files-page.ts'
import { waitForUploadHeading, pickFiles } from '../helpers/browser/pages/upload-page.ts'
import { isServed, servedText } from '../helpers/browser/served-files.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const open = pageOfFile()

async function expectAccessible(page: Page): Promise<void> {
  expect(await accessibilityProblems(page)).toEqual([])
}

describe('a user', () => {
  it('browses into folders and back', async () => {
    await using shown = await open({ 'browse/music/song.txt': '', 'browse/notes.txt': 'one' }, { folder: '/browse/' })
    const { page } = shown
    await entryOf(page, 'music').dblclick()
    await entryOf(page, 'song.txt').waitFor()
    await expectAccessible(page)
    await page.goBack()
    await expect.poll(async () => await selectedNames(page)).toEqual(['music'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await page.getByRole('columnheader', { name: 'Size' }).waitFor()
    await expectAccessible(page)
  })

  it('uploads files, which arrive byte for byte', async () => {
    await using mine = await tempFolder({ 'holiday.bin': 'x'.repeat(300_000) })
    await using shown = await open({ 'upload/there.txt': '' }, { folder: '/upload/' })
    const { page, daemon } = shown
    await pickFiles(page, [join(mine.path, 'holiday.bin')])
    await waitForUploadHeading(page, /^Uploaded/)
    await entryOf(page, 'holiday.bin').waitFor()
    expect(await servedText(daemon, 'upload/holiday.bin')).toBe('x'.repeat(300_000))
    await expectAccessible(page)
  })

  it('renames a file in place, and is told when the name is taken', async () => {
    await using shown = await open({ 'rename/old.tar.gz': 'r', 'rename/taken.txt': 't' }, { folder: '/rename/' })
    const { page, daemon } = shown
    await waitForWholePage(page)
    await entryOf(page, 'old.tar.gz').click()
    await page.keyboard.press('F2')
    const field = page.getByRole('textbox', { name: 'New name for old.tar.gz' })
    await field.fill('taken.txt')
    await field.press('Enter')
    await page.getByRole('alert').waitFor()
    await expectAccessible(page)
    await field.fill('new.tar.gz')
    await field.press('Enter')
    await expect.poll(async () => await selectedNames(page)).toEqual(['new.tar.gz'])
    expect(await servedText(daemon, 'rename/new.tar.gz')).toBe('r')
  })

  it('deletes files and undoes it', async () => {
    await using shown = await open({ 'delete/a.txt': 'a', 'delete/b.txt': 'b' }, { folder: '/delete/' })
    const { page, daemon } = shown
    await waitForWholePage(page)
    await entryOf(page, 'a.txt').click()
    await entryOf(page, 'b.txt').click({ modifiers: ['Control'] })
    await page.keyboard.press('Delete')
    await entryOf(page, 'a.txt').waitFor({ state: 'detached' })
    expect(isServed(daemon, 'delete/b.txt')).toBe(false)
    await expectAccessible(page)
    await page.keyboard.press('Control+z')
    await entryOf(page, 'b.txt').waitFor()
    expect(await servedText(daemon, 'delete/a.txt')).toBe('a')
  })

  it('copies with the keyboard and moves with the folder picker', async () => {
    await using shown = await open({ 'move/a.txt': 'a', 'move/box/inside.txt': '' }, { folder: '/move/' })
    const { page, daemon } = shown
    await waitForWholePage(page)
    await entryOf(page, 'a.txt').click()
    await page.keyboard.press('Control+c')
    await page.keyboard.press('Control+v')
    // Another click on the same entry at once would be a double click, which opens it.
    await entryOf(page, 'a(1).txt').click()
    await entryOf(page, 'a.txt').click()
    await barButton(page, 'Move to…').click()
    const picker = page.getByRole('dialog', { name: /^Move/ })
    await picker.getByRole('treeitem', { name: /^box/ }).click()
    await expectAccessible(page)
    await picker.getByRole('button', { name: 'Move here' }).click()
    // The page follows what was moved.
    await entryOf(page, 'inside.txt').waitFor()
    await entryOf(page, 'a.txt').waitFor()
    expect(isServed(daemon, 'move/box/a.txt')).toBe(true)
    expect(isServed(daemon, 'move/a.txt')).toBe(false)
  })

  it('finds a file in a subfolder', async () => {
    await using shown = await open({ 'search/deep/daylight.txt': '', 'search/night.txt': '' }, { folder: '/search/' })
    const { page } = shown
    await waitForWholePage(page)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    const search = page.getByRole('dialog', { name: 'Search' })
    await search.getByRole('combobox', { name: 'Search files' }).waitFor()
    await page.keyboard.type('light')
    await search.getByText('daylight.txt').first().waitFor()
    await expectAccessible(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await search.waitFor({ state: 'detached' })
    await expect.poll(() => new URL(page.url()).pathname).toContain('/search/deep/')
  })

  it('restores a file from the trash', async () => {
    await using shown = await open({ 'trash/a.txt': 'a' }, { folder: '/trash/' })
    const { page, daemon } = shown
    await waitForWholePage(page)
    await entryOf(page, 'a.txt').click()
    await page.keyboard.press('Delete')
    await entryOf(page, 'a.txt').waitFor({ state: 'detached' })
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trash' }).click()
    const restore = page.getByRole('button', { name: /^(Put a\.txt back|Restore a\.txt|Restore “a\.txt”)$/ })
    await restore.waitFor()
    await expectAccessible(page)
    await restore.click()
    await expect.poll(() => isServed(daemon, 'trash/a.txt')).toBe(true)
  })

  it('does everything with the keyboard', async () => {
    await using shown = await open({ 'keys/a.txt': 'a', 'keys/box/inside.txt': '' }, { folder: '/keys/' })
    const { page, daemon } = shown
    await waitForWholePage(page)
    await entryOf(page, 'box').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Control+c')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await entryOf(page, 'inside.txt').waitFor()
    await page.keyboard.press('Control+v')
    await entryOf(page, 'a.txt').waitFor()
    expect(await servedText(daemon, 'keys/box/a.txt')).toBe('a')
    await page.keyboard.press('Alt+ArrowUp')
    await expect.poll(async () => await selectedNames(page)).toEqual(['box'])
    await expectAccessible(page)
  })

  it('uses a phone', async () => {
    await using daemon = await startTestServer({ files: { 'a.txt': 'a', 'box/': '' } })
    await using browser = await openFiles(daemon, {
      viewport: { width: 400, height: 800 },
      hasTouch: true,
      isMobile: true,
    })
    const { page } = browser
    await waitForWholePage(page)
    await entryOf(page, 'a.txt').getByRole('checkbox').click()
    await expect.poll(async () => await selectedNames(page)).toEqual(['a.txt'])
    const sideways = await gridOf(page).evaluate(() => document.documentElement.scrollWidth > innerWidth)
    expect(sideways).toBe(false)
    await expectAccessible(page)
  })
})
