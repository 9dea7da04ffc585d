import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { startCaptchaService } from '../../helpers/browser/captcha-service.ts'
import { changeSettings } from '../../helpers/browser/change-settings.ts'
import { gridOf, signIn } from '../../helpers/browser/pages/files-page.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const GOOD = 'four birds on a wire'

async function signUp(page: Page, name: string, password: string, repeated = password): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Repeat the password').fill(repeated)
  await page.getByRole('button', { name: 'Create account' }).click()
}

const ownEmptyHome = (page: Page) => page.getByRole('heading', { name: 'This folder is empty' })
const focused = async (page: Page) => await page.evaluate(() => document.activeElement?.getAttribute('name'))

describe('signing up', () => {
  it('is offered only where it is allowed', async () => {
    await using daemon = await startTestServer()
    await using browser = await openBrowser(daemon.url)
    await browser.page.goto('/login?mode=signup')
    await browser.page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await browser.page.getByRole('link', { name: 'Create an account' }).count()).toBe(0)
  })

  it('shows errors at the field, clears them in the other mode, and leads to the files', async () => {
    await using daemon = await startTestServer()
    await changeSettings(daemon, { signup: true })
    await using browser = await openBrowser(daemon.url, { expectedStatuses: [400, 403, 409] })
    const { page } = browser
    await page.goto('/')
    await signIn(page, 'visitor', 'wrong')
    await page.getByText('Wrong username or password.').waitFor()
    expect(await focused(page)).toBe('password')

    const link = page.getByRole('link', { name: 'Create an account' })
    await link.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Create an account for filemgr' }).waitFor()
    expect(await page.getByText('Wrong username or password.').count()).toBe(0)
    expect(new URL(page.url()).searchParams.get('mode')).toBe('signup')
    expect(await page.getByRole('textbox', { name: 'Username' }).inputValue()).toBe('visitor')

    await signUp(page, 'visitor', GOOD, 'another one')
    await page.getByText('The passwords do not match.').waitFor()
    expect(await focused(page)).toBe('repeated')
    await signUp(page, 'visitor', 'short')
    await page.getByText('The password is too short. Use at least 12 characters.').waitFor()
    expect(await focused(page)).toBe('password')
    await signUp(page, 'visitor', 'passwordpassword')
    await page.getByText('This password is too easy to guess.').waitFor()
    await signUp(page, daemon.username, GOOD)
    await page.getByText('This username is taken.').waitFor()
    expect(await focused(page)).toBe('username')

    await page.getByLabel('Password', { exact: true }).fill('four b')
    await page.getByText('6 more characters are needed.').waitFor()
    await signUp(page, 'visitor', GOOD)
    await ownEmptyHome(page).waitFor()
    await page.getByRole('link', { name: /visitor/ }).waitFor()
  })

  it('keeps the requested address, and never leads to another site', async () => {
    await using daemon = await startTestServer({ files: { 'deep/here.txt': '' } })
    await changeSettings(daemon, { signup: true })
    await using browser = await openBrowser(daemon.url)
    const { page } = browser
    await page.goto('/files/deep/')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, daemon.username, daemon.password)
    await gridOf(page).waitFor()
    expect(new URL(page.url()).pathname).toBe('/files/deep/')
    await page.goto('/login?redirect=https://evil.example/')
    await gridOf(page).waitFor()
    expect(page.url()).toBe(new URL('/files/', daemon.url).href)
  })
})

describe('a captcha', () => {
  it('loads only from its service, resets after a failed attempt, and protects both forms', async () => {
    await using service = await startCaptchaService()
    await using daemon = await startTestDaemon({
      args: ['--recaptcha-hosts', service.host],
      env: { NODE_EXTRA_CA_CERTS: service.cert },
    })
    await changeSettings(daemon, { signup: true })
    const recaptcha = { host: service.host, key: 'site-key', secret: 'the secret' }
    const body = JSON.stringify({ recaptcha, current_password: daemon.password })
    const saved = await daemon.fetch('/api/settings/auth', { method: 'PUT', body })
    expect([saved.status, await saved.text()]).toEqual([200, expect.any(String)])
    await using browser = await openBrowser(daemon.url, {
      otherOrigins: [service.host],
      ignoreHTTPSErrors: true,
      expectedStatuses: [403],
      colorScheme: 'dark',
    })
    const { page } = browser
    await page.goto('/')
    const box = page.getByRole('button', { name: 'I am a person site-key dark normal' })
    await box.waitFor()
    expect(service.fetched).toEqual(['/recaptcha/api.js?render=explicit&hl=en'])

    await signIn(page, daemon.username, daemon.password)
    await page.getByRole('alert').getByText('Wrong username or password.').waitFor()
    expect(service.asked).toEqual([])

    await box.click()
    await signIn(page, daemon.username, 'wrong')
    await page.getByText('Wrong username or password.').waitFor()
    expect(await box.getAttribute('aria-pressed')).toBeNull()
    expect(await accessibilityProblems(page)).toEqual([])

    await page.getByRole('link', { name: 'Create an account' }).click()
    await box.click()
    await signUp(page, 'visitor', GOOD)
    await page.getByRole('status').getByText('Your account is ready.').waitFor()
    await box.click()
    await signIn(page, 'visitor', GOOD)
    await ownEmptyHome(page).waitFor()
    expect(service.asked).toEqual(['solved 1', 'solved 2', 'solved 3'])
  })

  it('says when it cannot be loaded, and can be retried', async () => {
    await using service = await startCaptchaService()
    await using daemon = await startTestServer({ args: ['--recaptcha-hosts', service.host] })
    const recaptcha = { host: service.host, key: 'site-key', secret: 'the secret' }
    const body = JSON.stringify({ recaptcha, current_password: daemon.password })
    await daemon.fetch('/api/settings/auth', { method: 'PUT', body })
    await using browser = await openBrowser(daemon.url, {
      otherOrigins: [service.host],
      ignoreHTTPSErrors: true,
      cutsConnections: true,
    })
    const { page } = browser
    const blocking = `${service.host}/**`
    await page.route(blocking, async (route) => await route.abort('connectionrefused'))
    await page.goto('/')
    await page.getByText('The captcha could not be loaded.').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.unroute(blocking)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: /^I am a person/ }).waitFor()
  })
})
