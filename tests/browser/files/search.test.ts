import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { fingerOn, middleOf } from '../../helpers/browser/drag.ts'
import { entryOf, gridOf, openFiles, selectedNames } from '../../helpers/browser/pages/files-page.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const FILES = {
  'light.pdf': '',
  'camera/daylight/inside.txt': '',
  'camera/light house.mp4': '',
  'camera/light-1.txt': 'one',
  'camera/light-2.txt': 'two',
  'camera/LIGHT.txt': '',
}

const open = pageOfFile()

describe('search', () => {
  it('finds while typing, is navigated by keys, and Back returns to the results', async () => {
    await using shown = await open(FILES, { folder: '/camera/' })
    const { page } = shown
    await openSearch(page)
    await page.keyboard.type('light')
    await expect.poll(async () => await hits(page)).toHaveLength(5)
    await page.getByRole('status').getByText('5 results').waitFor({ state: 'attached' })
    expect(new Set(await page.locator('mark').allTextContents())).toEqual(new Set(['light', 'LIGHT']))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    const active = await activeHit(page)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'detached' })
    await expect.poll(() => decodeURIComponent(page.url())).toContain(active.split('\n')[0])
    await page.goBack()
    await expect.poll(async () => await activeHit(page)).toBe(active)
    await page.keyboard.press('Control+Enter')
    await gridOf(page).waitFor()
    await expect.poll(async () => await selectedNames(page)).toEqual([active.split('\n')[0]])
  })

  it('filters by type and widens to all folders, and both are part of the address', async () => {
    await using shown = await open(FILES, { folder: '/camera/' })
    const { page } = shown
    await openSearch(page)
    await page.keyboard.type('light')
    await page.getByRole('button', { name: 'Video' }).click()
    await expect.poll(async () => await hits(page)).toEqual(['light house.mp4'])
    await page.getByRole('button', { name: 'Video' }).click()
    await page.getByRole('button', { name: 'PDF' }).click()
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
    await page.getByRole('button', { name: 'Search everywhere' }).click()
    await expect.poll(async () => await hits(page)).toEqual(['light.pdf'])
    await page.reload()
    await expect.poll(async () => await hits(page)).toEqual(['light.pdf'])
    await page.keyboard.press('Escape')
    await entryOf(page, 'light-1.txt').waitFor()
    expect(page.url()).not.toContain('?')
  })

  it('downloads selected results, and matches quoted text exactly', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    await openSearch(page)
    await page.keyboard.type('"light-"')
    await page.keyboard.press('Enter')
    await expect.poll(async () => await hits(page)).toEqual(['light-1.txt', 'light-2.txt'])
    await page.reload()
    await expect.poll(async () => await hits(page)).toEqual(['light-1.txt', 'light-2.txt'])
    await page.keyboard.press('Shift+ArrowDown')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByRole('button', { name: 'Download .zip' }).click()
    expect((await download).suggestedFilename()).toMatch(/\.zip$/)
    await page.getByRole('combobox', { name: 'Search files' }).focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('/files/camera/light-')
    await page.getByRole('heading', { name: /^light-\d/ }).waitFor()
    await page.goBack()
    await page.keyboard.press('Escape')
    await entryOf(page, 'camera').dblclick()
    await openSearch(page)
    await page.getByRole('button', { name: '"light-"' }).click()
    await page.getByRole('button', { name: 'Everywhere', exact: true }).click()
    await expect.poll(async () => await hits(page)).toEqual(['light-1.txt', 'light-2.txt'])
  })

  it('renames and deletes results, and keeps the others', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    await openSearch(page)
    await page.keyboard.type('light-')
    await expect.poll(async () => await hits(page)).toEqual(['light-1.txt', 'light-2.txt'])
    await page.getByText('3 B').first().waitFor()
    await page.getByRole('option').first().click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('dialog', { name: 'Rename' }).getByRole('textbox').fill('light-9.txt')
    await page.keyboard.press('Enter')
    await expect.poll(async () => await hits(page)).toEqual(['light-2.txt', 'light-9.txt'])
    await page.getByRole('combobox', { name: 'Search files' }).focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
    await expect.poll(async () => await hits(page)).toEqual(['light-9.txt'])
    await page.getByRole('button', { name: 'Any size' }).click()
    await page.getByRole('menuitemradio', { name: 'Over 100 MiB' }).click()
    await page.getByText('1 result is hidden by the time and size filters.').waitFor()
    await page.getByRole('button', { name: 'Any time and size' }).click()
    await expect.poll(async () => await hits(page)).toEqual(['light-9.txt'])
  })

  it('selects results by long press and taps, and offers all actions in a menu', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon, { hasTouch: true, viewport: { width: 400, height: 700 } })
    const { page } = browser
    await openSearch(page)
    await page.keyboard.type('light-')
    await expect.poll(async () => await hits(page)).toEqual(['light-1.txt', 'light-2.txt'])
    const finger = await fingerOn(page)
    await finger.press(await middleOf(page.getByRole('option').first()))
    await page.getByText('1 selected').waitFor()
    await finger.lift()
    await page.getByRole('option').nth(1).tap()
    await page.getByText('2 selected').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Actions for results' }).tap()
    await page.getByRole('menuitem', { name: 'Move to…' }).tap()
    const prompt = page.getByRole('dialog', { name: 'Move 2 items' })
    await prompt.getByRole('treeitem', { name: 'My files' }).tap()
    await prompt.getByRole('button', { name: 'Move here' }).tap()
    await expect.poll(() => existsSync(join(daemon.root, 'light-2.txt'))).toBe(true)
    // The preference moves the page to the destination.
    await entryOf(page, 'light-1.txt').waitFor()
    await expect.poll(async () => (await selectedNames(page)).toSorted()).toEqual(['light-1.txt', 'light-2.txt'])
  })

  it('renders only the visible ones of ten thousand results, and says that there are more', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_050 }, (_, index) => [`file-${index}.txt`, '']))
    await using shown = await open(many)
    const { page } = shown
    await openSearch(page)
    await page.keyboard.type('file-')
    await page
      .getByText(/the first 10,000 results/)
      .first()
      .waitFor()
    expect(await page.getByRole('option').count()).toBeLessThan(60)
    await page.keyboard.press('ArrowUp')
    await expect.poll(async () => await activeHit(page)).toContain('.txt')
    expect(await page.getByRole('option', { selected: true }).getAttribute('aria-posinset')).toBe('10000')
  })
})

async function openSearch(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('combobox', { name: 'Search files' }).waitFor()
}

async function hits(page: Page): Promise<string[]> {
  const texts = await page.getByRole('listbox', { name: 'Results' }).getByRole('option').allInnerTexts()
  return texts.map((text) => text.split('\n')[0] ?? '')
}

/** Name and folder of the result that Enter would open. */
async function activeHit(page: Page): Promise<string> {
  const id = await page.getByRole('combobox', { name: 'Search files' }).getAttribute('aria-activedescendant')
  return id === null ? '' : await page.locator(`[id="${id}"]`).innerText()
}
