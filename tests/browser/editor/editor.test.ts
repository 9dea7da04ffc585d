import { link, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { entryOf, gridOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { servedText } from '../../helpers/browser/served-files.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const contentOf = (page: Page, name: string): Locator =>
  page.getByRole('textbox', { name: new RegExp(`Content of ${name}`) })

const open = pageOfFile()

/** The number of texts that the browser keeps. They are removed in the background. */
async function draftCount(page: Page): Promise<number> {
  return await page.evaluate(async () => {
    const done = async <Result>(request: IDBRequest<Result>) =>
      await new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('the drafts cannot be read'))
      })
    const database = await done(indexedDB.open('filemgr-drafts'))
    const count = await done(database.transaction('drafts').objectStore('drafts').count())
    database.close()
    return count
  })
}

describe('the editor', () => {
  it('opens a file from the listing, saves it with the keyboard and returns to the folder', async () => {
    await using shown = await open({ 'notes.txt': 'one\r\ntwo\r\n', 'other.txt': '' })
    const { page, daemon } = shown
    await entryOf(page, 'notes.txt').dblclick()
    await contentOf(page, 'notes.txt').waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('three')
    await page.getByRole('img', { name: 'Unsaved changes' }).waitFor()
    await page.keyboard.press('Control+s')
    await page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' })
    expect(await servedText(daemon, 'notes.txt')).toBe('one\r\ntwo\r\nthree')

    await page.keyboard.press('Escape')
    await gridOf(page).waitFor()
    expect(await entryOf(page, 'notes.txt').getAttribute('aria-selected')).toBe('true')
  })

  it('warns that other hard links keep the old content', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
    await link(join(daemon.root, 'notes.txt'), join(daemon.root, 'other.txt'))
    await using browser = await openFiles(daemon)
    const { page } = browser
    await entryOf(page, 'notes.txt').dblclick()
    await contentOf(page, 'notes.txt').waitFor()
    await page.keyboard.type('new ')
    await page.keyboard.press('Control+s')
    await page.getByText('This file had other hard links. They keep the old content.').waitFor()
    expect(await servedText(daemon, 'other.txt')).toBe('one')
  })

  it('asks before changes are lost by Escape or Back', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
    await using browser = await openFiles(daemon)
    const { page } = browser
    const prompt = page.getByRole('alertdialog', { name: 'Save changes to “notes.txt”?' })
    await entryOf(page, 'notes.txt').dblclick()
    await contentOf(page, 'notes.txt').waitFor()
    await page.keyboard.type('mine ')
    await page.keyboard.press('Escape')
    await prompt.getByRole('button', { name: 'Cancel' }).click()
    await page.goBack()
    await prompt.getByRole('button', { name: 'Save' }).click()
    await gridOf(page).waitFor()
    expect(await servedText(daemon, 'notes.txt')).toBe('mine one')

    await entryOf(page, 'notes.txt').dblclick()
    await contentOf(page, 'notes.txt').waitFor()
    await page.keyboard.type('unwanted ')
    await page.getByText('Draft saved in this browser').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await prompt.getByRole('button', { name: 'Discard' }).click()
    await gridOf(page).waitFor()
    await entryOf(page, 'notes.txt').dblclick()
    await contentOf(page, 'notes.txt').waitFor()
    expect(await page.getByText('were restored.').count()).toBe(0)
    expect(await servedText(daemon, 'notes.txt')).toBe('mine one')
  })

  it('restores unsaved changes, and compares them if the file has changed since', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
    await using browser = await openFiles(daemon, { expectedStatuses: [412] })
    const { page } = browser
    page.on('dialog', (dialog) => void dialog.accept())
    await entryOf(page, 'notes.txt').dblclick()
    await contentOf(page, 'notes.txt').waitFor()
    await page.keyboard.type('draft ')
    await page.getByText('Draft saved in this browser').waitFor()
    await page.reload()
    await page.getByText(/^Your unsaved changes from .* were restored\.$/).waitFor()
    await page.getByRole('img', { name: 'Unsaved changes' }).waitFor()
    await writeFile(join(daemon.root, 'notes.txt'), 'two')
    await page.reload()
    await page.getByText(/compare both versions/).waitFor()
    await page.getByRole('button', { name: 'Compare' }).click()
    const prompt = page.getByRole('alertdialog', { name: '“notes.txt” has changed since you opened it' })
    await prompt.getByText('two', { exact: true }).waitFor()
    await prompt.getByText('draft one', { exact: true }).waitFor()
    await prompt.getByRole('button', { name: 'Keep editing' }).click()
    await contentOf(page, 'notes.txt').focus()
    await page.keyboard.press('Control+s')
    await prompt.getByRole('button', { name: 'Save as…' }).click()
    const saveAs = page.getByRole('dialog', { name: 'Save as…' })
    await saveAs.getByRole('textbox', { name: 'Name' }).fill('mine.txt')
    await saveAs.getByRole('button', { name: 'Save' }).click()
    await contentOf(page, 'mine.txt').waitFor()
    expect([await servedText(daemon, 'notes.txt'), await servedText(daemon, 'mine.txt')]).toEqual(['two', 'draft one'])
    await page.reload()
    await contentOf(page, 'mine.txt').waitFor()
    expect(await page.getByText('were restored').count()).toBe(0)

    await page.keyboard.type('older ')
    await page.getByText('Draft saved in this browser').waitFor()
    await writeFile(join(daemon.root, 'mine.txt'), 'newer')
    await page.reload()
    await page.getByRole('button', { name: 'Compare' }).click()
    const again = page.getByRole('alertdialog', { name: '“mine.txt” has changed since you opened it' })
    await again.getByRole('button', { name: 'Use their version' }).click()
    await page.getByText('were restored').waitFor({ state: 'detached' })
    await page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    await page.locator('.ace_line').getByText('newer').waitFor()
    await expect.poll(async () => await draftCount(page)).toBe(0)
    await page.reload()
    await contentOf(page, 'mine.txt').waitFor()
    expect(await page.getByText('were restored').count()).toBe(0)
  })

  it('reads the version on the server in the encoding that was chosen for the file', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': '' } })
    const koi8r = (hex: string) => Buffer.from(hex, 'hex')
    await writeFile(join(daemon.root, 'notes.txt'), koi8r('f60a'))
    await using browser = await openFiles(daemon, { expectedStatuses: [412] })
    const { page } = browser
    await entryOf(page, 'notes.txt').dblclick()
    await contentOf(page, 'notes.txt').waitFor()
    await page.getByRole('button', { name: 'Windows-1252' }).click()
    await page.getByRole('menuitem', { name: 'Reopen with encoding' }).press('ArrowRight')
    await page.getByRole('menuitemradio', { name: 'KOI8-R (Russian)' }).press('Enter')
    await page.locator('.ace_line').getByText('Ж').waitFor()
    await contentOf(page, 'notes.txt').focus()
    await page.keyboard.insertText('Щ')
    await writeFile(join(daemon.root, 'notes.txt'), koi8r('f6f60a'))
    await page.keyboard.press('Control+s')
    const prompt = page.getByRole('alertdialog', { name: '“notes.txt” has changed since you opened it' })
    await prompt.getByText('ЖЖ', { exact: true }).waitFor()
    await prompt.getByRole('button', { name: 'Use their version' }).click()
    await page.locator('.ace_line').getByText('ЖЖ').waitFor()
    await page.getByRole('button', { name: 'KOI8-R' }).waitFor()
  })

  it('restores another encoding that was chosen for the next save', async () => {
    await using shown = await open({ 'notes.txt': 'one' })
    const { page } = shown
    page.on('dialog', (dialog) => void dialog.accept())
    await entryOf(page, 'notes.txt').dblclick()
    await contentOf(page, 'notes.txt').waitFor()
    await page.getByRole('button', { name: 'UTF-8' }).click()
    await page.getByRole('menuitem', { name: 'Save with encoding' }).press('ArrowRight')
    await page.getByRole('menuitemradio', { name: 'UTF-16 LE BOM' }).press('Enter')
    await page.getByText('Draft saved in this browser').waitFor()
    await page.reload()
    await page.getByText(/^Your unsaved changes from .* were restored\.$/).waitFor()
    await page.getByRole('button', { name: 'UTF-16 LE BOM' }).waitFor()
    await page.getByRole('img', { name: 'Unsaved changes' }).waitFor()
  })

  it('does not overwrite what someone else has saved meanwhile', async () => {
    await using shown = await open({ 'plan.py': '# Plan\n\nours\n' }, { expectedStatuses: [412] })
    const { page, daemon } = shown
    await entryOf(page, 'plan.py').dblclick()
    await contentOf(page, 'plan.py').waitFor()
    await page.keyboard.type('mine ')
    await writeFile(join(daemon.root, 'plan.py'), '# Plan\n\ntheirs\n')
    await page.keyboard.press('Control+s')
    const prompt = page.getByRole('alertdialog', { name: '“plan.py” has changed since you opened it' })
    await prompt.getByRole('heading', { name: 'Version on the server' }).waitFor()
    await prompt.getByText('theirs', { exact: true }).waitFor()
    await prompt.getByRole('button', { name: 'Keep editing' }).click()
    expect(await servedText(daemon, 'plan.py')).toBe('# Plan\n\ntheirs\n')

    await page.getByRole('button', { name: 'Save' }).click()
    await prompt.getByRole('button', { name: 'Keep my version' }).click()
    await prompt.waitFor({ state: 'hidden' })
    await expect.poll(async () => await servedText(daemon, 'plan.py')).toBe('mine # Plan\n\nours\n')
  })
})
