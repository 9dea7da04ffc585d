import type { Locator, Page } from 'playwright-core'
import { openBrowser, type BrowserOptions, type TestBrowser } from '../browser.ts'
import type { TestServer } from '../test-server.ts'

/** Creates a link as the administrator. */
export async function linkTo(daemon: TestServer, path: string, body: object = {}): Promise<string> {
  const answer = await daemon.fetch(`/api/share${path}`, { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`sharing ${path}: ${await answer.text()}`)
  return ((await answer.json()) as { readonly hash: string }).hash
}

/** Opens a link as a visitor. */
export async function openLink(
  daemon: TestServer,
  address: string,
  options: BrowserOptions = {},
): Promise<TestBrowser> {
  const browser = await openBrowser(daemon.url, options)
  await browser.page.goto(`/share/${address}`)
  return browser
}

export function sharedGrid(page: Page): Locator {
  return page.getByRole('grid', { name: 'Files' })
}

/** An entry of the shared folder, in any view. */
export function sharedEntry(page: Page, name: string): Locator {
  return sharedGrid(page).locator(`[data-entry=${JSON.stringify(name)}]`)
}

/** The file name and the address of the download that `act` starts. */
export async function downloadBy(page: Page, act: () => Promise<void>): Promise<{ name: string; address: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: download.suggestedFilename(), address: download.url() }
}
