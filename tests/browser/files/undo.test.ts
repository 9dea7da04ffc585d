import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { changeSettings } from '../../helpers/browser/change-settings.ts'
import { entryOf, openFiles, waitForWholePage, selectedNames } from '../../helpers/browser/pages/files-page.ts'
import { keepToasts, toastOf } from '../../helpers/browser/pages/toasts.ts'
import { servedText } from '../../helpers/browser/served-files.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const FILES = { 'notes.txt': 'notes', 'draft.txt': 'draft', 'box/inside.txt': '' }

describe('undo', () => {
  it('reverts changes of any kind with Ctrl+Z one by one, the latest first', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon)
    const { page } = browser
    const has = (path: string) => existsSync(join(daemon.root, path))
    await waitForWholePage(page)

    // Copy with the keyboard.
    await entryOf(page, 'notes.txt').click()
    await press(page, 'Control+c', 'Control+v')
    await entryOf(page, 'notes(1).txt').waitFor()
    // Create.
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('fresh')
    await page.keyboard.press('Enter')
    await entryOf(page, 'fresh').waitFor()
    // Rename in the list.
    await entryOf(page, 'draft.txt').click()
    await page.keyboard.press('F2')
    const field = page.getByRole('textbox', { name: 'New name for draft.txt' })
    await field.fill('final.txt')
    await field.press('Enter')
    await entryOf(page, 'final.txt').waitFor()
    // Move with the keyboard.
    await entryOf(page, 'notes.txt').click()
    await press(page, 'Control+x')
    await entryOf(page, 'box').dblclick()
    await entryOf(page, 'inside.txt').waitFor()
    await press(page, 'Control+v')
    await entryOf(page, 'notes.txt').waitFor()
    // Delete.
    await entryOf(page, 'inside.txt').click()
    await press(page, 'Delete')
    await entryOf(page, 'inside.txt').waitFor({ state: 'detached' })

    const undo = async (...expected: readonly [path: string, there: boolean][]) => {
      await page.keyboard.press('Control+z')
      for (const [path, there] of expected) await expect.poll(() => has(path)).toBe(there)
    }
    await undo(['box/inside.txt', true])
    await expect.poll(async () => await selectedNames(page)).toEqual(['inside.txt'])
    await undo(['box/notes.txt', false], ['notes.txt', true])
    await undo(['final.txt', false], ['draft.txt', true])
    await undo(['fresh', false])
    await undo(['notes(1).txt', false])
    expect([has('notes.txt'), has('draft.txt'), has('box/inside.txt')]).toEqual([true, true, true])
  })

  it('is offered by one toast, that of the latest change', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon)
    const { page } = browser
    await waitForWholePage(page)
    await keepToasts(page)
    for (const name of ['notes.txt', 'draft.txt']) {
      await entryOf(page, name).click()
      await press(page, 'Delete')
      await toastOf(page, `Moved “${name}” to the trash`).waitFor()
    }
    await toastOf(page, 'Moved “notes.txt” to the trash').waitFor({ state: 'detached' })
    await toastOf(page, 'Moved “draft.txt” to the trash').getByRole('button', { name: 'Undo' }).click()
    await entryOf(page, 'draft.txt').waitFor()
  })

  it('moves new files and folders to the trash, with everything written into them meanwhile', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon, { expectedStatuses: [400] })
    const { page } = browser
    const has = (path: string) => existsSync(join(daemon.root, path))
    const undo = async () => {
      await entryOf(page, 'notes.txt').focus()
      await page.keyboard.press('Control+z')
    }
    await waitForWholePage(page)
    await make(page, 'New folder', 'plans')
    await entryOf(page, 'plans').waitFor()
    await writeFile(join(daemon.root, 'plans/first.txt'), 'by somebody else')
    await makeAndWrite(page, 'New file', 'letter.txt', 'dear ')
    await writeFile(join(daemon.root, 'letter.txt'), 'dear all')
    await undo()
    await entryOf(page, 'letter.txt').waitFor({ state: 'detached' })
    expect([has('letter.txt'), has('plans/first.txt')]).toEqual([false, true])
    await undo()
    await entryOf(page, 'plans').waitFor({ state: 'detached' })
    expect(has('plans')).toBe(false)

    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trash' }).click()
    // By key, because the panel of activities may lie over the button.
    await page.getByRole('button', { name: 'Restore letter.txt' }).press('Enter')
    await toastOf(page, 'Restored “letter.txt”').waitFor()
    await page.getByRole('button', { name: 'Restore plans' }).press('Enter')
    await toastOf(page, 'Restored “plans”').waitFor()
    expect(await servedText(daemon, 'letter.txt')).toBe('dear all')
    expect(await servedText(daemon, 'plans/first.txt')).toBe('by somebody else')

    // Without the trash, undo would lose data, so it is refused.
    await changeSettings(daemon, { trash: { days: 0 } })
    await page.goBack()
    await keepToasts(page)
    await makeAndWrite(page, 'New file', 'kept.txt', 'kept')
    await undo()
    await page.getByRole('alert').getByText('The trash is turned off.').waitFor()
    expect(await servedText(daemon, 'kept.txt')).toBe('kept')
    await entryOf(page, 'kept.txt').waitFor()
  })
})

async function make(page: Page, button: 'New file' | 'New folder', name: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.keyboard.press('Enter')
}

/** A new file opens in the editor. Afterwards the folder is shown again. */
async function makeAndWrite(page: Page, button: 'New file', name: string, text: string): Promise<void> {
  await make(page, button, name)
  await page.getByRole('textbox', { name: `Content of ${name}` }).waitFor()
  await page.keyboard.type(text)
  await page.keyboard.press('Control+s')
  await page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await entryOf(page, name).waitFor()
}

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}
