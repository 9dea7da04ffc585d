import type { Locator, Page } from 'playwright-core'
import { entryOf } from './files-page.ts'

/** Selects an entry and opens its links from the toolbar. */
export async function openShare(page: Page, name: string): Promise<Locator> {
  await entryOf(page, name).click()
  await page
    .getByRole('toolbar', { name: 'Selection actions', exact: true })
    .getByRole('button', { name: 'Share', exact: true })
    .click()
  return page.getByRole('dialog', { name: `Share “${name}”` })
}

/** The links of a dialog, the first first. */
export function linksOf(dialog: Locator): Locator {
  return dialog.getByRole('list', { name: 'Shared links' }).getByRole('listitem')
}

/** What is on the clipboard. */
export async function clipboardOf(page: Page): Promise<string> {
  return await page.evaluate(() => navigator.clipboard.readText())
}
