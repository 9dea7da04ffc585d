import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll } from 'vitest'
import { openBrowser, type BrowserOptions, type TestBrowser } from '../browser.ts'
import { runHere } from '../../cli/run-here.ts'
import { pageOfFile } from '../page-of-file.ts'
import { toastOf } from './toasts.ts'
import { signedIn } from '../sessions.ts'
import { tempFolder, type FileTree } from '../../temp-folder.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../test-server.ts'

export interface Administered extends AsyncDisposable {
  readonly daemon: TestServer
  readonly page: Page
  readonly browser: TestBrowser
  /** Runs a command against the data of the daemon. @returns its trimmed output */
  readonly cli: (...words: string[]) => Promise<string>
  /** The same with --json. @returns the parsed output */
  readonly json: <T>(...words: string[]) => Promise<T>
}

/** The same for all tests of a file, see `pageOfFile`. @returns opens a place in the settings, by default the global ones */
export function administerInFile(options: TestServerOptions = {}) {
  const data = mkdtempSync(join(tmpdir(), 'filemgr-test-'))
  // Runs after the server has stopped.
  afterAll(async () => await rm(data, { recursive: true, force: true }))
  const open = pageOfFile({ data, ...options })
  const commands = commandsFor(data)
  return async ({ files = {}, place = 'global', ...expected }: AdministerOptions = {}): Promise<
    Omit<Administered, 'browser'>
  > => ({ ...(await open(files, { settings: place, ...expected })), ...commands })
}

interface AdministerOptions extends Pick<BrowserOptions, 'expectedStatuses'> {
  readonly files?: FileTree
  readonly place?: string
}

/** A daemon with a data folder, its settings in a browser, and its command line. */
export async function administer(
  options: TestServerOptions = {},
  browserOptions: BrowserOptions = {},
): Promise<Administered> {
  await using held = new AsyncDisposableStack()
  const data = held.use(await tempFolder())
  const daemon = held.use(await startTestServer({ data: data.path, ...options }))
  const browser = held.use(await openSettings(daemon, browserOptions))
  const all = held.move()
  return {
    daemon,
    browser,
    page: browser.page,
    ...commandsFor(data.path),
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

function commandsFor(data: string): Pick<Administered, 'cli' | 'json'> {
  const cli = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runHere(['--data', data, ...words])
    if (code !== 0) throw new Error(`filemgr ${words.join(' ')}: exit code ${code}, ${stderr}`)
    return stdout.trim()
  }
  return { cli, json: async <T>(...words: string[]) => JSON.parse(await cli(...words, '--json')) as T }
}

/** Opens a page of the settings as the administrator. */
async function openSettings(
  daemon: TestServer,
  { place = 'global', ...options }: BrowserOptions & { readonly place?: string } = {},
): Promise<TestBrowser> {
  const browser = await openBrowser(daemon.url, { storageState: signedIn(daemon), ...options })
  await browser.page.goto(`/settings/${place}`)
  await browser.page.getByRole('navigation', { name: 'Settings' }).waitFor()
  return browser
}

/** A group of settings under its heading. */
export function sectionOf(page: Page, title: string): Locator {
  return page.getByRole('region', { name: title, exact: true })
}

/** Opens one of the sections of the global settings. */
export async function openSection(page: Page, title: string): Promise<Locator> {
  const sections = page.getByRole('navigation', { name: 'Sections' })
  await sections.getByRole('link', { name: title, exact: true }).click()
  const section = sectionOf(page, title)
  await section.waitFor()
  return section
}

/** Opens the activity log. */
export async function openActivity(page: Page): Promise<Locator> {
  await page.getByRole('link', { name: 'Activity log' }).click()
  await page.getByRole('heading', { name: 'Activity log' }).waitFor()
  return page.getByRole('main')
}

/** Saves with the bar at the bottom and waits until it is gone. */
export async function saveSettings(page: Page): Promise<void> {
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  await bar.getByRole('button', { name: 'Save' }).click()
  await toastOf(page, 'Settings saved').first().waitFor()
  await bar.waitFor({ state: 'detached' })
}
