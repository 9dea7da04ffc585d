import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { entryOf, openFiles, pageIsWhole, selectedNames } from '../helpers/files-page.ts'
import { startTestDaemon } from '../helpers/test-daemon.ts'

const FILES = { 'notes.txt': 'notes', 'draft.txt': 'draft', 'box/inside.txt': '' }

describe('the last changes', () => {
  it('are taken back by Ctrl+Z one by one, the latest first, whatever they were', async () => {
    await using daemon = await startTestDaemon({ files: FILES })
    await using browser = await openFiles(daemon)
    const { page } = browser
    const has = (path: string) => existsSync(join(daemon.root, path))
    await pageIsWhole(page)

    // Copied by keys.
    await entryOf(page, 'notes.txt').click()
    await press(page, 'Control+c', 'Control+v')
    await entryOf(page, 'notes(1).txt').waitFor()
    // Newly made.
    await page.getByRole('button', { name: 'New folder' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('fresh')
    await page.keyboard.press('Enter')
    await entryOf(page, 'fresh').waitFor()
    // Renamed in place.
    await entryOf(page, 'draft.txt').click()
    await page.keyboard.press('F2')
    const field = page.getByRole('textbox', { name: 'New name of draft.txt' })
    await field.fill('final.txt')
    await field.press('Enter')
    await entryOf(page, 'final.txt').waitFor()
    // Moved by keys.
    await entryOf(page, 'notes.txt').click()
    await press(page, 'Control+x')
    await entryOf(page, 'box').dblclick()
    await entryOf(page, 'inside.txt').waitFor()
    await press(page, 'Control+v')
    await entryOf(page, 'notes.txt').waitFor()
    // Deleted.
    await entryOf(page, 'inside.txt').click()
    await press(page, 'Delete')
    await entryOf(page, 'inside.txt').waitFor({ state: 'detached' })

    const undo = async (...expected: readonly [path: string, there: boolean][]) => {
      await page.keyboard.press('Control+z')
      for (const [path, there] of expected) await expect.poll(() => has(path), { timeout: 30_000 }).toBe(there)
    }
    await undo(['box/inside.txt', true])
    await expect.poll(async () => await selectedNames(page)).toEqual(['inside.txt'])
    await undo(['box/notes.txt', false], ['notes.txt', true])
    await undo(['final.txt', false], ['draft.txt', true])
    await undo(['fresh', false])
    await undo(['notes(1).txt', false])
    expect([has('notes.txt'), has('draft.txt'), has('box/inside.txt')]).toEqual([true, true, true])
  })
})

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}
