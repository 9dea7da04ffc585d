import { describe, expect, it } from 'vitest'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { entryOf, gridOf, openFiles, signIn } from '../../helpers/browser/pages/files-page.ts'
import { revokeBrowsers, newSession } from '../../helpers/browser/sessions.ts'
import { startCli } from '../../helpers/cli/run-cli.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

describe('signing in', () => {
  it('rejects a wrong password with a message and accepts the right one', async () => {
    await using daemon = await startTestServer({ files: { 'hello.txt': 'hello' } })
    await using browser = await openBrowser(daemon.url, { expectedStatuses: [403] })
    const { page } = browser
    await page.goto('/')
    await signIn(page, daemon.username, 'not the password')
    await page.getByText('Wrong username or password.').waitFor()
    expect(new URL(page.url()).pathname).toBe('/login')
    await signIn(page, daemon.username, daemon.password)
    await entryOf(page, 'hello.txt').waitFor()
    expect(new URL(page.url()).pathname).toBe('/files/')
  })

  it('leads to the requested folder', async () => {
    await using daemon = await startTestServer({ files: { 'deep/down/here.txt': '' } })
    await using browser = await openFiles(daemon, { folder: '/deep/down/' })
    await entryOf(browser.page, 'here.txt').waitFor()
  })

  it('works once with the link of the first start, whose code is removed from the address', async () => {
    await using folder = await tempFolder({ 'files/hello.txt': 'hello', 'data/': '' })
    const serve = ['serve', `${folder.path}/files`, '--data', `${folder.path}/data`, '--port', '0']
    await using daemon = startCli(serve)
    const link = await daemon.notice(/http:\S+code=\S+(?=\s)/)
    {
      await using first = await openBrowser(new URL(link).origin)
      await first.page.goto(link)
      await entryOf(first.page, 'hello.txt').waitFor()
      expect(first.page.url()).not.toContain('code')
    }
    await using second = await openBrowser(new URL(link).origin, { expectedStatuses: [403] })
    await second.page.goto(link)
    await second.page.getByRole('status').getByText('This sign-in link has expired or was already used').waitFor()
  })
})

describe('signing out', () => {
  it('ends the session on the server too', async () => {
    await using daemon = await startTestServer({ files: { 'hello.txt': '' } })
    // Requests that are in flight when the session ends are rejected.
    await using browser = await openFiles(daemon, { expectedStatuses: [401] })
    const { page } = browser
    const token = await page.evaluate(() => localStorage.getItem('filemgr:token:') ?? '')
    const ask = async () =>
      (await fetch(new URL('api/resources/', daemon.url), { headers: { 'X-Auth': token } })).status
    expect(await ask()).toBe(200)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
    expect(await ask()).toBe(401)
    await page.goto('/files/')
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
  })

  it('happens at once when the session is revoked elsewhere, and gives the reason', async () => {
    await using daemon = await startTestServer({ files: { 'folder/hello.txt': '' } })
    await using browser = await openFiles(daemon, { storageState: await newSession(daemon), expectedStatuses: [401] })
    await revokeBrowsers(daemon)
    await browser.page.getByRole('heading', { name: /^Sign in/ }).waitFor()
    await browser.page.getByRole('status').getByText('session was ended').waitFor()
    await signIn(browser.page, daemon.username, daemon.password)
    await gridOf(browser.page).waitFor()
    expect(new URL(browser.page.url()).pathname).toBe('/files/')
  })
})
