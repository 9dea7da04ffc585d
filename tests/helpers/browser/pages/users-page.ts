import type { Locator, Page } from 'playwright-core'
import { ALL_PERMISSIONS } from '../../../../src/domain/access/permissions.ts'
import type { UserView } from '../../../../src/domain/accounts/user.ts'
import { openBrowser, type BrowserOptions, type TestBrowser } from '../browser.ts'
import { signedIn } from '../sessions.ts'
import type { TestServer } from '../test-server.ts'

export const PASSPHRASE = 'a long passphrase'

/** Opens a page of the settings, such as "users/2", as the administrator. */
export async function openSettings(
  daemon: TestServer,
  place: string,
  options: BrowserOptions = {},
): Promise<TestBrowser> {
  const browser = await openBrowser(daemon.url, { storageState: signedIn(daemon), ...options })
  await browser.page.goto(`/settings/${place}`)
  await browser.page.getByRole('heading', { level: 1 }).waitFor()
  return browser
}

/** Creates an account as the administrator. @returns its id @throws for any status but 201 */
export async function addUser(daemon: TestServer, username: string, fields: Partial<UserView> = {}): Promise<number> {
  const data = { username, password: PASSPHRASE, scope: '/', perm: { ...ALL_PERMISSIONS, admin: false }, ...fields }
  const body = JSON.stringify({ what: 'user', which: [], current_password: daemon.password, data })
  const answer = await daemon.fetch('/api/users', { method: 'POST', body })
  if (answer.status !== 201) throw new Error(`status ${answer.status}: ${await answer.text()}`)
  return Number(answer.headers.get('location')?.split('/').at(-1))
}

export async function userOf(daemon: TestServer, username: string): Promise<UserView | undefined> {
  const users = (await (await daemon.fetch('/api/users')).json()) as UserView[]
  return users.find((user) => user.username === username)
}

export function rowOf(page: Page, username: string): Locator {
  const link = page.getByRole('link', { name: username, exact: true })
  return page.getByRole('table', { name: 'Users' }).getByRole('row').filter({ has: link })
}

/** The patterns of all rules, in order. Read in one call, since rules may disappear at any time. */
export async function patterns(page: Page): Promise<string[]> {
  return await page
    .getByRole('textbox', { name: /^Pattern of rule/ })
    .evaluateAll((fields: HTMLInputElement[]) => fields.map(({ value }) => value))
}
