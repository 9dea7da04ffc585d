import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { entryOf, openFiles, waitForWholePage } from '../../helpers/browser/pages/files-page.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { zipOf } from '../../helpers/samples/epub.ts'

const FILES = {
  'draft.txt': 'mine',
  'music/old/tapes/one.mp3': '',
  'work/taken': '',
  'work/plans/y.txt': '',
}

const open = pageOfFile()

describe('the folder picker', () => {
  it('finds folders that it has not loaded yet, is navigated by keys, and creates new ones', async () => {
    await using shown = await open(FILES, { expectedStatuses: [412] })
    const { page, daemon } = shown
    await waitForWholePage(page)
    const prompt = await openPicker(page, 'Copy')
    const filter = prompt.getByRole('searchbox', { name: 'Filter folders' })
    const row = (name: string): Locator => prompt.getByRole('treeitem', { name: new RegExp(`^${name}`) })
    await row('music').waitFor()
    expect(await row('tapes').count()).toBe(0)
    await filter.fill('TAPES')
    await row('tapes').waitFor()
    await expect.poll(async () => await row('work').count()).toBe(0)
    expect(await accessibilityProblems(page)).toEqual([])
    await row('My files').focus()
    await page.keyboard.press('End')
    await expect.poll(async () => await row('tapes').getAttribute('aria-selected')).toBe('true')
    await prompt.getByText('My files / music / old / tapes').waitFor()

    await filter.fill('')
    await row('work').click()
    await expect.poll(async () => await row('work').getAttribute('aria-selected')).toBe('true')
    await row('work').press('ArrowRight')
    await row('plans').waitFor()
    await row('work').press('ArrowLeft')
    await row('plans').waitFor({ state: 'detached' })
    await prompt.getByRole('button', { name: 'New folder' }).click()
    const make = page.getByRole('dialog', { name: 'New folder' })
    const name = make.getByRole('textbox', { name: 'Name' })
    await name.fill('taken')
    await name.press('Enter')
    await make.getByRole('alert').getByText('with this name already exists').waitFor()
    expect(await name.inputValue()).toBe('taken')
    // An existing folder of this name is not treated as the new one.
    await name.fill('plans')
    await make.getByRole('alert').waitFor({ state: 'detached' })
    await name.press('Enter')
    await make.getByRole('alert').getByText('with this name already exists').waitFor()
    expect(await name.inputValue()).toBe('plans')
    await name.fill('fresh')
    await name.press('Enter')
    await make.waitFor({ state: 'detached' })
    await expect.poll(async () => await row('fresh').getAttribute('aria-selected')).toBe('true')
    await row('fresh').press('Enter')
    await prompt.waitFor({ state: 'detached' })
    await expect.poll(async () => await isThere(join(daemon.root, 'work/fresh/draft.txt'))).toBe(true)
    expect(await isThere(join(daemon.root, 'draft.txt'))).toBe(true)
  })

  it('makes a folder to extract into, from labelled buttons also on a phone', async () => {
    await using daemon = await startTestServer({ files: { 'letters.zip': zipOf({ 'a.txt': 'dear' }) } })
    await using browser = await openFiles(daemon, { viewport: { width: 400, height: 800 } })
    const { page } = browser
    await page.goto('/files/letters.zip')
    const extract = page.getByRole('toolbar').getByRole('button', { name: 'Extract to…' })
    await extract.getByText('Extract to…').click()
    const prompt = page.getByRole('dialog', { name: 'Extract' })
    await prompt.getByRole('button', { name: 'New folder' }).click()
    const name = page.getByRole('dialog', { name: 'New folder' }).getByRole('textbox', { name: 'Name' })
    await name.fill('fresh')
    await name.press('Enter')
    const row = prompt.getByRole('treeitem', { name: /^fresh/ })
    await expect.poll(async () => await row.getAttribute('aria-selected')).toBe('true')
    await prompt.getByRole('button', { name: 'Extract' }).click()
    await expect.poll(async () => await isThere(join(daemon.root, 'fresh/a.txt'))).toBe(true)
  })

  it('closes only the topmost prompt on Escape, and restores the focus', async () => {
    await using shown = await open(FILES)
    const { page, daemon } = shown
    await waitForWholePage(page)
    const prompt = await openPicker(page, 'Move')
    // Entries cannot be moved to the folder they are in.
    await expect.poll(async () => await prompt.getByRole('button', { name: 'Move here' }).isDisabled()).toBe(true)
    await prompt.getByRole('button', { name: 'New folder' }).click()
    const make = page.getByRole('dialog', { name: 'New folder' })
    await expect.poll(async () => await hasFocus(make)).toBe(true)
    await page.keyboard.press('Escape')
    await make.waitFor({ state: 'detached' })
    await prompt.waitFor()
    await expect.poll(async () => await hasFocus(prompt)).toBe(true)
    await page.keyboard.press('Escape')
    await prompt.waitFor({ state: 'detached' })
    await expect.poll(async () => await page.evaluate(() => document.activeElement !== document.body)).toBe(true)
    expect(await isThere(join(daemon.root, 'draft.txt'))).toBe(true)
  })
})

async function hasFocus(prompt: Locator): Promise<boolean> {
  return await prompt.evaluate((box) => box.contains(document.activeElement))
}

async function openPicker(page: Page, kind: 'Copy' | 'Move'): Promise<Locator> {
  await entryOf(page, 'draft.txt').click()
  const tools = page.getByRole('toolbar', { name: 'Selection actions' })
  await tools.getByRole('button', { name: `${kind} to…` }).click()
  const prompt = page.getByRole('dialog', { name: new RegExp(`^${kind} “?draft`) })
  await prompt.waitFor()
  return prompt
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}
