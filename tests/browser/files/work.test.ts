import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { entryOf, selectedNames } from '../../helpers/browser/pages/files-page.ts'
import { keepToasts, toastOf } from '../../helpers/browser/pages/toasts.ts'
import { isServed, servedText } from '../../helpers/browser/served-files.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'

const FILES = {
  'draft.txt': 'draft',
  'report.txt': 'report',
  'notes.txt': 'notes',
  'album/one.jpg': '1',
  'archive/': '',
}

const open = pageOfFile()

const selectAll = async (page: Page, ...names: string[]) => {
  for (const name of names) await entryOf(page, name).getByRole('checkbox').click()
}

describe('file actions', () => {
  it('rename, keep a rejected name in the field, and can be undone', async () => {
    await using shown = await open(FILES, { expectedStatuses: [409] })
    const { page, daemon } = shown
    await entryOf(page, 'draft.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    const field = page.getByRole('textbox', { name: 'New name for draft.txt' })
    await expect.poll(async () => await selectedText(field)).toBe('draft')
    await page.keyboard.type('report')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'with this name already exists' }).waitFor()
    expect(await field.inputValue()).toBe('report.txt')
    await field.fill('final.txt')
    await field.press('Enter')
    await entryOf(page, 'final.txt').waitFor()
    await expect.poll(async () => await selectedNames(page)).toEqual(['final.txt'])
    expect(await servedText(daemon, 'final.txt')).toBe('draft')
    await page.keyboard.press('Control+z')
    await toastOf(page, 'Undone').waitFor()
    await entryOf(page, 'draft.txt').waitFor()
    expect(isServed(daemon, 'final.txt')).toBe(false)
  })

  it('delete into the trash with Undo, and forever only after a confirmation', async () => {
    await using shown = await open(FILES)
    const { page, daemon } = shown
    await selectAll(page, 'draft.txt', 'album')
    await page.getByRole('toolbar', { name: 'Selection actions' }).getByRole('button', { name: 'Delete' }).waitFor()
    await keepToasts(page)
    await page.keyboard.press('Delete')
    const moved = toastOf(page, 'Moved 2 items to the trash')
    await moved.waitFor()
    await entryOf(page, 'album').waitFor({ state: 'detached' })
    expect(isServed(daemon, 'draft.txt')).toBe(false)
    await moved.getByRole('button', { name: 'Undo' }).click()
    await entryOf(page, 'album').waitFor()
    await entryOf(page, 'draft.txt').waitFor()
    expect(await servedText(daemon, 'album/one.jpg')).toBe('1')

    await page.keyboard.press('Escape')
    await entryOf(page, 'report.txt').click()
    await page.keyboard.press('Shift+Delete')
    const prompt = page.getByRole('alertdialog', { name: 'Delete “report.txt” forever?' })
    const keep = prompt.getByRole('button', { name: 'Keep it' })
    await expect.poll(async () => await keep.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await prompt.waitFor({ state: 'detached' })
    expect(isServed(daemon, 'report.txt')).toBe(true)
    await page.keyboard.press('Shift+Delete')
    await prompt.getByRole('button', { name: 'Delete forever' }).click()
    await entryOf(page, 'report.txt').waitFor({ state: 'detached' })
    expect(isServed(daemon, 'report.txt')).toBe(false)
    expect(await (await daemon.fetch('/api/trash')).json()).toEqual([])
  })

  it('list, restore and delete items in the trash, and empty it', async () => {
    await using shown = await open(FILES)
    const { page, daemon } = shown
    for (const name of ['draft.txt', 'report.txt', 'notes.txt', 'album']) {
      await daemon.fetch(`/api/resources/${name}?trash=true`, { method: 'DELETE' })
    }
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trash' }).click()
    const list = page.getByRole('list', { name: 'Items in the trash' })
    await expect.poll(async () => await list.getByRole('listitem').count()).toBe(4)
    await list.getByText('deleted in 30 days').first().waitFor()
    await list.getByRole('button', { name: 'Restore album' }).click()
    await toastOf(page, 'Restored “album”').waitFor()
    expect(await servedText(daemon, 'album/one.jpg')).toBe('1')
    await list.getByRole('checkbox', { name: 'Select draft.txt' }).click()
    const tools = page.getByRole('toolbar', { name: 'Selection actions' })
    await tools.getByRole('button', { name: 'Delete forever' }).click()
    const prompt = page.getByRole('alertdialog')
    await prompt.getByRole('button', { name: 'Delete forever' }).click()
    await expect.poll(async () => await list.getByRole('listitem').count()).toBe(2)
    await page.getByRole('button', { name: 'Empty trash' }).click()
    await page
      .getByRole('alertdialog', { name: 'Empty the trash?' })
      .getByRole('button', { name: 'Delete forever' })
      .click()
    await page.getByRole('heading', { name: 'Trash is empty' }).waitFor()
    expect(await (await daemon.fetch('/api/trash')).json()).toEqual([])
    await page.goBack()
    await entryOf(page, 'album').waitFor()
  })
})

async function selectedText(field: Locator): Promise<string> {
  return await field.evaluate((input: HTMLInputElement) =>
    input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0),
  )
}
