import { describe, expect, it } from 'vitest'
import type { WaysToSignIn } from '../../../src/domain/accounts/provider-view.ts'
import { signIn } from '../../helpers/browser/pages/files-page.ts'
import {
  addProvider,
  beThere,
  openProviderWorld,
  providerButton as button,
} from '../../helpers/browser/provider-world.ts'
import { confirm, whenConfirmed } from '../../helpers/browser/pages/confirmation.ts'
import { CLIENT_SECRET } from '../../helpers/oidc/test-provider.ts'

describe.each(['', '/fb'])('single sign-on under "%s"', (base) => {
  it('is set up in the settings, and brings people to where they wanted to go', async () => {
    await using world = await openProviderWorld(base)
    const { page } = await world.browser()
    await page.goto(`${world.site}/settings/sign-in`)
    await signIn(page, world.daemon.username, world.daemon.password)
    await page.getByRole('button', { name: 'Add OpenID Connect' }).click()
    const form = page.getByRole('form', { name: 'New provider' })
    await form.getByLabel('Name on the button').fill('Example SSO')
    await form.getByLabel('Issuer').fill(world.provider.issuer)
    await form.getByLabel('Client ID').fill('filemgr')
    await form.getByLabel('Client secret').fill(CLIENT_SECRET)
    await form.getByText(`${world.site}/api/sign-in/example-sso/callback`).waitFor()
    await form.getByLabel('Make an account at the first sign-in').check()
    await form.getByRole('button', { name: 'Save' }).click()
    await confirm(page, world.daemon.password, 'Save')
    await page.getByText('Working').waitFor()
    await page.getByRole('button', { name: 'Edit Example SSO' }).click()
    await page.getByRole('button', { name: 'Test', exact: true }).click()
    await page.getByText('Sign-in works.').waitFor()

    const other = (await world.browser()).page
    await other.goto(`${world.site}/files/docs/`)
    await button(other).click()
    await other.getByRole('button', { name: 'Deny' }).click()
    await other.getByRole('alert').getByText('Example SSO did not let you in.').waitFor()
    await button(other).click()
    await beThere(other, 'anna')
    await other.getByText('a.txt').or(other.getByText('This folder is empty')).first().waitFor()
    expect(new URL(other.url()).pathname).toBe(`${base}/files/docs/`)
    expect(new URL(other.url()).hash).toBe('')
    await other.goto(`${world.site}/settings/security`)
    await other.getByRole('list', { name: 'Sign-in methods' }).getByText('anna@example.org').waitFor()
    await other.getByRole('button', { name: 'Sign out', exact: true }).click()
    await button(other).waitFor()
  })
})

describe('a provider', () => {
  it('is linked and unlinked on the security screen, and can hide the password form', async () => {
    await using world = await openProviderWorld()
    await addProvider(world, { createUsers: false })
    const { page } = await world.browser()
    await page.goto(`${world.site}/settings/security`)
    await signIn(page, world.daemon.username, world.daemon.password)
    await page.getByRole('button', { name: 'Link Example SSO' }).click()
    await confirm(page, world.daemon.password, 'Continue with Example SSO')
    await beThere(page, 'boss')
    await page.getByText('You can sign in with Example SSO from now on.').waitFor()
    expect(new URL(page.url()).hash).toBe('')

    await page.goto(`${world.site}/settings/sign-in`)
    await page.getByRole('switch', { name: 'Hide the password form' }).click()
    await confirm(page, world.daemon.password, 'Save')
    await whenConfirmed(page)
    const other = (await world.browser()).page
    await other.goto(`${world.site}/`)
    await button(other).waitFor()
    expect(await other.getByLabel('Username').isVisible()).toBe(false)
    await other.getByRole('button', { name: 'Use a password instead' }).click()
    await other.getByLabel('Username').waitFor()
    await button(other).click()
    await beThere(other, 'boss')
    await other.waitForURL('**/files/')

    await page.goto(`${world.site}/settings/security`)
    await page.getByRole('button', { name: 'Unlink Example SSO' }).click()
    await confirm(page, world.daemon.password, 'Unlink')
    await page.getByText('Example SSO was unlinked.').waitFor()
    const ways = (await (await world.daemon.fetch('api/users/1/identities')).json()) as WaysToSignIn
    expect(ways.identities).toEqual([])
    await button(other).waitFor()
  })

  it('is closed to another browser, and by the provider at once', async () => {
    await using world = await openProviderWorld()
    await addProvider(world)
    // As by somebody who wants another person to finish a sign-in that began elsewhere.
    const begun = await fetch(`${world.site}/api/sign-in/example-sso`, { redirect: 'manual' })
    const { page } = await world.browser()
    await page.goto(begun.headers.get('location') ?? '')
    await beThere(page, 'anna')
    await page.getByText('This sign-in is too old, or was begun elsewhere.').waitFor()

    await page.goto(`${world.site}/`)
    await button(page).click()
    await page.waitForURL('**/files/')
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: world.provider.issuer, aud: 'filemgr', sub: 'anna', iat: now, exp: now + 120, jti: 'one' }
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const token = await world.provider.sign({ ...claims, events }, { typ: 'logout+jwt' })
    const body = new URLSearchParams({ logout_token: token })
    expect((await fetch(`${world.site}/api/sign-in/example-sso/logout`, { method: 'POST', body })).status).toBe(200)
    await page.getByText('Your session was ended. Sign in again.').waitFor()
  })
})
