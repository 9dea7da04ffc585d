import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { entryOf, gridOf, openFiles, signIn } from '../../helpers/browser/pages/files-page.ts'
import { revokeBrowsers, newSession } from '../../helpers/browser/sessions.ts'
import { servedText } from '../../helpers/browser/served-files.ts'
import { saveSettings } from '../../helpers/browser/pages/settings-page.ts'
import { startTestServer, type TestServer } from '../../helpers/browser/test-server.ts'
import { userOf } from '../../helpers/browser/pages/users-page.ts'
import { confirm } from '../../helpers/browser/pages/confirmation.ts'

const BEN = { username: 'ben', password: 'quiet harbour morning' }

const tokenIn = async (page: Page) => await page.evaluate(() => localStorage.getItem('filemgr:token:'))
const signInPrompt = (page: Page) => page.getByRole('alertdialog', { name: 'Sign in again to continue' })

/** A page with unsaved text in the editor; with `withoutEvents` it receives no server events. */
async function openWithUnsavedText(daemon: TestServer, { withoutEvents = false } = {}) {
  const browser = await openBrowser(daemon.url, { expectedStatuses: [401, 403, 503] })
  const { page } = browser
  if (withoutEvents) await page.route('**/api/events*', async (route) => await route.fulfill({ status: 503 }))
  await page.goto('/files/')
  await signIn(page, daemon.username, daemon.password)
  await entryOf(page, 'notes.txt').dblclick()
  await page.getByRole('textbox', { name: /Content of notes\.txt/ }).waitFor()
  await page.keyboard.type('mine ')
  await page.getByRole('img', { name: 'Unsaved changes' }).waitFor()
  return browser
}

describe('an inactive session', () => {
  it('warns a minute before its end, can be continued, and names the reason when it ends', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
    await using browser = await openBrowser(daemon.url)
    const { page } = browser
    await page.clock.install()
    await page.goto('/settings/security')
    await signIn(page, daemon.username, daemon.password)
    await page.getByRole('list', { name: 'Devices' }).waitFor()
    const warning = page.getByRole('alertdialog', { name: 'Are you still there?' })
    await page.getByRole('link', { name: 'Trash' }).waitFor()
    const first = await tokenIn(page)
    // The warning appears a second later, or at once on a slow machine, which has spent some of the minute.
    await page.clock.fastForward('01:58:59')
    await warning.getByText(/signed out in \d+ seconds/).waitFor()
    await page.keyboard.press('Enter')
    await warning.waitFor({ state: 'detached' })
    expect(await tokenIn(page)).not.toBe(first)
    expect(new URL(page.url()).pathname).toBe('/settings/security')

    await page.clock.fastForward('01:58:59')
    await warning.waitFor()
    await page.clock.fastForward('01:10')
    await page.getByText('You were signed out after a period of inactivity.').waitFor()
    expect(new URL(page.url()).searchParams.get('logout-reason')).toBe('inactivity')
    expect(await tokenIn(page)).toBe('')
    await signIn(page, daemon.username, daemon.password)
    await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor()
  })

  it('ends in all windows when the user signs out in one', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
    await using browser = await openFiles(daemon, { expectedStatuses: [401] })
    const other = await browser.context.newPage()
    await other.goto('/settings/profile')
    await other.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
    await browser.page.getByRole('button', { name: 'Sign out' }).click()
    await other.getByRole('heading', { name: /^Sign in/ }).waitFor()
  })
})

describe('a session that ends with unsaved changes', () => {
  it('asks the same user to sign in again over the page, and repeats the failed save', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
    await using browser = await openWithUnsavedText(daemon, { withoutEvents: true })
    const { page } = browser
    await revokeBrowsers(daemon)
    await page.keyboard.press('Control+s')
    const again = signInPrompt(page)
    await again.getByText('Your session was ended. Your unsaved changes are still here.').waitFor()
    expect(await again.getByLabel('Username').inputValue()).toBe(daemon.username)
    expect(
      await again.getByLabel('Password', { exact: true }).evaluate((input) => input === document.activeElement),
    ).toBe(true)
    await page.keyboard.press('Escape')
    await page.keyboard.type('not the password')
    await page.keyboard.press('Enter')
    await again.getByText('Wrong username or password.').waitFor()
    expect(await servedText(daemon, 'notes.txt')).toBe('one')

    await again.getByLabel('Password', { exact: true }).fill(daemon.password)
    await page.keyboard.press('Enter')
    await again.waitFor({ state: 'detached' })
    await expect.poll(async () => await servedText(daemon, 'notes.txt')).toBe('mine one')
    await page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    await page.keyboard.type('and more ')
    await page.keyboard.press('Control+s')
    await expect.poll(async () => await servedText(daemon, 'notes.txt')).toContain('and more')
  })

  it('keeps an open dialog with its input, and performs its action after the sign-in', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
    await using browser = await openFiles(daemon, { storageState: await newSession(daemon), expectedStatuses: [401] })
    const { page } = browser
    await page.getByRole('button', { name: 'New folder' }).first().click()
    await page.getByRole('dialog', { name: 'New folder' }).getByRole('textbox').fill('plans')
    await revokeBrowsers(daemon)
    await signInPrompt(page).waitFor()
    await signInPrompt(page).getByLabel('Password', { exact: true }).fill(daemon.password)
    await signInPrompt(page).getByRole('button', { name: 'Sign in' }).click()
    await signInPrompt(page).waitFor({ state: 'detached' })
    await page.getByRole('dialog', { name: 'New folder' }).getByRole('button', { name: 'Create' }).click()
    await entryOf(page, 'plans').waitFor()
  })

  it('keeps filled-in forms, which are saved after the sign-in', async () => {
    await using daemon = await startTestServer()
    await using browser = await openBrowser(daemon.url, { expectedStatuses: [401, 403] })
    const { page } = browser
    const signInAgain = async () => {
      await signInPrompt(page).getByLabel('Password', { exact: true }).fill(daemon.password)
      await signInPrompt(page).getByRole('button', { name: 'Sign in' }).click()
      await signInPrompt(page).waitFor({ state: 'detached' })
    }
    await page.clock.install()
    await page.goto('/settings/global/branding')
    await signIn(page, daemon.username, daemon.password)

    // The session is ended on another device.
    const name = page.getByRole('region', { name: 'Branding' }).getByLabel('Name', { exact: true })
    const colour = page.getByRole('textbox', { name: 'Accent colour' })
    await name.fill('Our files')
    await colour.fill('#2979ff')
    await page.getByText('2 unsaved changes').waitFor()
    await revokeBrowsers(daemon)
    await signInPrompt(page).waitFor()
    await signInAgain()
    expect([await name.inputValue(), await colour.inputValue()]).toEqual(['Our files', '#2979ff'])
    await saveSettings(page)
    const settings = (await (await daemon.fetch('/api/settings')).json()) as Record<'branding', object>
    expect(settings).toMatchObject({ branding: { name: 'Our files', color: '#2979ff' } })

    // The session expires.
    await page.goto('/settings/users/new')
    await page.getByRole('textbox', { name: 'Username', exact: true }).fill(BEN.username)
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill(BEN.password)
    await page.getByRole('checkbox', { name: 'Rename and move' }).uncheck()
    await page.clock.fastForward('02:00:01')
    await signInPrompt(page).getByText('inactivity').waitFor()
    await signInAgain()
    expect(await page.getByRole('textbox', { name: 'Password', exact: true }).inputValue()).toBe(BEN.password)
    await page.getByRole('button', { name: 'Create user' }).click()
    await confirm(page, daemon.password, 'Create user')
    await page.waitForURL('**/settings/users/2')
    expect(await userOf(daemon, BEN.username)).toMatchObject({ perm: { rename: false, download: true } })
    await using other = await openBrowser(daemon.url)
    await other.page.goto('/')
    await signIn(other.page, BEN.username, BEN.password)
    await other.page.getByRole('button', { name: 'Sign out' }).waitFor()
  })

  it('shows nothing of them to another user, who gets a new page', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
    const data = { ...BEN, scope: '/', perm: { download: true, modify: true } }
    const body = JSON.stringify({ what: 'user', which: [], data, current_password: daemon.password })
    expect((await daemon.fetch('/api/users', { method: 'POST', body })).status).toBe(201)
    await using browser = await openWithUnsavedText(daemon)
    const { page } = browser
    await revokeBrowsers(daemon)
    await signInPrompt(page).waitFor()
    await signIn(page, BEN.username, BEN.password)
    await page.getByRole('link', { name: BEN.username }).waitFor()
    await gridOf(page).waitFor()
    expect(new URL(page.url()).pathname).toBe('/files/')
    await entryOf(page, 'notes.txt').dblclick()
    await page.getByRole('textbox', { name: /Content of notes\.txt/ }).waitFor()
    expect(await page.getByText('mine').count()).toBe(0)
    expect(await servedText(daemon, 'notes.txt')).toBe('one')
  })

  it('is left without saving when the user says so', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
    await using browser = await openWithUnsavedText(daemon)
    const { page } = browser
    await revokeBrowsers(daemon)
    await signInPrompt(page).getByRole('button', { name: 'Leave without saving' }).click()
    await page.getByRole('heading', { name: /^Sign in to/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('redirect')).toBe('/files/notes.txt')
  })
})
