import type { Locator, Page } from 'playwright-core'
import en from '../../../../ui/src/i18n/catalogues/en.json' with { type: 'json' }
import { openBrowser, type BrowserOptions, type TestBrowser } from '../browser.ts'
import { signedIn } from '../sessions.ts'
import type { TestServer } from '../test-server.ts'

type MenuTexts = Pick<typeof en, 'files.folderActions' | 'files.moreActions'>

/** Signs in on the login page that is open. */
export async function signIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Opens a browser as the administrator and shows a folder, by default the root. */
export async function openFiles(
  daemon: TestServer,
  { folder = '/', ...options }: BrowserOptions & { readonly folder?: string } = {},
): Promise<TestBrowser> {
  const browser = await openBrowser(daemon.url, { storageState: signedIn(daemon), ...options })
  await browser.page.goto(`/files${folder}`)
  await gridOf(browser.page).waitFor()
  return browser
}

export function gridOf(page: Page): Locator {
  return page.getByRole('grid', { name: 'Files' })
}

/** An entry of the grid, in any view. */
export function entryOf(page: Page, name: string): Locator {
  return gridOf(page).locator(`[data-entry=${JSON.stringify(name)}]`)
}

/** The rendered names in the grid, in order. */
export async function shownNames(page: Page): Promise<(string | null)[]> {
  return await namesOf(gridOf(page).locator('[data-entry]'))
}

export async function selectedNames(page: Page): Promise<(string | null)[]> {
  return await namesOf(gridOf(page).locator('[data-entry][aria-selected="true"]'))
}

/** Reads all names in one call, since entries may disappear at any time. */
async function namesOf(entries: Locator): Promise<(string | null)[]> {
  return await entries.evaluateAll((elements) => elements.map((element) => element.getAttribute('data-entry')))
}

/** Waits until everything that loads after the first rows of a folder is there. */
export async function waitForWholePage(page: Page, texts: MenuTexts = en): Promise<void> {
  const menu = page.getByRole('menu', { name: texts['files.folderActions'] })
  await page.getByRole('button', { name: texts['files.moreActions'] }).click()
  await menu.waitFor()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
}

/** A button above the list while something is selected. */
export function barButton(page: Page, name: string): Locator {
  return page.getByRole('toolbar', { name: 'Selection actions' }).getByRole('button', { name })
}
