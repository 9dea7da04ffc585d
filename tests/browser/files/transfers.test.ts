import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { barButton, entryOf, gridOf, selectedNames } from '../../helpers/browser/pages/files-page.ts'
import { toastOf } from '../../helpers/browser/pages/toasts.ts'
import { isServed, servedText } from '../../helpers/browser/served-files.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'

const FILES = {
  'draft.txt': 'mine',
  'notes.txt': 'notes',
  'album/one.jpg': '1',
  'work/draft.txt': 'theirs',
  'work/inner/deep.txt': '',
}

const open = pageOfFile()

describe('copying and moving', () => {
  it('picks the folder in a tree by keyboard, asks about existing names, goes there and can be undone', async () => {
    await using shown = await open(FILES)
    const { page, daemon } = shown
    for (const name of ['draft.txt', 'album']) await entryOf(page, name).getByRole('checkbox').click()
    await barButton(page, 'Move to…').click()
    const prompt = page.getByRole('dialog', { name: 'Move 2 items' })
    const tree = prompt.getByRole('tree', { name: 'Folders' })
    const row = (name: string): Locator => tree.getByRole('treeitem', { name: new RegExp(`^${name}`) })
    await row('album').waitFor()
    expect(await row('album').getAttribute('aria-disabled')).toBe('true')
    expect(await prompt.getByRole('button', { name: 'Move here' }).isDisabled()).toBe(true)
    await row('My files').focus()
    await page.keyboard.press('End')
    await expect.poll(async () => await row('work').getAttribute('aria-selected')).toBe('true')
    await page.keyboard.press('ArrowRight')
    await row('inner').waitFor()
    await prompt.getByText('My files / work').waitFor()

    await prompt.getByRole('button', { name: 'New folder' }).click()
    const make = page.getByRole('dialog', { name: 'New folder' })
    await make.getByRole('textbox', { name: 'Name' }).fill('fresh')
    await make.getByRole('button', { name: 'Create' }).click()
    await expect.poll(async () => await row('fresh').getAttribute('aria-selected')).toBe('true')
    await row('work').click()
    await prompt.getByRole('button', { name: 'Move here' }).click()

    const clash = page.getByRole('dialog', { name: '1 of 2 items already exists' })
    await clash.waitFor()
    await clash.getByRole('button', { name: 'Continue' }).click()
    await toastOf(page, 'Moved 2 items to work').waitFor()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/files/work/')
    await expect.poll(async () => (await selectedNames(page)).toSorted()).toEqual(['album', 'draft(1).txt'])
    expect([await servedText(daemon, 'work/draft.txt'), await servedText(daemon, 'work/draft(1).txt')]).toEqual([
      'theirs',
      'mine',
    ])
    await page.keyboard.press('Control+z')
    await toastOf(page, 'Undone').waitFor()
    await entryOf(page, 'album').waitFor({ state: 'detached' })
    expect([isServed(daemon, 'album/one.jpg'), await servedText(daemon, 'draft.txt')]).toEqual([true, 'mine'])
  })

  it('copies and cuts with the clipboard, also between folders', async () => {
    await using shown = await open(FILES)
    const { page, daemon } = shown
    await entryOf(page, 'notes.txt').click()
    await barButton(page, 'Delete').waitFor()
    await page.keyboard.press('Control+c')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+v')
    await entryOf(page, 'notes(1).txt').waitFor()
    expect(await servedText(daemon, 'notes(1).txt')).toBe('notes')

    await entryOf(page, 'draft.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Cut' }).click()
    await entryOf(page, 'work').dblclick()
    await entryOf(page, 'inner').waitFor()
    await page.keyboard.press('Control+v')
    const clash = page.getByRole('dialog', { name: '“draft.txt” already exists' })
    await clash.getByRole('combobox', { name: /draft/ }).selectOption('Skip')
    await clash.getByRole('button', { name: 'Continue' }).click()
    await clash.waitFor({ state: 'detached' })
    expect(isServed(daemon, 'draft.txt')).toBe(true)
    await page.keyboard.press('Control+v')
    await clash.getByRole('button', { name: 'Continue' }).click()
    await entryOf(page, 'draft(1).txt').waitFor()
    expect([isServed(daemon, 'draft.txt'), await servedText(daemon, 'work/draft(1).txt')]).toEqual([false, 'mine'])
  })

  it('replaces only after confirmation, and merges folders', async () => {
    await using shown = await open({ ...FILES, 'work/album/two.jpg': '2' })
    const { page, daemon } = shown
    for (const name of ['draft.txt', 'album']) await entryOf(page, name).getByRole('checkbox').click()
    await barButton(page, 'Copy to…').click()
    const prompt = page.getByRole('dialog', { name: 'Copy 2 items' })
    await prompt.getByRole('treeitem', { name: 'work', exact: true }).click()
    await prompt.getByRole('button', { name: 'Copy here' }).click()
    const clash = page.getByRole('dialog', { name: '2 of 2 items already exist' })
    await clash.getByRole('combobox', { name: /draft/ }).selectOption('Replace')
    await clash.getByRole('combobox', { name: /album/ }).selectOption('Merge')
    await clash.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(async () => isServed(daemon, 'work/album/one.jpg')).toBe(true)
    await expect.poll(async () => await servedText(daemon, 'work/draft.txt')).toBe('mine')
    expect(await servedText(daemon, 'work/album/two.jpg')).toBe('2')
    expect(isServed(daemon, 'draft.txt')).toBe(true)
    await gridOf(page).waitFor()
  })

  it('applies one answer to all conflicts, or skips all', async () => {
    const names = ['one.txt', 'three.txt', 'two.txt']
    const files = Object.fromEntries(
      names.flatMap((name) => [
        [name, 'mine'],
        [`work/${name}`, 'theirs'],
      ]),
    )
    await using shown = await open(files)
    const { page, daemon } = shown
    const inWork = async () => await Promise.all(names.map(async (name) => await servedText(daemon, `work/${name}`)))
    for (const name of names) await entryOf(page, name).getByRole('checkbox').click()
    await barButton(page, 'Copy to…').click()
    const prompt = page.getByRole('dialog', { name: 'Copy 3 items' })
    await prompt.getByRole('treeitem', { name: 'work', exact: true }).click()
    await prompt.getByRole('button', { name: 'Copy here' }).click()
    const clash = page.getByRole('dialog', { name: '3 of 3 items already exist' })
    await clash.getByRole('button', { name: 'Skip all' }).click()
    await clash.waitFor({ state: 'detached' })
    expect(await inWork()).toEqual(['theirs', 'theirs', 'theirs'])

    // The picker is still open for another try.
    await prompt.getByRole('button', { name: 'Copy here' }).click()
    await clash.getByRole('combobox', { name: /two/ }).selectOption('Replace')
    await clash.getByRole('checkbox', { name: 'Apply to all' }).check()
    await clash.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(inWork).toEqual(['mine', 'mine', 'mine'])
  })
})
