import type { Locator, Page } from 'playwright-core'
import { openBrowser, type BrowserOptions, type TestBrowser } from '../browser.ts'
import type { TestServer } from '../test-server.ts'

/** Makes a link as the administrator of the daemon. */
export async function linkTo(daemon: TestServer, path: string, body: object = {}): Promise<string> {
  const answer = await daemon.fetch(`/api/share${path}`, { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`sharing ${path}: ${await answer.text()}`)
  return ((await answer.json()) as { readonly hash: string }).hash
}

/** A visitor's browser at a link. */
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

/** An entry of the shared folder, in whatever view. */
export function sharedEntry(page: Page, name: string): Locator {
  return sharedGrid(page).locator(`[data-entry=${JSON.stringify(name)}]`)
}

/** The name under which the browser saves what `act` starts to fetch, and its bytes. */
export async function downloadBy(page: Page, act: () => Promise<void>): Promise<{ name: string; address: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: download.suggestedFilename(), address: download.url() }
}
