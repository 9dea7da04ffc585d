import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { intercept } from '../../helpers/browser/intercept.ts'
import { entryOf, gridOf } from '../../helpers/browser/pages/files-page.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'

const FILES = {
  'office/2026/annual report.pdf': '',
  'office/2026/report.txt': '',
  'office/reports/old.txt': '',
  'office/new report.csv': '',
  'notes.txt': '',
}

const open = pageOfFile()

describe('files in the command palette', () => {
  it('are found below the commands, by all words, and opened, also in their folder', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    await openPalette(page)
    await page.keyboard.type('report')
    const group = page.getByRole('group', { name: 'Files' })
    await group.getByRole('option', { name: 'annual report.pdf' }).waitFor()
    await page.getByRole('status').filter({ hasText: '4 results' }).waitFor()
    expect(await group.getByRole('option').count()).toBe(5)
    expect(await group.getByRole('option', { name: /^annual report/ }).innerText()).toContain('office / 2026')
    expect(await group.locator('b').first().innerText()).toMatch(/report/i)
    expect(await accessibilityProblems(page, { inside: ['[role=dialog]'] })).toEqual([])
    await page.keyboard.type(' annual')
    await page.getByRole('option', { name: 'annual report.pdf', selected: true }).waitFor()
    await page.keyboard.press('Alt+Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await entryOf(page, 'annual report.pdf').waitFor()
    expect(new URL(page.url()).pathname).toBe('/files/office/2026/')
    await openPalette(page)
    await page.keyboard.type('/reports')
    await page.getByRole('group', { name: 'Everywhere' }).getByRole('option', { name: 'reports' }).first().waitFor()
    expect(await page.getByRole('option', { name: 'report.txt' }).count()).toBe(0)
    await page.keyboard.press('Enter')
    await entryOf(page, 'old.txt').waitFor()
  })

  it('lead to all results in the search, on every screen', async () => {
    await using shown = await open(FILES, { settings: 'profile' })
    const { page } = shown
    for (const folder of ['/', '/office/']) {
      await openPalette(page)
      await page.keyboard.type('report')
      await page.getByRole('option', { name: 'All results for “report”' }).click()
      const field = page.getByRole('combobox', { name: 'Search files' })
      await field.waitFor()
      expect(await field.inputValue()).toBe('report')
      await page.getByRole('option', { name: 'annual report.pdf' }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`/files${folder}`)
      await page.goto('/files/office/')
      await entryOf(page, 'new report.csv').waitFor()
    }
  })

  it('open their folder by a touch on its sign', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    await openPalette(page)
    await page.keyboard.type('annual')
    await page.getByRole('option', { name: 'annual report.pdf' }).getByTitle('Show in folder').click()
    await entryOf(page, 'annual report.pdf').waitFor()
  })

  it('arrive late without moving what is highlighted, and not at all once something else is typed', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    const answers = new Map(['new', 'rep', 'repo', 'report.'].map((query) => [query, Promise.withResolvers<void>()]))
    await intercept(page, /\/api\/search\//, async (route) => {
      const query = new URL(route.request().url()).searchParams.get('query') ?? ''
      await answers.get(query)?.promise
      if (query === 'report.') await route.fulfill({ body: linesOf('a report.txt', 'office/2026/report.txt') })
      else if (query !== 'rep') await route.continue()
      // The page has given up this request.
      else await route.fulfill({ body: linesOf('a late report.txt') }).catch(() => undefined)
    })
    await openPalette(page)
    await Promise.all([requestFor(page, 'new'), page.keyboard.type('new')])
    await page.keyboard.press('ArrowDown')
    const highlighted = page.getByRole('option', { selected: true })
    const before = await highlighted.innerText()
    answers.get('new')?.resolve()
    await page.getByRole('option', { name: 'new report.csv' }).waitFor()
    expect(await highlighted.innerText()).toBe(before)

    const field = page.getByRole('combobox')
    await Promise.all([requestFor(page, 'rep'), field.fill('rep')])
    const givenUp = page.waitForEvent('requestfailed')
    await Promise.all([requestFor(page, 'repo'), field.fill('repo')])
    expect(new URL((await givenUp).url()).searchParams.get('query')).toBe('rep')
    answers.get('rep')?.resolve()
    answers.get('repo')?.resolve()
    await page.getByRole('option', { name: 'annual report.pdf' }).waitFor()
    expect(await page.getByRole('option', { name: 'a late report.txt' }).count()).toBe(0)
    expect(await page.getByRole('option', { name: 'report.txt' }).count()).toBe(1)

    // Hits of the text before stay while the server searches.
    await Promise.all([requestFor(page, 'report.'), field.fill('report.')])
    expect(await highlighted.innerText()).toContain('report.pdf')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: /^report.txt/, selected: true }).waitFor()
    answers.get('report.')?.resolve()
    await page.getByRole('option', { name: 'a report.txt' }).waitFor()
    expect(await highlighted.innerText()).toMatch(/^report.txt/)
  })

  it('that were deleted since they were opened are offered no more', async () => {
    await using shown = await open(FILES, { expectedStatuses: [404] })
    const { daemon, page } = shown
    const offered = page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'notes.txt' })
    await page.evaluate(() => localStorage.setItem('filemgr:visits::1', JSON.stringify(['/notes.txt', '/office/'])))
    await openPalette(page)
    await offered.waitFor()
    await page.keyboard.press('Escape')
    await daemon.fetch('/api/resources/notes.txt', { method: 'DELETE' })
    await openPalette(page)
    await page.getByRole('group', { name: 'Recent' }).getByRole('option', { name: 'office' }).waitFor()
    await offered.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await openPalette(page)
    await page.getByRole('option').first().waitFor()
    expect(await offered.count()).toBe(0)
  })

  it('that cannot be searched are one line, and the commands stay', async () => {
    await using shown = await open(FILES, { expectedStatuses: [500] })
    const { page } = shown
    await intercept(page, /\/api\/search\//, async (route) => await route.fulfill({ status: 500, body: '' }))
    await openPalette(page)
    await page.keyboard.type('new')
    await page.getByRole('dialog').getByText('Files could not be searched.').waitFor()
    await page.getByRole('option', { name: 'New folder' }).waitFor()
  })

  it('and folders that were opened last are there before anything is typed', async () => {
    await using shown = await open(FILES, { folder: '/office/2026/' })
    const { page } = shown
    const recent = page.getByRole('group', { name: 'Recent' }).getByRole('option')
    for (const name of ['annual report.pdf', 'report.txt']) {
      await entryOf(page, name).press('Enter')
      await expect.poll(async () => await visits(page)).toContain(name)
      await page.goBack()
      await gridOf(page).waitFor()
    }
    await openPalette(page)
    expect(await recent.first().innerText()).toContain('report.txt')
    expect(await recent.nth(1).innerText()).toContain('annual report.pdf')
    await recent.nth(1).click()
    await expect.poll(() => new URL(page.url()).pathname).toBe('/files/office/2026/annual%20report.pdf')
  })
})

async function openPalette(page: Page): Promise<void> {
  // The palette loads after the first view.
  await expect
    .poll(async () => {
      await page.keyboard.press('Control+k')
      return await page.getByRole('combobox', { name: 'Type a command, a file or a folder' }).count()
    })
    .toBe(1)
}

function linesOf(...paths: string[]): string {
  return paths.map((path) => `${JSON.stringify({ dir: false, path })}\n`).join('')
}

async function requestFor(page: Page, query: string): Promise<void> {
  await page.waitForRequest((request) => new URL(request.url()).searchParams.get('query') === query)
}

/** What this browser remembers as opened. */
async function visits(page: Page): Promise<string> {
  return await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))
}
