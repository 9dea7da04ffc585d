import { Secret, TOTP } from 'otpauth'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { problemsEverywhere } from '../../helpers/browser/accessibility.ts'
import {
  addProvider,
  beThere,
  openProviderWorld,
  providerButton,
  type ProviderWorld,
} from '../../helpers/browser/provider-world.ts'

/** What a person does, or what is wrong, until the sign-in page explains it. */
interface Case {
  readonly name: string
  /** Part of the sentence. */
  readonly says: string
  /** Before the person chooses the provider. */
  readonly before?: (stage: Stage) => Promise<void> | void
  /** Instead of typing a name at the provider. */
  readonly there?: (stage: Stage) => Promise<void>
  /** Once this is done, the same person comes in. */
  readonly mended?: (stage: Stage) => Promise<void> | void
}

interface Stage {
  readonly world: ProviderWorld
  readonly page: Page
  readonly context: BrowserContext
  /** The last address at which somebody came back from the provider. */
  readonly cameBack: () => string
}

const NOT_VALID = 'The answer of Example SSO was not valid, so nobody was signed in.'
const AWAY = 'Example SSO does not answer. Nobody was signed in.'
const TOO_OLD = 'This sign-in is too old, or was begun elsewhere. Start again here.'

const forging =
  (claims: Readonly<Record<string, string | number>>) =>
  ({ world: { provider } }: Stage): void => {
    provider.forged = claims
  }

/** The provider fails at these addresses. */
const failingAt =
  (path: RegExp) =>
  ({ world: { provider } }: Stage): void => {
    provider.intercept = (request, response) => {
      if (!path.test(request.url ?? '')) return false
      response.statusCode = 503
      response.end()
      return true
    }
  }

const isDisabled =
  (disabled: boolean) =>
  async ({ world: { daemon } }: Stage): Promise<void> => {
    const users = (await (await daemon.fetch('api/users')).json()) as { id: number; username: string }[]
    const id = users.find(({ username }) => username === 'anna')?.id ?? 0
    const body = JSON.stringify({
      what: 'user',
      which: ['disabled'],
      data: { id, disabled },
      current_password: daemon.password,
    })
    expect((await daemon.fetch(`api/users/${id}`, { method: 'PUT', body })).status).toBe(200)
  }

const isOn =
  (enabled: boolean) =>
  async ({ world: { daemon } }: Stage): Promise<void> => {
    const body = JSON.stringify({ enabled, current_password: daemon.password })
    const answer = await daemon.fetch('api/providers/example-sso', { method: 'PATCH', body })
    expect(answer.status).toBe(200)
  }

const CASES: readonly Case[] = [
  // First, as nothing is known of the provider yet.
  {
    name: 'a provider that is away',
    says: AWAY,
    before: failingAt(/./),
    there: async () => undefined,
  },
  { name: 'a provider that goes away', says: AWAY, before: failingAt(/^\/token/) },
  {
    name: 'who changes their mind there',
    says: 'Example SSO did not let you in. Try again, or ask the people who run it.',
    there: async ({ page }) => await page.getByRole('button', { name: 'Deny' }).click(),
  },
  { name: 'another issuer', says: NOT_VALID, before: forging({ iss: 'https://attacker.test' }) },
  {
    name: 'a key that is not published',
    says: NOT_VALID,
    before: async ({ world: { provider } }) => await provider.rotateKeys({ publish: false }),
    // By a key that nobody has seen before.
    mended: async ({ world: { provider } }) => await provider.rotateKeys(),
  },
  {
    name: 'a clock that is six minutes ahead',
    says: 'The clocks of this server and of Example SSO differ.',
    before: forging({ iat: 360, exp: 360 }),
    // Less than five minutes are tolerated.
    mended: forging({ iat: 280, exp: 280 }),
  },
  {
    name: 'a clock that is six minutes behind',
    says: 'The clocks of this server and of Example SSO differ.',
    before: forging({ iat: -360 }),
    mended: forging({ iat: -280 }),
  },
  {
    name: 'who has been away for too long',
    says: TOO_OLD,
    there: async ({ page, context }) => {
      await page.getByLabel('Name').fill('anna')
      await context.clearCookies({ name: /^sign-in-/ })
      await page.getByRole('button', { name: 'Continue' }).click()
    },
  },
  {
    name: 'an answer that was used',
    says: TOO_OLD,
    there: async ({ page, cameBack }) => {
      await page.goto(cameBack())
    },
  },
  {
    name: 'the sign-in of another browser',
    says: TOO_OLD,
    there: async ({ world, page }) => {
      const begun = await fetch(`${world.site}/api/sign-in/example-sso`, { redirect: 'manual' })
      await page.goto(begun.headers.get('location') ?? '')
      await beThere(page, 'anna')
    },
  },
  {
    // By another subject, with the same name and the same address, which nobody has verified.
    name: 'a new account there',
    says: 'Another account has your name already. If it is yours, sign in to it and link Example SSO under “Security” in the settings.',
    there: async ({ world: { provider }, page }) => {
      provider.people['new'] = { ...provider.people['anna'] }
      await beThere(page, 'new')
    },
  },
  {
    name: 'a disabled account',
    says: 'This account is disabled. Ask an administrator.',
    before: isDisabled(true),
    mended: isDisabled(false),
  },
  {
    name: 'a provider that was switched off meanwhile',
    says: 'This sign-in method is switched off. Choose another one, or ask an administrator.',
    there: async (stage) => {
      await isOn(false)(stage)
      await beThere(stage.page, 'anna')
    },
    mended: async (stage) => {
      await isOn(true)(stage)
      await stage.page.reload()
    },
  },
]

it('the sign-in page says why somebody was not let in, and lets them in afterwards', async () => {
  await using world = await openProviderWorld()
  await addProvider(world)
  const { page, context } = await world.browser()
  let cameBack = ''
  page.on('request', (request) => {
    if (request.url().includes('/callback?code=')) cameBack = request.url()
  })
  const stage: Stage = { world, page, context, cameBack: () => cameBack }
  const begin = async (): Promise<void> => {
    // Signed out at the provider, too.
    await context.clearCookies({ name: /^_/ })
    await providerButton(page).click()
  }
  await page.goto(`${world.site}/files/docs/`)
  for (const { name, says, before, there, mended } of CASES) {
    await before?.(stage)
    await begin()
    if (there === undefined) await beThere(page, 'anna')
    else await there(stage)
    const alert = page.getByRole('alert').filter({ visible: true })
    await alert.first().waitFor()
    expect.soft((await alert.allInnerTexts()).join('\n'), name).toContain(says)
    expect.soft(new URL(page.url()).pathname, name).toBe('/login')
    expect.soft(await page.getByLabel('Username').isEditable(), name).toBe(true)

    world.provider.forged = undefined
    world.provider.intercept = undefined
    if (mended === undefined) continue
    await mended(stage)
    await begin()
    await beThere(page, 'anna')
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await providerButton(page).waitFor()
  }
  expect(await problemsEverywhere(page)).toEqual([])
  await page.goto(`${world.site}/files/docs/`)
  await begin()
  await beThere(page, 'anna')
  await page.waitForURL('**/files/docs/')
  expect(await secretsInHistory(page)).toEqual([])
  // Back over the page of the provider.
  await page.evaluate(() => history.go(-2))
  await page.waitForURL('**/files/docs/')
  const users = (await (await world.daemon.fetch('api/users')).json()) as { username: string }[]
  expect(users.map(({ username }) => username)).toEqual([world.daemon.username, 'anna'])
})

it('a provider with a second step here leads through it to where the person wanted to go', async () => {
  await using world = await openProviderWorld()
  const { daemon } = world
  await addProvider(world, { secondFactor: true })
  const { page } = await world.browser()
  const secondFactor = { required: 'everyone', groups: [], grace: '0s' }
  const body = JSON.stringify({ hidePassword: true, secondFactor, current_password: daemon.password })
  expect((await daemon.fetch('api/settings/auth', { method: 'PUT', body })).status).toBe(200)

  await page.goto(`${world.site}/files/docs/`)
  await providerButton(page).click()
  await beThere(page, 'anna')
  await page.getByText('Your administrator requires a second step.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/settings/security')
  await page.getByRole('button', { name: 'Set up' }).waitFor()
  expect(await problemsEverywhere(page)).toEqual([])
  await page.getByRole('button', { name: 'Set up' }).click()
  const app = page.getByRole('region', { name: 'Authenticator app' })
  const secret = (await app.locator('bdi').first().innerText()).replaceAll(/\s/g, '')
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  await page.getByRole('textbox', { name: 'Type the six digits it shows' }).fill(totp.generate())
  await page.keyboard.press('Enter')
  await app.getByText('The code is right').waitFor()
  const [recovery = ''] = await app.getByRole('listitem').allInnerTexts()
  await page.getByRole('checkbox', { name: 'I have put them in a safe place' }).check()
  await page.getByRole('button', { name: 'Turn on' }).click()
  await app.getByText('The app is on').waitFor()
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()

  await page.goto(`${world.site}/files/docs/`)
  await providerButton(page).click()
  const step = page.getByRole('heading', { name: 'Enter your code' })
  await step.waitFor()
  expect(await providerButton(page).isVisible()).toBe(false)
  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.keyboard.press('Enter')
  await page.getByText('That code is wrong.').waitFor()
  expect(await problemsEverywhere(page)).toEqual([])
  expect(await secretsInHistory(page)).toEqual([])
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toMatch(/challenge|code/)

  // Begins again, with one click: the provider still knows the person.
  await page.reload()
  await providerButton(page).click()
  await step.waitFor()
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  const code = page.getByRole('textbox', { name: 'Recovery code' })
  await code.waitFor()
  expect(await problemsEverywhere(page)).toEqual([])
  await code.fill(recovery)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/files/docs/')
  expect(await secretsInHistory(page)).toEqual([])
})

/** Addresses of this site in the history of the browser with something that signs people in. */
async function secretsInHistory(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page)
  const { entries } = await devtools.send('Page.getNavigationHistory')
  return entries.map(({ url }) => url).filter((url) => /[?#&](code|challenge|token|link)=/.test(url))
}
