import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { startDrag } from '../../helpers/browser/drag.ts'
import { entryOf, waitForWholePage, selectedNames } from '../../helpers/browser/pages/files-page.ts'
import { isServed } from '../../helpers/browser/served-files.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'

const FILES = { 'report.tar.gz': 'r', 'other.txt': 'o', 'third.txt': 't', 'box/inner/x.txt': '', 'box/other.txt': 'b' }

const open = pageOfFile()

describe('renaming', () => {
  it('happens in the list, and an error keeps what was typed', async () => {
    await using shown = await open(FILES)
    const { page, daemon } = shown
    for (const view of ['List', 'Mosaic', 'Gallery']) {
      await page.getByRole('button', { name: view, exact: true }).click()
      const old = view === 'List' ? 'report.tar.gz' : `report ${view === 'Mosaic' ? 'List' : 'Mosaic'}.tar.gz`
      const field = page.getByRole('textbox', { name: `New name for ${old}` })
      await entryOf(page, old).click()
      await untilVisible(field, async () => await page.keyboard.press('F2'))
      // The stem is selected, so that typing keeps the extension.
      await page.keyboard.type(`report ${view}`)
      // Keys pressed before the field appeared are replayed into it.
      await expect.poll(async () => await field.inputValue()).toBe(`report ${view}.tar.gz`)
      await field.fill('other.txt')
      await field.press('Enter')
      await page.getByRole('alert').getByText('An item with this name already exists here.').waitFor()
      expect(await field.inputValue()).toBe('other.txt')
      expect(await accessibilityProblems(page)).toEqual([])
      await field.fill(`report ${view}.tar.gz`)
      await field.press('Enter')
      await entryOf(page, `report ${view}.tar.gz`).waitFor()
      await expect.poll(async () => await selectedNames(page)).toEqual([`report ${view}.tar.gz`])
      await untilVisible(page.getByRole('textbox', { name: /^New name/ }), async () => await page.keyboard.press('F2'))
      await page.keyboard.press('Escape')
      await page.getByRole('textbox', { name: /^New name/ }).waitFor({ state: 'detached' })
      // Otherwise it is still selected after the page is loaded again.
      await page.keyboard.press('Escape')
      await expect.poll(async () => await selectedNames(page)).toEqual([])
      await page.goto('/files/')
    }
    expect(await readFile(join(daemon.root, 'report Gallery.tar.gz'), 'utf8')).toBe('r')
  })
})

describe('the entry with the keyboard focus', () => {
  it('is renamed, copied and deleted without being selected first, and keeps the focus', async () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_none, index) => [`file ${index}.txt`, String(index)]))
    await using shown = await open({ ...many, 'box/x.txt': '' })
    const { page, daemon } = shown
    const focused = async () => await page.evaluate(() => document.activeElement?.getAttribute('data-entry'))
    const leadTo = async (name: string, key: string) => {
      await page.keyboard.press(key)
      await expect.poll(focused).toBe(name)
    }
    await waitForWholePage(page)
    await entryOf(page, 'box').focus()
    await page.keyboard.press('Delete')
    await leadTo('file 59.txt', 'End')
    await leadTo('box', 'Home')
    await leadTo('file 0.txt', 'ArrowDown')
    const field = page.getByRole('textbox', { name: 'New name for file 0.txt' })
    await untilVisible(field, async () => await page.keyboard.press('F2'))
    await field.fill('zoo.txt')
    await field.press('Enter')
    await expect.poll(focused).toBe('zoo.txt')
    await page.keyboard.press('Escape')
    await leadTo('box', 'Home')
    await leadTo('file 1.txt', 'ArrowDown')
    await page.keyboard.press('Control+c')
    await expect.poll(async () => await selectedNames(page)).toEqual(['file 1.txt'])
    await page.keyboard.press('Escape')
    await leadTo('file 2.txt', 'ArrowRight')
    await page.keyboard.press('Delete')
    await entryOf(page, 'file 2.txt').waitFor({ state: 'detached' })
    await leadTo('box', 'Home')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await entryOf(page, 'x.txt').waitFor()
    await page.keyboard.press('Control+v')
    await entryOf(page, 'file 1.txt').waitFor()
    expect(isServed(daemon, 'box/file 1.txt')).toBe(true)
    expect(isServed(daemon, 'file 1.txt')).toBe(true)
  })
})

describe('dragging', () => {
  it('moves the whole selection into the folder it is dropped on', async () => {
    await using shown = await open(FILES)
    const { page, daemon } = shown
    await waitForWholePage(page)
    await entryOf(page, 'report.tar.gz').click()
    await entryOf(page, 'third.txt').click({ modifiers: ['Control'] })
    await startDrag(page, entryOf(page, 'third.txt'), entryOf(page, 'box'))
    await page.getByText('Move 2 items to “box”, or copy them with Ctrl').waitFor()
    await page.mouse.up()
    await entryOf(page, 'third.txt').waitFor({ state: 'detached' })
    expect([
      isServed(daemon, 'box/report.tar.gz'),
      isServed(daemon, 'box/third.txt'),
      isServed(daemon, 'third.txt'),
    ]).toEqual([true, true, false])
  })

  it('copies with Ctrl, and asks about existing names', async () => {
    await using shown = await open(FILES)
    const { page, daemon } = shown
    await waitForWholePage(page)
    await page.keyboard.down('Control')
    await startDrag(page, entryOf(page, 'other.txt'), entryOf(page, 'box'))
    await page.getByText('Copy 1 item to “box”').waitFor()
    await page.mouse.up()
    await page.keyboard.up('Control')
    const prompt = page.getByRole('dialog', { name: /already exist/ })
    await prompt.waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => isServed(daemon, 'box/other(1).txt')).toBe(true)
    expect(await readFile(join(daemon.root, 'box/other.txt'), 'utf8')).toBe('b')
    expect(isServed(daemon, 'other.txt')).toBe(true)
  })

  it('moves to a folder in the breadcrumbs, but never into itself', async () => {
    await using shown = await open(FILES, { folder: '/box/' })
    const { page, daemon } = shown
    await waitForWholePage(page)
    await startDrag(page, entryOf(page, 'inner'), entryOf(page, 'inner'))
    await page.getByText('A folder cannot be moved or copied into itself.').waitFor()
    await page.mouse.up()
    const home = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'My files' })
    await startDrag(page, entryOf(page, 'inner'), home)
    await page.getByText('Move 1 item to “My files”').waitFor()
    await page.mouse.up()
    await entryOf(page, 'inner').waitFor({ state: 'detached' })
    expect(isServed(daemon, 'inner/x.txt')).toBe(true)
  })
})

async function untilVisible(element: Locator, action: () => Promise<void>): Promise<void> {
  await expect
    .poll(async () => {
      if (await element.isVisible()) return true
      await action()
      return await element.isVisible()
    })
    .toBe(true)
}
