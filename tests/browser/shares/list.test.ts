import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { openBrowser, type BrowserOptions, type TestBrowser } from '../../helpers/browser/browser.ts'
import { runHere, runHereJson } from '../../helpers/cli/run-here.ts'
import { clipboardOf, openShare, share } from '../../helpers/browser/pages/share-page.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { newSession } from '../../helpers/browser/sessions.ts'
import { startTestServer, type TestServer } from '../../helpers/browser/test-server.ts'

const FILES = { 'report.txt': 'the report', 'pictures/one.txt': '1', 'plan.txt': 'the plan' }
const ACCOUNT = ['--username', 'admin', '--password', 'a long passphrase']

interface Listed {
  readonly hash: string
  readonly path: string
  readonly url: string
  readonly hasPassword: boolean
}

interface OpenShares extends BrowserOptions {
  readonly username?: string
  readonly password?: string
}

/** Opens the page of shared links, by default as the administrator. */
async function openShares(daemon: TestServer, options: OpenShares = {}): Promise<TestBrowser> {
  const { username = 'admin', password = daemon.password || 'a long passphrase', ...others } = options
  const storageState = await newSession({ ...daemon, username, password })
  const browser = await openBrowser(daemon.url, { ...others, storageState })
  await browser.page.goto('/settings/shares')
  await browser.page.getByRole('heading', { name: 'Shared links', level: 1 }).waitFor()
  return browser
}

const rows = (page: Page): Locator =>
  page.getByRole('table', { name: 'Shared links' }).locator('tbody').getByRole('row')
const rowOf = (page: Page, name: string): Locator => rows(page).filter({ hasText: name })
const names = async (page: Page): Promise<string[]> =>
  await rows(page)
    .getByRole('rowheader')
    .evaluateAll((cells) => cells.map((cell) => cell.querySelector('[title]')?.getAttribute('title') ?? ''))

describe('the page of shared links', () => {
  it('lists, sorts, finds and copies links, and deletes several after one confirmation', async () => {
    await using daemon = await startTestServer({ files: FILES })
    const hour = await share(daemon, '/report.txt', { expires: '30', unit: 'minutes', password: 'secret' })
    await share(daemon, '/pictures/', { expires: '7', unit: 'days' })
    await share(daemon, '/plan.txt')
    await fetch(`${daemon.url}api/public/share/${hour}`, { headers: { 'X-SHARE-PASSWORD': 'secret' } })
    await using browser = await openShares(daemon, { permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = browser
    await page.getByText('3 links. Anyone who has one can open it until it expires.').waitFor()
    await expect.poll(async () => await names(page)).toEqual(['/plan.txt', '/report.txt', '/pictures/'])
    await rowOf(page, 'plan.txt').getByText('Never expires').waitFor()
    await rowOf(page, 'report.txt').getByText('in 30 minutes').waitFor()
    await rowOf(page, 'report.txt').getByText('Password').waitFor()
    await rowOf(page, 'pictures').getByText('in 7 days').waitFor()
    await page.getByRole('button', { name: 'Path' }).click()
    await expect.poll(async () => await names(page)).toEqual(['/pictures/', '/plan.txt', '/report.txt'])
    await page.getByRole('button', { name: 'Copy the link to report.txt' }).click()
    await page.getByText('Link copied').waitFor()
    expect(await clipboardOf(page)).toBe(`${daemon.url}share/${hour}`)
    await page.getByRole('button', { name: 'More actions for the link to report.txt' }).click()
    await page.getByRole('menuitem', { name: 'Show QR code' }).click()
    await page.getByRole('img', { name: 'QR code of the link to report.txt' }).waitFor()
    await page.keyboard.press('Escape')

    await page.getByRole('searchbox', { name: 'Find by path or owner' }).fill('pict')
    await expect.poll(async () => await names(page)).toEqual(['/pictures/'])
    await page.getByRole('searchbox', { name: 'Find by path or owner' }).fill('nothing like it')
    await page.getByRole('button', { name: 'Show all links' }).click()
    await page.getByRole('checkbox', { name: 'Select plan.txt' }).check()
    await page.getByRole('checkbox', { name: 'Select pictures' }).check()
    await page.getByRole('button', { name: 'Copy links' }).click()
    await expect.poll(async () => (await clipboardOf(page)).split('\n').length).toBe(2)
    await page.getByRole('button', { name: 'Delete 2 links' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete 2 links?' })
    await question.getByRole('button', { name: 'Keep them' }).click()
    await expect.poll(async () => await rows(page).count()).toBe(3)
    await page.getByRole('button', { name: 'Delete 2 links' }).click()
    const changes: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') changes.push(new URL(request.url()).pathname)
    })
    await question.getByRole('button', { name: 'Delete 2 links' }).click()
    await expect.poll(async () => await names(page)).toEqual(['/report.txt'])
    expect(changes.filter((path) => path.startsWith('/api/share'))).toEqual(['/api/shares'])

    await page.getByRole('button', { name: 'More actions for the link to report.txt' }).click()
    await page.getByRole('menuitem', { name: 'Edit link' }).click()
    const edit = page.getByRole('dialog', { name: 'Link to “report.txt”' })
    await edit.getByRole('button', { name: 'Never' }).click()
    await edit.getByRole('button', { name: 'Save' }).click()
    await rowOf(page, 'report.txt').getByText('Never expires').waitFor()
    await page.getByRole('link', { name: 'report.txt' }).click()
    await page.waitForURL('**/files/report.txt**')
  })

  it('shows changes by the command line at once, and the other way round', async () => {
    await using data = await tempFolder()
    await using served = await tempFolder(FILES)
    const place = ['--data', data.path]
    expect((await runHere([...place, 'init', '--root', served.path, ...ACCOUNT])).code).toBe(0)
    await using daemon = await startTestServer({ data: data.path, root: served.path })
    await using browser = await openShares(daemon)
    const { page } = browser
    await page.getByRole('heading', { name: 'No shared links yet' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    const { hash } = await runHereJson<Listed>([...place, 'shares', 'add', '/report.txt', '--expires', '2h'])
    await rowOf(page, 'report.txt').getByText('in 2 hours').waitFor()
    await runHereJson([...place, 'shares', 'set', hash, '--expires', '30d'])
    await rowOf(page, 'report.txt').getByText('in 30 days').waitFor()

    await page.goto('/files/')
    const dialog = await openShare(page, 'plan.txt')
    await dialog.getByRole('button', { name: 'Never' }).click()
    await dialog.getByRole('button', { name: 'Generate a password' }).click()
    await dialog.getByRole('button', { name: 'Create and copy link' }).click()
    await dialog.getByText('Copy the password now.', { exact: false }).waitFor()
    const listed = await runHereJson<Listed[]>([...place, 'shares', 'ls'])
    const made = listed.find(({ path }) => path === '/plan.txt')
    expect(made).toMatchObject({ hasPassword: true, expires: null })
    expect(await dialog.getByRole('link').getAttribute('href')).toBe(made?.url)
    await runHereJson([...place, 'shares', 'rm', made?.hash ?? '', '--yes'])
    await dialog.getByRole('button', { name: 'Create and copy link' }).waitFor()
  })

  it('tells what each link is for, what is left and what its owner wrote, and fits a phone', async () => {
    await using daemon = await startTestServer({ files: FILES })
    const limited = await share(daemon, '/report.txt', { terms: { maxDownloads: 2, note: 'for Bob' } })
    await fetch(`${daemon.url}api/public/dl/${limited}`)
    await share(daemon, '/plan.txt', { terms: { allows: 'view' } })
    // Without a slash at its end, as the command line makes it.
    await share(daemon, '/pictures', { terms: { allows: 'upload', maxFiles: 3, title: 'Your pictures' } })
    await using browser = await openShares(daemon)
    const { page } = browser
    const report = rowOf(page, 'report.txt')
    for (const text of ['View and download', 'Downloads left: 1 of 2', 'for Bob'])
      await report.getByText(text).waitFor()
    await rowOf(page, 'plan.txt').getByText('View only').waitFor()
    const pictures = rowOf(page, 'pictures')
    for (const text of ['Upload only', 'Files left: 3 of 3', 'Your pictures']) await pictures.getByText(text).waitFor()
    expect(await pictures.locator('use[href$="#ft-folder"]').count()).toBe(1)
    await pictures.getByRole('button', { name: 'Files received: 0' }).click()
    await page.getByRole('dialog', { name: 'Received in “pictures”' }).waitFor()
    await page.keyboard.press('Escape')
    await fetch(`${daemon.url}api/public/dl/${limited}`)
    await page.reload()
    await report.getByText('Limit reached').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.setViewportSize({ width: 400, height: 800 })
    await report.getByText('Downloads left: 0 of 2').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400)
  })

  it('marks links whose target is gone or replaced, follows renamed files, and can share the new item', async () => {
    await using daemon = await startTestServer({ files: FILES })
    const gone = await share(daemon, '/plan.txt')
    const replaced = await share(daemon, '/report.txt')
    await share(daemon, '/pictures/')
    const moved = await daemon.fetch('/api/resources/pictures?action=rename&destination=%2Falbum', { method: 'PATCH' })
    expect(moved.ok).toBe(true)
    await rename(join(daemon.root, 'plan.txt'), join(daemon.root, 'elsewhere.txt'))
    await writeFile(join(daemon.root, 'another.txt'), 'another')
    await rename(join(daemon.root, 'another.txt'), join(daemon.root, 'report.txt'))
    await using browser = await openShares(daemon)
    const { page } = browser
    await rowOf(page, 'album').getByRole('link', { name: 'album' }).waitFor()
    await rowOf(page, 'plan.txt').getByText('Missing').waitFor()
    expect(await rowOf(page, 'plan.txt').getByRole('link').count()).toBe(0)
    await rowOf(page, 'report.txt').getByText('Replaced').waitFor()
    expect((await fetch(`${daemon.url}api/public/share/${replaced}`)).status).toBe(404)
    await page.getByRole('button', { name: 'More actions for the link to report.txt' }).click()
    await page.getByRole('menuitem', { name: 'Share the new item' }).click()
    await rowOf(page, 'report.txt').getByText('Replaced').waitFor({ state: 'detached' })
    expect(await (await fetch(`${daemon.url}api/public/dl/${replaced}`)).text()).toBe('another')
    expect((await fetch(`${daemon.url}api/public/share/${gone}`)).status).toBe(404)
  })

  it('shows users with the permission their own links, and administrators also the owners', async () => {
    await using data = await tempFolder()
    await using served = await tempFolder(FILES)
    const place = ['--data', data.path]
    expect((await runHere([...place, 'init', '--root', served.path, ...ACCOUNT])).code).toBe(0)
    const bob = ['--password', 'another passphrase', '--scope', '/pictures', '--perm.share']
    expect((await runHere([...place, 'users', 'add', 'bob', ...bob])).code).toBe(0)
    await runHereJson([...place, 'shares', 'add', '/one.txt', '--user', 'bob'])
    await using daemon = await startTestServer({ data: data.path, root: served.path })
    await using browser = await openShares(daemon)
    const { page } = browser
    await rowOf(page, 'one.txt').getByRole('cell', { name: 'bob' }).waitFor()
    // The path is relative to Bob's scope and does not exist for the administrator.
    expect(await rowOf(page, 'one.txt').getByRole('link').count()).toBe(0)
    const bobs = { username: 'bob', password: 'another passphrase', expectedStatuses: [403] }
    await using other = await openShares(daemon, bobs)
    await rowOf(other.page, 'one.txt').getByRole('link', { name: 'one.txt' }).waitFor()
    expect(await other.page.getByRole('columnheader', { name: 'Owner' }).count()).toBe(0)
    expect((await runHere([...place, 'users', 'set', 'bob', '--perm.share=false'])).code).toBe(0)
    await other.page.goto('/settings/shares')
    await other.page.waitForURL('**/403')
  })
})
