import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { entryOf, shownNames } from '../../helpers/browser/pages/files-page.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'

const FILES = { 'beta.txt': 'bb', 'Älpha.txt': 'aaaa', '.secret': '', 'music/song.txt': '' }

const open = pageOfFile()

describe('a folder', () => {
  it('is filtered with "/" and shown completely after Escape', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    await entryOf(page, 'beta.txt').click()
    const field = page.getByRole('textbox', { name: 'Filter by name' })
    // Pressing once is enough: the page remembers a shortcut until its code has loaded.
    await page.keyboard.press('/')
    await field.waitFor()
    await field.fill('äL')
    await expect.poll(async () => await shownNames(page)).toEqual(['Älpha.txt'])
    await page.getByText('1 of 4').waitFor()
    await field.press('Enter')
    await expect.poll(async () => await focusedName(page)).toBe('Älpha.txt')
    await field.fill('nothing like it')
    await page.getByText('No matches').waitFor()
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    await expect.poll(async () => (await shownNames(page)).length).toBe(4)
  })

  it('shows its README below the list, but not the one of a filtered list', async () => {
    await using shown = await open({
      'docs/README.md': '# Start here\n\n[The plan](plan.txt)',
      'docs/plan.txt': 'plan',
    })
    const { page } = shown
    await entryOf(page, 'docs').dblclick()
    const readMe = page.getByRole('article', { name: 'README.md' })
    await readMe.getByRole('heading', { name: 'Start here' }).waitFor()
    await entryOf(page, 'plan.txt').click()
    await page.keyboard.press('/')
    await readMe.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await readMe.getByRole('link', { name: 'The plan' }).click()
    await page.waitForURL('**/files/docs/plan.txt')
  })

  it('hides hidden files with Ctrl+H, also after a reload', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    const hidden = entryOf(page, '.secret')
    await hidden.waitFor()
    await page.getByRole('button', { name: 'More folder actions' }).click()
    await page.getByRole('menuitemradio', { name: 'Show hidden files', checked: true }).click()
    await hidden.waitFor({ state: 'detached' })
    await page.reload()
    await entryOf(page, 'beta.txt').waitFor()
    expect(await hidden.count()).toBe(0)
    // Opening and closing the menu ensures that the shortcuts have loaded.
    await page.getByRole('button', { name: 'More folder actions' }).click()
    await page.getByRole('menu', { name: 'Folder actions' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu', { name: 'Folder actions' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+h')
    await hidden.waitFor()
  })

  it('has a context menu, opened by right-click, Shift+F10 and its button', async () => {
    await using shown = await open({ ...FILES, 'empty/': '' })
    const { page } = shown
    await entryOf(page, 'empty').dblclick()
    const menu = page.getByRole('menu', { name: 'Folder actions' })
    const words = ['New folder', 'New file', 'Upload files', 'Upload a folder', 'Sort by', 'View']
    await page.getByRole('heading', { name: 'This folder is empty' }).click({ button: 'right' })
    for (const word of words) await menu.getByRole('menuitem', { name: word }).waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    await page.keyboard.press('Shift+F10')
    await menu.waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: /New f/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'More folder actions' }).click()
    await menu.getByRole('menuitem', { name: 'View' }).press('Enter')
    await page.getByRole('menuitemradio', { name: 'Gallery' }).press('Enter')
    await page.getByRole('button', { name: 'Gallery', pressed: true }).waitFor()
  })

  it('keeps its scroll position while others add entries, and says how many are new', async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`m${1000 + index}.txt`, '']))
    await using shown = await open(many)
    const { page, daemon } = shown
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await page.getByRole('button', { name: 'List', exact: true, pressed: true }).waitFor()
    await page.getByRole('columnheader', { name: 'Name' }).waitFor()
    await entryOf(page, 'm1000.txt').focus()
    await page.keyboard.press('End')
    const last = entryOf(page, 'm1199.txt')
    await last.waitFor()
    const head = page.getByRole('columnheader', { name: 'Name' })
    await expect.poll(async () => (await head.boundingBox())?.y ?? 0).toBeGreaterThan(0)
    const place = async () => Math.round((await last.boundingBox())?.y ?? 0)
    const before = await place()
    for (const name of ['a1.txt', 'a2.txt']) await writeFile(join(daemon.root, name), '')
    await mkdir(join(daemon.root, 'a folder'))
    const news = page.getByRole('button', { name: '3 new items' })
    await news.waitFor()
    expect(await place()).toBe(before)
    await news.click()
    await entryOf(page, 'a1.txt').waitFor()
    await news.waitFor({ state: 'detached' })
  })
})

async function focusedName(page: Page): Promise<string | null> {
  return await page.evaluate(() => document.activeElement?.getAttribute('data-entry') ?? null)
}
