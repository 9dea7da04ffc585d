import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { SessionView } from '../../../src/domain/accounts/session.ts'
import type { UserView } from '../../../src/domain/accounts/user.ts'
import { openBrowser, type BrowserOptions } from '../../helpers/browser/browser.ts'
import { goWithin } from '../../helpers/browser/go-within.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { entryOf, gridOf } from '../../helpers/browser/pages/files-page.ts'
import { newSession, signInElsewhere } from '../../helpers/browser/sessions.ts'
import { startTestServer, type TestServer } from '../../helpers/browser/test-server.ts'

const FILES = { 'letter.txt': 'hello', '.hidden': '' }
const SAFARI_PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1'

const open = pageOfFile()

const SCREENS = { Profile: '/settings', Security: '/settings/security' }

/** Opens a screen of the administrator on a server of its own. */
async function openScreen(daemon: TestServer, title: keyof typeof SCREENS, options: BrowserOptions = {}) {
  const browser = await openBrowser(daemon.url, { storageState: await newSession(daemon), ...options })
  await browser.page.goto(SCREENS[title])
  await browser.page.getByRole('heading', { name: title, level: 1 }).waitFor()
  return browser
}

async function accountOf(daemon: TestServer): Promise<UserView | undefined> {
  const users = (await (await daemon.fetch('/api/users')).json()) as UserView[]
  return users.find(({ username }) => username === daemon.username)
}

describe('the preferences of a user', () => {
  it('take effect at once, also in other windows, and are saved with the account', async () => {
    await using shown = await open(FILES, { settings: 'profile' })
    const { page, daemon } = shown
    const other = await page.context().newPage()
    await other.goto('/files/')
    await entryOf(other, '.hidden').waitFor()

    await page.getByRole('switch', { name: 'Do not show hidden files' }).click()
    await entryOf(other, '.hidden').waitFor({ state: 'detached' })
    await page.getByRole('switch', { name: 'Open with a single click' }).click()
    await page.getByRole('switch', { name: 'Exact dates' }).click()
    await page.getByRole('switch', { name: 'Open the destination after copying or moving' }).click()
    await page.getByRole('combobox', { name: 'Editor theme' }).selectOption({ label: 'Monokai' })
    await expect
      .poll(async () => await accountOf(daemon))
      .toMatchObject({
        hideDotfiles: true,
        singleClick: true,
        dateFormat: true,
        redirectAfterCopyMove: false,
        aceEditorTheme: 'monokai',
      })
    await entryOf(other, 'letter.txt').getByText(/\d{4}/).waitFor()
    await other.getByRole('group', { name: 'View' }).getByRole('button', { name: 'List' }).click()
    const rowHeight = async () => (await entryOf(other, 'letter.txt').boundingBox())?.height
    await expect.poll(rowHeight).toBe(40)
    await page.getByRole('group', { name: 'Row height' }).getByRole('button', { name: 'Compact' }).click()
    await expect.poll(rowHeight).toBe(32)
    await entryOf(other, 'letter.txt').click()
    await expect.poll(() => new URL(other.url()).pathname).toBe('/files/letter.txt')

    await page.reload()
    await page.getByRole('switch', { name: 'Exact dates', checked: true }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Editor theme' }).inputValue()).toBe('monokai')
  })

  it('change the language of all open windows without a reload', async () => {
    await using shown = await open(FILES, { settings: 'profile' })
    const { page, daemon } = shown
    const other = await page.context().newPage()
    await other.goto('/files/')
    await gridOf(other).waitFor()
    const directionOf = async (shown: Page) => await shown.evaluate(() => document.documentElement.dir)
    await page.evaluate(() => (document.documentElement.dataset['same'] = 'page'))
    await page.locator('select').first().selectOption({ label: 'العربية' })
    await expect.poll(async () => await directionOf(page)).toBe('rtl')
    await expect.poll(async () => await directionOf(other)).toBe('rtl')
    await page.locator('select').first().selectOption({ label: 'English' })
    await expect.poll(async () => await directionOf(other)).toBe('ltr')
    expect(await page.evaluate(() => document.documentElement.dataset['same'])).toBe('page')
    await expect.poll(async () => (await accountOf(daemon))?.locale).toBe('en')
  })
})

describe('the settings pages', () => {
  it('are hidden from users without permission, who see "403" at their addresses', async () => {
    await using daemon = await startTestServer({ files: FILES })
    const data = { username: 'ben', password: 'quiet harbour morning', scope: '/', perm: { download: true } }
    const body = JSON.stringify({ what: 'user', which: [], data, current_password: daemon.password })
    expect((await daemon.fetch('/api/users', { method: 'POST', body })).status).toBe(201)
    await using browser = await openScreen({ ...daemon, ...data }, 'Profile')
    const { page } = browser
    const menu = page.getByRole('navigation', { name: 'Settings' })
    await menu.getByRole('link', { name: 'Profile' }).waitFor()
    expect(await menu.getByRole('link').allInnerTexts()).toEqual(['Profile', 'Security'])
    for (const place of ['global', 'sign-in', 'users', 'users/1', 'groups', 'shares']) {
      await goWithin(page, `/settings/${place}`)
      await expect.poll(async () => await page.evaluate(() => location.pathname)).toBe('/403')
      await page.getByRole('heading', { name: 'You do not have access' }).waitFor()
    }
  })

  it('are reachable from the palette and from the name of the user', async () => {
    await using shown = await open(FILES, { settings: 'profile' })
    const { page, daemon } = shown
    await page.getByRole('link', { name: 'My files' }).click()
    await gridOf(page).waitFor()
    await page.getByRole('link', { name: daemon.username }).click()
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Type a command, a file or a folder' }).fill('users')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/settings/users')
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Profile' }).click()
    await page.getByRole('button', { name: 'Show shortcuts' }).click()
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  })
})

describe('the password of a user', () => {
  it('is changed with the current one, shows errors at their field, and signs out other devices', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openScreen(daemon, 'Security', { expectedStatuses: [400, 401] })
    const { page } = browser
    const form = page.getByRole('form', { name: 'Password' })
    const field = (name: string) => form.getByLabel(name, { exact: true })
    const submit = async () => await form.getByRole('button', { name: 'Change password' }).click()
    const phone = await signInElsewhere(daemon, { userAgent: SAFARI_PHONE })

    await submit()
    await form.getByText('Enter your current password.').waitFor()
    await field('Current password').fill('not the current one')
    await field('New password').fill('quiet harbour morning')
    await field('Repeat the new password').fill('quiet harbour mourning')
    await submit()
    await form.getByText('The passwords do not match.').waitFor()
    expect(await field('Repeat the new password').getAttribute('aria-invalid')).toBe('true')
    await field('Repeat the new password').fill('quiet harbour morning')
    await submit()
    await form.getByText('This is not your current password.').waitFor()
    expect(await field('Current password').evaluate((input) => input === document.activeElement)).toBe(true)

    await field('Current password').fill(daemon.password)
    await field('New password').fill('short')
    await field('Repeat the new password').fill('short')
    await submit()
    await form
      .getByText(/^Too short. Use at least \d+ characters\.$/)
      .first()
      .waitFor()

    await field('New password').fill('quiet harbour morning')
    await form.getByText('A very strong password.').waitFor()
    await field('Repeat the new password').fill('quiet harbour morning')
    await submit()
    await page.getByText(/^Your password was changed, and .*signed out\.$/).waitFor()
    expect(await phone.ask()).toBe(401)
    expect(await field('New password').inputValue()).toBe('')
    await page.reload()
    await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor()
    expect(await (await signInElsewhere(daemon, { password: 'quiet harbour morning' })).ask()).toBe(200)
  })
})

describe('the devices of a user', () => {
  it('appear and disappear live, and are signed out one by one or all at once', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openScreen(daemon, 'Security')
    const { page } = browser
    const list = page.getByRole('list', { name: 'Devices' })
    const device = (name: string) => list.getByRole('listitem', { name })
    await device('Chrome on Linux').getByText('This device').waitFor()
    expect(await device('Chrome on Linux').getByRole('button').count()).toBe(0)

    const phone = await signInElsewhere(daemon, { userAgent: SAFARI_PHONE })
    await device('Safari on iPhone').waitFor()
    await page.getByRole('button', { name: 'Sign out Safari on iPhone' }).click()
    await device('Safari on iPhone').waitFor({ state: 'detached' })
    expect(await phone.ask()).toBe(401)

    const firefox = await signInElsewhere(daemon)
    await device('Firefox on Linux').waitFor()
    const devices = (await (await daemon.fetch('/api/sessions')).json()) as SessionView[]
    const { id } = devices.find(({ userAgent }) => userAgent.includes('Firefox')) ?? {}
    await daemon.fetch(`/api/sessions/${id}`, { method: 'DELETE' })
    await device('Firefox on Linux').waitFor({ state: 'detached' })
    expect(await firefox.ask()).toBe(401)

    const others = [await signInElsewhere(daemon), await signInElsewhere(daemon, { userAgent: 'curl/8.17.0' })]
    await device('curl').waitFor()
    await device('Firefox on Linux').waitFor()
    await page.getByRole('button', { name: 'Sign out all other devices' }).click()
    await page.getByText(/^\d devices were signed out\.$/).waitFor()
    await expect.poll(async () => await list.getByRole('listitem').count()).toBe(1)
    for (const other of others) expect(await other.ask()).toBe(401)
    await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor()
  })
})
