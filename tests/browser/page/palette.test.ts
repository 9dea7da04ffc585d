import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { intercept } from '../../helpers/browser/intercept.ts'
import { entryOf, gridOf, openFiles, waitForWholePage } from '../../helpers/browser/pages/files-page.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const FILES = { 'letters/contracts/deep/one.txt': '', 'music/two.txt': '', 'notes.txt': '' }

const open = pageOfFile()

describe('the command palette', () => {
  it('opens nearby folders, and others found by the server', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    await openPalette(page)
    await page.keyboard.type('contr')
    await page.getByRole('option', { name: 'contracts', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await entryOf(page, 'deep').waitFor()
    await openPalette(page)
    await page.keyboard.type('/let')
    await page.getByRole('option', { name: 'letters', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await entryOf(page, 'contracts').waitFor()
    await openPalette(page)
    await page.keyboard.type('zzzz')
    await page.getByText('No matching commands, files or folders').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(async () => await focusIsInGrid(page)).toBe(true)
    await page.keyboard.press('F1')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(async () => await focusIsInGrid(page)).toBe(true)
  })

  it('finds actions by some of their letters, and moves the focus to the prompts they open', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    await openPalette(page)
    await page.keyboard.type('>keyb')
    await page.getByRole('option', { name: 'Keyboard shortcuts', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Command palette').waitFor()
    await help.getByText('Double-click').first().waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.press('F1')
    await help.waitFor()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await openPalette(page)
    await page.keyboard.type('>new fo')
    await page.getByRole('option', { name: 'New folder', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New folder' }).getByRole('textbox').fill('letters/new')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await entryOf(page, 'notes.txt').click()
    await openPalette(page)
    await page.keyboard.type('rena')
    await page.getByRole('option', { name: 'Rename', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    const name = page.getByRole('textbox', { name: /^New name/ })
    await name.waitFor()
    await name.press('Escape')
    await name.waitFor({ state: 'detached' })
    await openPalette(page)
    await page.keyboard.type('search')
    await page.getByRole('option', { name: 'Search', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Search files' }).waitFor()
  })

  it('is navigated by keys, filters by a prefix, and changes the language at once', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    await openPalette(page)
    const options = page.getByRole('option')
    const chosen = async () => await options.evaluateAll((all) => all.findIndex((one) => one.ariaSelected === 'true'))
    const count = await options.count()
    for (const [key, expected] of [
      ['ArrowDown', 1],
      ['ArrowUp', 0],
      ['ArrowUp', count - 1],
      ['ArrowDown', 0],
      ['PageDown', 6],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(chosen).toBe(expected)
    }
    await page.keyboard.type('/')
    await expect.poll(async () => (await options.allInnerTexts()).some((text) => text.includes('letters'))).toBe(true)
    await page.getByRole('option', { name: 'New folder' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Backspace')
    await page.keyboard.type('deutsch')
    await page.getByRole('option', { name: /Deutsch/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('html[lang=de]').waitFor()
    await page.getByRole('grid', { name: 'Dateien' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('english')
    await page.getByRole('option', { name: /English/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await gridOf(page).waitFor()
  })

  it('changes the theme, and fits a phone, also from right to left', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon, { colorScheme: 'light' })
    const { page } = browser
    const background = async () => await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await background()
    await openPalette(page)
    await page.keyboard.type('dark')
    await page.getByRole('option', { name: 'Use the dark theme', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(background).not.toBe(light)
    await page.setViewportSize({ width: 400, height: 800 })
    await openPalette(page)
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    await page.getByRole('button', { name: 'Close' }).click()
    await gridOf(page).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  })
})
describe('what is typed while the code of a field is on its way', () => {
  it.each([
    ['Control+k', 'new fold', 'New folder'],
    ['Control+Shift+f', 'report', 'report.txt'],
  ])('is not lost after %s', async (keys, typed, found) => {
    await using shown = await open({ 'report.txt': '', 'b.txt': '' })
    const { page } = shown
    await waitForWholePage(page)
    const scripts = Promise.withResolvers<void>()
    await intercept(page, /\.js$/, async (route) => {
      await scripts.promise
      await route.continue()
    })
    await entryOf(page, 'report.txt').focus()
    await page.keyboard.press(keys)
    await page.keyboard.type(typed)
    expect(await page.getByRole('combobox').count()).toBe(0)
    scripts.resolve()
    const field = page.getByRole('combobox')
    await field.waitFor()
    await page.keyboard.type('x')
    expect(await field.inputValue()).toBe(`${typed}x`)
    await page.keyboard.press('Backspace')
    await page.getByRole('option', { name: found }).waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await expect
      .poll(async () => await entryOf(page, 'report.txt').evaluate((row) => row === document.activeElement))
      .toBe(true)
  })
})

async function openPalette(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Search', exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Type a command, a file or a folder' }).waitFor()
}

async function focusIsInGrid(page: Page): Promise<boolean> {
  return await page.evaluate(() => document.activeElement?.closest('[role=grid]') != null)
}
