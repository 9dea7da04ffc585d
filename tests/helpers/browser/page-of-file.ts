import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, onTestFailed } from 'vitest'
import { fillFolder, type FileTree } from '../temp-folder.ts'
import { DESKTOP, openBrowser, type BrowserOptions, type TestBrowser } from './browser.ts'
import { restoreServer, stateOf, type ServerState } from './clean-server.ts'
import { gridOf } from './pages/files-page.ts'
import { newSession } from './sessions.ts'
import { serverOfFile, type TestServer, type TestServerOptions } from './test-server.ts'

/** A page for one test, and the server of the file. */
export interface PageOfTest extends AsyncDisposable {
  readonly daemon: TestServer
  readonly page: Page
}

interface PageOptions extends Pick<BrowserOptions, 'expectedStatuses'> {
  readonly folder?: string
  /** A place in the settings, such as "users", instead of a folder. */
  readonly settings?: string | undefined
}

/**
 * One server and one browser profile for the tests of a file, at a third of the cost of their own. Each test begins with
 * its own files, the settings and the account of the administrator as they were at first, no other accounts, an empty
 * storage, and a freshly loaded page.
 *
 * Not for tests that change the password, leave jobs, links or hooks, install a clock or add scripts to the page.
 *
 * @returns opens a folder, by default the root, as the administrator
 */
export function pageOfFile(
  options: TestServerOptions = {},
): (files?: FileTree, options?: PageOptions) => Promise<PageOfTest> {
  const server = serverOfFile(options)
  let browser: TestBrowser | undefined
  let first: ServerState | undefined
  const close = async () => {
    await browser?.context.close()
    browser = undefined
  }
  afterAll(close)
  return async (files = {}, { folder = '/', settings, ...expected } = {}) => {
    const daemon = server()
    first ??= await stateOf(daemon)
    await refill(daemon.root, files)
    await restoreServer(daemon, first)
    // Its own session, because the page renews it, which ends the token of `daemon` after a while.
    const used = (browser ??= await openBrowser(daemon.url, { storageState: await newSession(daemon) }))
    // The next test gets another one, whatever state this one is in.
    onTestFailed(close)
    const { page } = used
    await page.goto(settings === undefined ? `/files${folder}` : `/settings/${settings}`)
    await (settings === undefined ? gridOf(page) : page.getByRole('heading', { level: 1 })).waitFor()
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
