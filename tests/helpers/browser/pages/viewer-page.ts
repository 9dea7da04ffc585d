import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { BrowserOptions, TestBrowser } from '../browser.ts'
import { goWithin } from '../go-within.ts'
import { entryOf, openFiles } from './files-page.ts'
import type { TestServer } from '../test-server.ts'

/** Opens a file of the root folder from the listing. */
export async function openViewer(daemon: TestServer, name: string, options: BrowserOptions = {}): Promise<TestBrowser> {
  const browser = await openFiles(daemon, options)
  await showFile(browser.page, name)
  return browser
}

/** Opens a file of the folder shown. */
export async function showFile(page: Page, name: string): Promise<void> {
  await entryOf(page, name).focus()
  await page.keyboard.press('Enter')
  await headingOf(page, name).waitFor()
}

/** The same for a text file of the root folder, which would otherwise open in the editor. */
export async function showForReading(page: Page, name: string): Promise<void> {
  await goWithin(page, `/files/${encodeURIComponent(name)}?view=true`)
  await headingOf(page, name).waitFor()
}

function headingOf(page: Page, name: string): Locator {
  return viewerOf(page)
    .getByRole('heading', { level: 1 })
    .and(page.getByTitle(name, { exact: true }))
}

/** Retries an expectation for as long as a busy machine may need. */
export function eventually<Result>(read: () => Promise<Result>) {
  return expect.poll(read)
}

export function viewerOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Viewer' })
}

/** The name of the file shown. */
export async function shownFile(page: Page): Promise<string | null> {
  return await viewerOf(page).getByRole('heading', { level: 1 }).getAttribute('title')
}
