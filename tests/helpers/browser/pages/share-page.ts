import type { Locator, Page } from 'playwright-core'
import { entryOf } from './files-page.ts'
import type { TestServer } from '../test-server.ts'

/** Selects an entry and opens its links from the toolbar. */
export async function openShare(page: Page, name: string): Promise<Locator> {
  await entryOf(page, name).click()
  await page
    .getByRole('toolbar', { name: 'Selection actions', exact: true })
    .getByRole('button', { name: 'Share', exact: true })
    .click()
  return page.getByRole('dialog', { name: `Share “${name}”` })
}

/** The links in a dialog, in order. */
export function linksOf(dialog: Locator): Locator {
  return dialog.getByRole('list', { name: 'Shared links' }).getByRole('listitem')
}

/** The text on the clipboard. */
export async function clipboardOf(page: Page): Promise<string> {
  return await page.evaluate(() => navigator.clipboard.readText())
}

/** Creates a link as the administrator. @returns its hash @throws for any status but 200 */
export async function share(daemon: TestServer, path: string, body: object = {}): Promise<string> {
  const answer = await daemon.fetch(`/api/share${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json' },
  })
  if (answer.status !== 200) throw new Error(`status ${answer.status}: ${await answer.text()}`)
  return ((await answer.json()) as { hash: string }).hash
}
