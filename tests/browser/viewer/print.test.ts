import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { entryOf, gridOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { linkTo, openLink } from '../../helpers/browser/pages/public-page.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const NAMES = Array.from({ length: 120 }, (_, index) => `file ${index + 1}.txt`)
const LINES = Array.from({ length: 300 }, (_, index) => `line ${index + 1}`).join('\n')
const ROWS = ['name,age', ...Array.from({ length: 400 }, (_, index) => `person ${index + 1},${index}`)].join('\n')
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>'

describe('printing', () => {
  it('shows only the content, but all of it: folders, texts, tables, documents and pictures', async () => {
    await using daemon = await startTestServer({
      files: {
        ...Object.fromEntries(NAMES.map((name) => [`many/${name}`, 'x'])),
        'long.txt': LINES,
        'notes.md': '# Notes\n\nSome words.',
        'people.csv': ROWS,
        'picture.svg': SVG,
      },
    })
    await using browser = await openFiles(daemon, { folder: '/many/', colorScheme: 'dark' })
    const { page } = browser
    await page.emulateMedia({ media: 'print' })
    await expect.poll(async () => await printedText(page)).toMatch(/^My files \/ many\n/)
    const folder = await printedText(page)
    for (const name of NAMES) expect(folder).toContain(`${name}\t1 B\t`)
    expect(folder).not.toMatch(/Upload|Trash|Storage|Search/)
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light')
    // The screen is unchanged.
    await page.emulateMedia({ media: 'screen' })
    await entryOf(page, 'file 1.txt').waitFor()
    expect(await page.locator('[data-printed]').count()).toBe(0)
    await page.emulateMedia({ media: 'print' })

    await page.goto('/files/long.txt?view=true')
    await page.getByRole('document', { name: 'long.txt' }).waitFor({ state: 'attached' })
    expect(await printedText(page)).toBe(LINES)
    await page.goto('/files/long.txt')
    await expect.poll(async () => await printedText(page)).toBe(LINES)
    await page.goto('/files/people.csv?view=true')
    await expect.poll(async () => await printedText(page)).toBe(ROWS.replaceAll(',', '\t'))
    await page.goto('/files/notes.md?view=true')
    await expect.poll(async () => await printedText(page)).toBe('Notes\n\nSome words.')
    await page.goto('/files/picture.svg')
    await page.getByRole('img', { name: 'picture.svg' }).waitFor()
    expect(await printedText(page)).toBe('')
    expect(await page.getByRole('img').count()).toBe(1)
    await page.emulateMedia({ media: 'screen' })
    await page.keyboard.press('r')
    await page.emulateMedia({ media: 'print' })
    const turned = await page.getByRole('img', { name: 'picture.svg' }).boundingBox()
    expect(turned).toMatchObject({ width: 20, height: 40 })
  })

  it('shows an open dialog, the settings without menus, and the content of public pages', async () => {
    await using daemon = await startTestServer({
      files: Object.fromEntries(NAMES.map((name) => [`many/${name}`, 'x'])),
    })
    await using browser = await openFiles(daemon)
    const { page } = browser
    await entryOf(page, 'many').focus()
    await page.keyboard.press('Alt+Enter')
    await page.getByRole('dialog').getByText('Modified').waitFor()
    await page.emulateMedia({ media: 'print' })
    const details = await printedText(page)
    expect(details).toMatch(/^Details/)
    expect(details).not.toContain('My files /')
    await page.goto('/settings/profile')
    await page.getByRole('heading', { name: 'Appearance' }).waitFor()
    const settings = await printedText(page)
    expect(settings).toMatch(/^Profile/)
    expect(settings).toContain('Do not show hidden files')
    expect(settings).not.toMatch(/Trash|Users|Change password$/)

    const hash = await linkTo(daemon, '/many/')
    await using visitor = await openLink(daemon, hash)
    await gridOf(visitor.page).waitFor()
    await visitor.page.emulateMedia({ media: 'print' })
    await expect.poll(async () => await printedText(visitor.page)).toContain('file 100.txt\t1 B\t')
    const link = await printedText(visitor.page)
    expect(link).toMatch(/^many\n/)
    expect(link).toContain('+ 20 more')
    expect(link).not.toMatch(/Sign in|Download all/)
  })
})

/** The text of the printed page. */
async function printedText(page: Page): Promise<string> {
  await page.evaluate(() => {
    addEventListener('beforeprint', () => Object.assign(globalThis, { printedText: document.body.innerText }), {
      once: true,
    })
  })
  await page.pdf()
  return (await page.evaluate(() => (globalThis as { printedText?: string }).printedText ?? '')).trim()
}
