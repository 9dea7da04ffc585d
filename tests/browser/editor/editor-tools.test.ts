import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { goWithin } from '../../helpers/browser/go-within.ts'
import { entryOf, gridOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { signedIn, newSession } from '../../helpers/browser/sessions.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const contentOf = (page: Page): Locator => page.getByRole('textbox', { name: /^Content of/ })
/** The rendered lines. */
const linesOf = (page: Page): Locator => page.locator('.ace_line')

const open = pageOfFile()

async function editText(page: Page, name: string): Promise<void> {
  await goWithin(page, `/files/${name}?edit=true`)
  await contentOf(page).waitFor()
}

describe('the editor', () => {
  it('searches, replaces and goes to a line, without requests to other hosts', async () => {
    await using shown = await open({ 'code.js': 'const dawn = 1\nconst b = dawn + Dawn\n\nend()\n' })
    const { page, daemon } = shown
    await editText(page, 'code.js')
    // Syntax highlighting is loaded from our own server.
    await page.locator('.ace_storage.ace_type').first().waitFor()
    await page.keyboard.press('Control+f')
    const bar = page.getByRole('search', { name: 'Find in file' })
    await page.keyboard.type('dawn')
    await bar.getByText('1 of 3').waitFor()
    await page.keyboard.press('Enter')
    await bar.getByText('2 of 3').waitFor()
    await bar.getByRole('button', { name: 'Match case' }).click()
    await bar.getByText(/of 2$/).waitFor()
    await bar.getByRole('button', { name: 'Regular expression' }).click()
    await bar.getByRole('textbox', { name: 'Find' }).fill('(')
    await bar.getByText('Invalid regular expression').waitFor()
    await bar.getByRole('textbox', { name: 'Find' }).fill('d(aw)n')
    await bar.getByRole('textbox', { name: 'Replace with' }).fill('$1')
    await bar.getByRole('button', { name: 'Replace all' }).click()
    await bar.getByText('No matches').waitFor()
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'hidden' })

    await page.getByRole('button', { name: /^Line \d/ }).click()
    await page.getByRole('textbox', { name: 'Line, or line:column' }).fill('4:3')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Line 4, column 3' }).waitFor()
    await page.getByRole('button', { name: 'LF' }).click()
    await page.getByRole('menuitemradio', { name: 'CRLF (Windows)' }).click()
    await page.keyboard.press('Control+s')
    await page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' })
    expect(await readFile(join(daemon.root, 'code.js'), 'utf8')).toBe(
      'const aw = 1\r\nconst b = aw + Dawn\r\n\r\nend()\r\n',
    )
  })

  it('previews Markdown next to the text, in sync with scrolling, in the colours of the system', async () => {
    const tasks = '# Tasks\n\n- [x] done\n\n'
    const long = Array.from({ length: 200 }, (_, index) => `paragraph ${index}\n\n`).join('')
    await using shown = await open({ 'tasks.markdown': tasks + long })
    const { page } = shown
    await editText(page, 'tasks.markdown')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByRole('heading', { name: 'Tasks' }).waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator(colorScheme === 'dark' ? '.ace-twilight' : '.ace-chrome').waitFor()
    }

    await contentOf(page).focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('New ')
    await preview.getByText('New # Tasks').waitFor()
    await page.keyboard.press('Control+End')
    await expect.poll(async () => await preview.evaluate((box) => box.scrollTop > box.scrollHeight / 2)).toBe(true)
    await page.getByRole('separator', { name: 'Resize preview' }).press('ArrowRight')
    expect(await page.getByRole('separator', { name: 'Resize preview' }).getAttribute('aria-valuenow')).toBe('55')
    await page.getByRole('button', { name: 'Preview' }).click()
    await preview.waitFor({ state: 'hidden' })
  })

  it('refuses large and binary files, and shortens long lines until they are expanded', async () => {
    const files = {
      'data.bin': new Uint8Array([1, 0, 2]),
      'large.log': 'x'.repeat(11_000_000),
      'long.txt': 'y'.repeat(10_400),
    }
    await using shown = await open(files)
    const { page } = shown
    await editText(page, 'long.txt')
    expect((await linesOf(page).first().textContent())?.length).toBeLessThan(10_050)
    await page.getByText('… show more').click()
    await page.getByText('show less').waitFor()
    for (const [name, reason] of [
      ['data.bin', /This is not a text file/],
      ['large.log', /up to 10 MiB can be edited/],
    ] as const) {
      await goWithin(page, `/files/${name}?edit=true`)
      await page.getByText(reason).waitFor()
      const link = page.getByRole('link', { name: 'Download' })
      expect(await link.getAttribute('href')).toBe(`/api/raw/${name}`)
    }
    await page.getByRole('button', { name: 'Back to the folder' }).click()
  })

  it('opens new files, and opens tables and SVG images on request', async () => {
    await using shown = await open({ 'table.csv': 'a,b\n' })
    const { page, daemon } = shown
    await page.getByRole('button', { name: 'New file' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('fresh.txt')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Content of fresh.txt' }).waitFor()
    await page.keyboard.type('hello')
    await page.keyboard.press('Control+s')
    await page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'hidden' })
    expect(await readFile(join(daemon.root, 'fresh.txt'), 'utf8')).toBe('hello')
    await page.keyboard.press('Escape')
    await gridOf(page).waitFor()
    await entryOf(page, 'table.csv').click()
    await page.keyboard.press('F4')
    await page.getByRole('textbox', { name: 'Content of table.csv' }).waitFor()
    expect(page.url()).toBe(`${daemon.url}files/table.csv?edit=true`)
  })

  it('is read-only without the permission to edit, also on a phone', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': 'one\ntwo\n' } })
    const reader = { username: 'reader', password: 'only reads what is there' }
    const data = { ...reader, scope: '.', perm: { download: true } }
    const body = JSON.stringify({ what: 'user', which: [], data, current_password: daemon.password })
    expect((await daemon.fetch('/api/users', { method: 'POST', body })).status).toBe(201)
    await using browser = await openFiles(daemon, {
      storageState: await newSession({ ...daemon, ...reader }),
      viewport: { width: 400, height: 500 },
    })
    const { page } = browser
    await goWithin(page, '/files/notes.txt')
    await contentOf(page).waitFor()
    await page.getByText('Read-only').waitFor()
    await page.keyboard.type('mine')
    expect(await linesOf(page).first().textContent()).toBe('one')
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400)
    expect(await accessibilityProblems(page)).toEqual([])
    await writeFile(join(daemon.root, 'notes.txt'), 'three\n')
    await page.reload()
    await page.getByText('three').waitFor()
  })

  it('is dark with dark forced colours, whatever theme is chosen', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
    await using browser = await openFiles(daemon, { colorScheme: 'dark' })
    const { page } = browser
    await page.evaluate(() => localStorage.setItem('filemgr:theme', 'light'))
    await page.goto('/files/notes.txt')
    await contentOf(page).waitFor()
    const dark = page.locator('.ace_editor.ace_dark')
    expect(await dark.count()).toBe(0)
    await page.emulateMedia({ forcedColors: 'active' })
    await dark.waitFor()
  })

  it('is translated, including the messages of Ace', async () => {
    const code = 'function dawn() {\n  return dawnBefore\n}\nlet x = \n'
    await using daemon = await startTestServer({ files: { 'code.js': code } })
    const own = (await (await daemon.fetch('/api/users/1')).json()) as object
    const data = { ...own, locale: 'de' }
    const change = JSON.stringify({ what: 'user', which: ['locale'], data })
    expect((await daemon.fetch('/api/users/1', { method: 'PUT', body: change })).status).toBe(200)
    await using browser = await openBrowser(daemon.url, { storageState: signedIn(daemon) })
    const { page } = browser
    await page.goto('/files/code.js?edit=true')
    const field = page.getByRole('textbox', { name: 'Inhalt von code.js, Zeile 1, Spalte 1' })
    await field.waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('textbox', { name: 'Inhalt von code.js, Zeile 2, Spalte 1' }).waitFor()
    await page.getByTitle('Einklappen').first().click()
    await page.getByTitle('Ausklappen').first().waitFor()
    await page.getByTitle('Ausklappen').first().click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('dawn')
    await page.keyboard.press('Control+Space')
    const list = page.locator('.ace_autocomplete')
    await list.locator('.ace_line').getByText('dawnBefore').waitFor()
    const texts = await page.evaluate(() => {
      const attributes = ['aria-label', 'aria-roledescription', 'title', 'placeholder']
      const all = [...document.querySelectorAll('.ace_editor, .ace_editor *')]
      return all.flatMap((element) => attributes.map((name) => element.getAttribute(name) ?? '')).join(' ')
    })
    expect(texts).toContain('Vorschläge')
    expect(texts).not.toMatch(/\b(row|rows|suggestions|item|cursor|fold|code folding|error|warning)\b/i)
    expect(await list.innerText()).not.toMatch(/local|keyword|snippet/)
  })
})
