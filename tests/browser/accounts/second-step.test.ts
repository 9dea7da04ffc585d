import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { problemsEverywhere } from '../../helpers/browser/accessibility.ts'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { gridOf, signIn } from '../../helpers/browser/pages/files-page.ts'
import { startTestServer, type TestServer } from '../../helpers/browser/test-server.ts'
import { addAuthenticator } from '../../helpers/browser/virtual-authenticator.ts'

/** Browsers give passkeys to names, not to addresses. */
const open = async (daemon: TestServer) =>
  await openBrowser(daemon.url.replace('127.0.0.1', 'localhost'), { expectedStatuses: [400, 401, 403] })

async function confirm(page: Page, password: string): Promise<void> {
  await page.getByRole('dialog').getByLabel('Your current password').fill(password)
  await page.keyboard.press('Enter')
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
  await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
}

it('a person sets up an app and a passkey, and signs in with each of them and a recovery code', async () => {
  await using daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
  await using browser = await open(daemon)
  const { page } = browser
  const setFinger = await addAuthenticator(page)
  await page.goto('/settings/security')
  await signIn(page, daemon.username, daemon.password)

  await page.getByRole('button', { name: 'Set up' }).click()
  await confirm(page, daemon.password)
  await page.getByRole('img', { name: 'Scan this with your app' }).waitFor()
  const field = page.getByRole('textbox', { name: 'Type the six digits it shows' })
  const region = page.getByRole('region', { name: 'Authenticator app' })
  const secret = (await region.locator('bdi').first().innerText()).replaceAll(/\s/g, '')
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await field.fill('000000')
  await page.keyboard.press('Enter')
  await page.getByText('That code is wrong.').waitFor()
  await field.fill(totp.generate())
  await page.keyboard.press('Enter')
  await region.getByText('The code is right').waitFor()
  const codes = await region.getByRole('listitem').allInnerTexts()
  expect(codes).toHaveLength(10)
  const turnOn = page.getByRole('button', { name: 'Turn on' })
  expect(await turnOn.isDisabled()).toBe(true)
  await page.getByRole('checkbox', { name: 'I have put them in a safe place' }).check()
  await turnOn.click()
  await region.getByText('The app is on').waitFor()

  await page.getByRole('button', { name: 'Add passkey' }).click()
  await confirm(page, daemon.password)
  await page.getByRole('dialog').getByLabel('Name').fill('Blue key')
  await page.keyboard.press('Enter')
  await page.getByRole('listitem', { name: 'Blue key' }).waitFor()

  // Alone: neither a name nor a password.
  await signOut(page)
  await page.reload()
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('heading', { name: 'Security', level: 1 }).waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'This device' })
    .getByText(/Passkey/)
    .waitFor()

  // As the second step, and the codes.
  await signOut(page)
  await signIn(page, daemon.username, daemon.password)
  await page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  await page.getByRole('textbox', { name: 'Code' }).fill('123456')
  await page.keyboard.press('Enter')
  await page.getByText('That code is wrong.').waitFor()
  await setFinger(false)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText('That did not work. Try again, or use another way.').waitFor()
  expect(await problemsEverywhere(page)).toEqual([])
  await setFinger(true)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'This device' })
    .getByText(/Password and passkey/)
    .waitFor()

  await signOut(page)
  await signIn(page, daemon.username, daemon.password)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(codes[0] ?? '')
  await page.keyboard.press('Enter')
  await page.getByText('9 codes left').waitFor()

  // The clock may differ by a step, and no code works twice.
  await signOut(page)
  await signIn(page, daemon.username, daemon.password)
  await page.getByRole('textbox', { name: 'Code' }).fill(totp.generate({ timestamp: Date.now() + 30_000 }))
  await page.getByRole('checkbox', { name: 'Do not ask again on this device for 30 days' }).check()
  await page.keyboard.press('Enter')
  const trusted = page.getByRole('region', { name: 'Trusted devices' })
  await trusted.getByText('This device').waitFor()
  await signOut(page)
  await signIn(page, daemon.username, daemon.password)
  await trusted.getByRole('button', { name: /^Stop trusting/ }).click()
  await trusted.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Remove passkey “Blue key”' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('You have no passkeys.').waitFor()
})

it('who must have a second step is led to it, and gets to the files once it is set up', async () => {
  await using daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
  await using browser = await open(daemon)
  const { page } = browser
  await addAuthenticator(page)
  await page.goto('/files/')
  await signIn(page, daemon.username, daemon.password)
  await gridOf(page).waitFor()
  const secondFactor = { required: 'everyone', groups: [], grace: '0s' }
  const body = JSON.stringify({ secondFactor, current_password: daemon.password })
  expect((await daemon.fetch('/api/settings/auth', { method: 'PUT', body })).status).toBe(200)
  await page.goto('/files/')
  await page.getByText('Your administrator requires a second step.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/settings/security')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await confirm(page, daemon.password)
  await page.getByRole('dialog', { name: 'Name of the passkey' }).waitFor()
  await page.keyboard.press('Enter')
  const codes = page.getByRole('alertdialog', { name: 'Recovery codes' })
  await codes.waitFor()
  expect(await codes.getByRole('listitem').count()).toBe(10)
  await page.evaluate(() => (globalThis.print = () => document.body.append('asked to print')))
  await codes.getByRole('button', { name: 'Print' }).click()
  await page.getByText('asked to print').waitFor()
  await page.emulateMedia({ media: 'print' })
  const printed = page.locator('body > section')
  expect(await printed.locator('li').count()).toBe(10)
  const sheet = await printed.innerText()
  for (const said of [new URL(page.url()).host, `${daemon.username} · `]) expect(sheet).toContain(said)
  expect([await printed.isVisible(), await codes.isVisible()]).toEqual([true, false])
  await page.emulateMedia({ media: 'screen' })
  await codes.getByRole('button', { name: 'I have put them in a safe place' }).click()
  await page.getByText('Your administrator requires a second step.').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'My files' }).click()
  await gridOf(page).waitFor()
})
