import { Secret, TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { accessibilityProblems, problemsEverywhere } from '../../helpers/browser/accessibility.ts'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { administer } from '../../helpers/browser/pages/settings-page.ts'
import { FAKE_READER, startFakeDirectory } from '../../helpers/fake-directory.ts'
import { confirm } from '../../helpers/browser/pages/confirmation.ts'

const ANN = { password: 'password of Ann', attributes: { entryUUID: ['ann-1'], cn: ['Ann'], memberOf: ['cn=staff'] } }

const MAX = { password: 'password of Max', attributes: { entryUUID: ['max-1'], cn: ['Max'] } }

it('a directory is set up and tried on the page, linked to an account, and its people sign in by keyboard', async () => {
  await using directory = await startFakeDirectory({ ann: ANN, max: MAX })
  await using world = await administer()
  const { page, daemon, json } = world
  await page.goto('/settings/sign-in')
  await page.getByRole('button', { name: 'Add LDAP directory' }).click()
  const form = page.getByRole('form', { name: 'LDAP directory' })
  await form.getByLabel('Name on the button').fill('Studio directory')
  await form.getByLabel('Address', { exact: true }).fill(directory.url)
  await form.getByLabel('Account that searches').fill(FAKE_READER.dn)
  await form.getByLabel('Its password', { exact: true }).fill(FAKE_READER.password)
  await form.getByLabel('People are beneath').fill('dc=example')
  await form.getByLabel('Filter for the groups of a person').fill('')
  await form.getByRole('checkbox', { name: /^Encrypt by StartTLS/ }).click()
  await form.getByRole('checkbox', { name: /^Make an account/ }).click()
  await form.getByRole('button', { name: 'Add a line' }).click()
  const line = form.getByRole('group', { name: 'Line 1' })
  await line.getByLabel('Has the value').fill('cn=staff')
  expect(await accessibilityProblems(page)).toEqual([])
  await form.getByRole('button', { name: 'Save' }).click()
  await confirm(page, daemon.password, 'Save')
  await form.waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: /^Edit.*Studio directory/ }).click()
  const saved = page.getByRole('form', { name: 'Studio directory' })
  await saved.getByLabel('Try with this user').fill('ann')
  await saved.getByRole('button', { name: 'Test' }).click()
  await saved.getByText(/^Finding the person/).waitFor()
  await saved.getByText('ann would get: Administrator').waitFor()
  expect(await accessibilityProblems(page, { inside: ['main'] })).toEqual([])

  await page.goto('/settings/security')
  await page.getByRole('button', { name: 'Link Studio directory' }).click()
  const prompt = page.getByRole('dialog')
  await prompt.getByLabel('Username').fill('max')
  await prompt.getByLabel('Password', { exact: true }).fill(MAX.password)
  await prompt.getByLabel('Your current password').fill(daemon.password)
  expect(await accessibilityProblems(page)).toEqual([])
  await prompt.getByRole('button', { name: 'Link Studio directory' }).click()
  await page.getByRole('button', { name: 'Unlink Studio directory' }).waitFor()

  await using browser = await openBrowser(daemon.url, { expectedStatuses: [401, 403] })
  const person = browser.page
  await person.goto('/')
  const way = person.getByRole('button', { name: 'Continue with Studio directory' })
  await way.press('Enter')
  const signIn = person.getByRole('form', { name: 'Sign in with Studio directory' })
  await signIn.waitFor()
  expect(await problemsEverywhere(person)).toEqual([])
  await signIn.getByRole('button', { name: 'Other ways to sign in' }).press('Enter')
  await expect.poll(async () => await way.evaluate((element) => element === document.activeElement)).toBe(true)
  await way.press('Enter')
  await signIn.getByLabel('Username').waitFor()
  await expect
    .poll(async () => await person.evaluate(() => (document.activeElement as HTMLInputElement | null)?.name))
    .toBe('username')
  await person.keyboard.type('ann')
  await person.keyboard.press('Tab')
  await person.keyboard.type('wrong')
  await person.keyboard.press('Enter')
  await signIn.getByText('Wrong username or password.').waitFor()
  await person.keyboard.type(ANN.password)
  await person.keyboard.press('Enter')
  await person.waitForURL(/\/files\/$/)
  expect(await json<{ username: string; perm: { admin: boolean } }[]>('users', 'ls')).toMatchObject([
    { username: daemon.username },
    { username: 'ann', perm: { admin: true } },
  ])

  const secret = await setUpApp(daemon.url, 'ann', ANN.password)
  // Which has ended the session of this browser.
  await person.reload()
  await way.click()
  await signIn.getByLabel('Username').fill('ann')
  await signIn.getByLabel('Password', { exact: true }).fill(ANN.password)
  await person.keyboard.press('Enter')
  const code = person.getByRole('textbox', { name: 'Code' })
  // Not the one that was used to set up the app.
  await code.fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + 30_000 }))
  await person.keyboard.press('Enter')
  await person.waitForURL(/\/files\/$/)
})

/** Gives somebody an authenticator app. @returns its secret */
async function setUpApp(site: string, username: string, password: string): Promise<string> {
  const token = await (
    await fetch(`${site}api/login`, { method: 'POST', body: JSON.stringify({ username, password }) })
  ).text()
  const headers = { 'x-auth': token, accept: 'application/json' }
  const send = async (method: string, path: string, body: object) =>
    await fetch(`${site}api/factors/${path}`, { method, headers, body: JSON.stringify(body) })
  const { secret } = (await (await send('POST', 'totp', {})).json()) as { secret: string }
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  expect((await send('POST', 'totp/check', { code })).status).toBe(200)
  expect((await send('PUT', 'totp', {})).status).toBe(204)
  return secret
}
