import { chmod } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { changeSettings } from '../../helpers/browser/change-settings.ts'
import { entryOf, signIn } from '../../helpers/browser/pages/files-page.ts'
import { linkTo } from '../../helpers/browser/pages/public-page.ts'
import { startReverseProxy } from '../../helpers/browser/reverse-proxy.ts'
import { runHere } from '../../helpers/cli/run-here.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const FILES = { 'hello.txt': 'hello' }

const logOut = (page: Page) => page.getByRole('button', { name: 'Sign out' })
const account = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(name) })
const pathOf = (page: Page) => new URL(page.url()).pathname

/** Changes settings of a running daemon with the command line. */
async function set(data: string, ...values: string[]): Promise<void> {
  await run(data, 'settings', 'set', ...values)
}

async function run(data: string, ...words: string[]): Promise<void> {
  const { code, stderr } = await runHere(['--data', data, ...words])
  if (code !== 0) throw new Error(stderr)
}

/** Enables proxy sign-in for a daemon that was started with these trusted proxies. */
async function signInByHeader(data: string, trusted: string): Promise<void> {
  await run(data, 'server', 'set', `trustedProxies=${trusted}`)
  await set(data, 'auth.method=proxy', 'auth.header=X-User')
}

describe('without sign-in', () => {
  it.each(['', '/fb'])('the files are shown at once below "%s", without sign-in and sign-out links', async (base) => {
    await using daemon = await startTestServer({ files: FILES, args: ['--no-auth', '--baseURL', base] })
    await using browser = await openBrowser(daemon.url)
    const { page } = browser
    for (const place of ['', 'login', 'login?mode=signup', 'files/']) {
      await page.goto(daemon.url + place)
      await entryOf(page, 'hello.txt').waitFor()
      expect(pathOf(page), place).toBe(`${base}/files/`)
    }
    await account(page, 'admin').waitFor()
    expect(await logOut(page).count()).toBe(0)
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await entryOf(page, 'hello.txt').waitFor()
  })
})

describe('behind a proxy that signs users in', () => {
  it('its header names the user; without it nobody can sign in, and signing out opens its page', async () => {
    await using data = await tempFolder()
    await using daemon = await startTestServer({
      files: FILES,
      data: data.path,
      args: ['--trusted-proxies', '127.0.0.1', '--baseURL', '/fb'],
    })
    await signInByHeader(data.path, '127.0.0.1')
    await using proxy = await startReverseProxy(daemon.url)
    // 404: signing out leads to /share/left, whose page requests that share before the test closes it; no such share exists.
    await using browser = await openBrowser(proxy.url, { expectedStatuses: [401, 403, 404] })
    const { page } = browser

    await page.goto(proxy.url)
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0)
    proxy.send({ 'x-user': 'admin' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await entryOf(page, 'hello.txt').waitFor()
    await account(page, 'admin').waitFor()
    expect(await logOut(page).count()).toBe(0)

    // The proxy has signed in another user, who must not get the previous token.
    proxy.send({ 'x-user': 'jane' })
    await page.reload()
    await account(page, 'jane').waitFor()

    await set(data.path, 'logoutPage=/fb/share/left')
    await page.reload()
    await logOut(page).click()
    await page.waitForURL(/share\/left$/)
  })

  it('the header of an untrusted peer is ignored', async () => {
    await using data = await tempFolder()
    await using daemon = await startTestServer({
      files: FILES,
      data: data.path,
      args: ['--trusted-proxies', '10.9.9.9'],
    })
    await signInByHeader(data.path, '10.9.9.9')
    await using proxy = await startReverseProxy(daemon.url)
    proxy.send({ 'x-user': 'admin' })
    await using browser = await openBrowser(proxy.url, { expectedStatuses: [403] })
    await browser.page.goto(proxy.url)
    await browser.page.getByRole('alert').waitFor()
    expect(await entryOf(browser.page, 'hello.txt').count()).toBe(0)
  })
})

describe('with a sign-in program', () => {
  it('it checks each username and password, and accounts are created for the users it accepts', async () => {
    const script = '#!/bin/sh\nif grep -q otter; then echo hook.action=auth; else echo hook.action=block; fi\n'
    await using folder = await tempFolder({ 'check.sh': script, 'data/': '' })
    await chmod(folder.at('check.sh'), 0o700)
    const data = folder.at('data')
    await using daemon = await startTestServer({ files: FILES, data })
    await set(data, 'auth.method=hook', `auth.command=["${folder.at('check.sh')}"]`)
    await using browser = await openBrowser(daemon.url, { expectedStatuses: [401, 403] })
    const { page } = browser
    await page.goto('/files/')
    await signIn(page, 'eve', 'guessed')
    await page.getByText('Wrong username or password.').waitFor()
    await signIn(page, 'eve', 'an otter in the river')
    await account(page, 'eve').waitFor()
    await logOut(page).click()
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
  })
})

describe('the sign-in links of a public page', () => {
  it('open their form, and lead to the files afterwards', async () => {
    await using daemon = await startTestServer({ files: FILES, args: ['--baseURL', '/fb'] })
    const hash = await linkTo(daemon, '/hello.txt')
    await changeSettings(daemon, { signup: true })
    await using browser = await openBrowser(daemon.url)
    const { page } = browser
    await page.goto(`${daemon.url}share/${hash}`)
    await page.getByRole('article', { name: 'hello.txt' }).waitFor()
    const ways = page.getByRole('navigation', { name: 'Account' })
    // Without a sign-in link there is no sign-up link either.
    expect(await ways.getByRole('link').count()).toBe(0)
    await changeSettings(daemon, { hideLoginButton: false })
    await page.reload()
    await ways.getByRole('link', { name: 'Sign up' }).click()
    await page.getByRole('button', { name: 'Create account' }).waitFor()
    await page.goBack()
    await page.getByRole('article', { name: 'hello.txt' }).waitFor()
    await ways.getByRole('link', { name: 'Sign in' }).click()
    await signIn(page, daemon.username, daemon.password)
    await entryOf(page, 'hello.txt').waitFor()
    await page.goto(`${daemon.url}share/${hash}`)
    await ways.getByRole('link', { name: 'My files' }).click()
    await entryOf(page, 'hello.txt').waitFor()
    expect(pathOf(page)).toBe('/fb/files/')
  })
})
