import { isDeepStrictEqual } from 'node:util'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, onTestFailed } from 'vitest'
import type { UserView } from '../../../src/domain/accounts/user.ts'
import { fillFolder, type FileTree } from '../temp-folder.ts'
import { DESKTOP, openBrowser, type BrowserOptions, type TestBrowser } from './browser.ts'
import { gridOf } from './pages/files-page.ts'
import { signedInAnew } from './sessions.ts'
import { serverOfFile, type TestServer } from './test-server.ts'

/** A page for one test, and the server of the file. */
export interface PageOfTest extends AsyncDisposable {
  readonly daemon: TestServer
  readonly page: Page
}

interface PageOptions extends Pick<BrowserOptions, 'expectedStatuses'> {
  readonly folder?: string
}

/**
 * One server and one browser profile for the tests of a file, at a third of the cost of their own. Each test begins with
 * its own files, default preferences, an empty storage, and a page that is loaded anew.
 *
 * Not for tests that change accounts or settings, leave jobs or links, install a clock or add scripts to the page.
 *
 * @returns opens a folder, by default the root, as the administrator
 */
export function pageOfFile(): (files?: FileTree, options?: PageOptions) => Promise<PageOfTest> {
  const server = serverOfFile({})
  let browser: TestBrowser | undefined
  let preferences: Preferences | undefined
  const close = async () => {
    await browser?.context.close()
    browser = undefined
  }
  afterAll(close)
  return async (files = {}, { folder = '/', ...expected } = {}) => {
    const daemon = server()
    preferences ??= await preferencesOf(daemon)
    await refill(daemon.root, files)
    await restore(daemon, preferences)
    // Its own session, because the page renews it, which ends the token of `daemon` after a while.
    const used = (browser ??= await openBrowser(daemon.url, { storageState: await signedInAnew(daemon) }))
    // The next test gets another one, whatever state this one is in.
    onTestFailed(close)
    const { page } = used
    await page.goto(`/files${folder}`)
    await gridOf(page).waitFor()
    return { daemon, page, [Symbol.asyncDispose]: async () => await leave(used, expected) }
  }
}

async function leave(browser: TestBrowser, expected: Pick<BrowserOptions, 'expectedStatuses'>): Promise<void> {
  const { page, context } = browser
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const other of context.pages()) if (other !== page) await other.close()
  await browser.leave(expected)
  await page.evaluate(() => {
    sessionStorage.clear()
    for (const key of Object.keys(localStorage)) if (!key.startsWith('filemgr:token:')) localStorage.removeItem(key)
  })
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(DESKTOP)
}

async function refill(root: string, files: FileTree): Promise<void> {
  for (const name of await readdir(root)) await rm(join(root, name), { recursive: true })
  await fillFolder(root, files)
}

type Preferences = Pick<UserView, (typeof CHANGED_BY_THE_PAGE)[number]>

const CHANGED_BY_THE_PAGE = ['locale', 'viewMode', 'sorting', 'hideDotfiles', 'favourites', 'folderSizes'] as const

async function preferencesOf(daemon: TestServer): Promise<Preferences> {
  const user = (await (await daemon.fetch('/api/users/1')).json()) as UserView
  const { locale, viewMode, sorting, hideDotfiles, favourites = [], folderSizes = false } = user
  return { locale, viewMode, sorting, hideDotfiles, favourites, folderSizes }
}

async function restore(daemon: TestServer, preferences: Preferences): Promise<void> {
  if (isDeepStrictEqual(await preferencesOf(daemon), preferences)) return
  const body = JSON.stringify({ what: 'user', which: CHANGED_BY_THE_PAGE, data: { id: 1, ...preferences } })
  const answer = await daemon.fetch('/api/users/1', { method: 'PUT', body })
  if (!answer.ok) throw new Error(`the preferences were refused: ${answer.status} ${await answer.text()}`)
}
