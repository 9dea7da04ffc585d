import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { inject, onTestFailed } from 'vitest'
import { watchForTrouble, type Trouble } from './page-trouble.ts'

export interface BrowserOptions extends Omit<BrowserContextOptions, 'baseURL'> {
  /** Error statuses that the test provokes: Chromium logs each such answer as an error. */
  readonly expectedStatuses?: readonly number[]
  /** The test takes the network or the daemon away: Chromium logs each request that fails by it. */
  readonly cutsConnections?: boolean
  /** Other origins that the page may ask. */
  readonly otherOrigins?: readonly string[]
}

export interface TestBrowser extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
}

const DESKTOP = { width: 1280, height: 800 }

/**
 * A fresh browser profile with one page, for one test: `await using browser = await openBrowser(daemon.url)`.
 *
 * At its end the test fails when the page logged an error, threw, broke its Content-Security-Policy or asked another
 * origin for anything. When the test fails, what the page looked like is saved and the place is printed.
 */
export async function openBrowser(origin: string, options: BrowserOptions = {}): Promise<TestBrowser> {
  const { expectedStatuses = [], cutsConnections = false, otherOrigins = [], ...contextOptions } = options
  const browser = await chromium.connect(chromiumOfWorker())
  const context = await browser.newContext({
    baseURL: origin,
    viewport: DESKTOP,
    locale: 'en-US',
    reducedMotion: 'reduce',
    acceptDownloads: true,
    // A worker would answer behind the back of tests that look at what is asked.
    serviceWorkers: 'block',
    ...contextOptions,
  })
  context.setDefaultTimeout(30_000)
  const trouble = await watchForTrouble(context, {
    origins: [new URL(origin).origin, ...otherOrigins],
    expectedStatuses,
    cutsConnections,
  })
  const page = await context.newPage()
  let picture: Buffer | undefined
  onTestFailed(async () => {
    if (picture !== undefined) await keepPicture(picture)
  })
  return {
    page,
    context,
    [Symbol.asyncDispose]: async () => {
      picture = page.isClosed() ? undefined : await page.screenshot()
      await browser.close()
      refuse(trouble)
    },
  }
}

function chromiumOfWorker(): string {
  const addresses = inject('chromiums')
  return addresses[Number(process.env['VITEST_POOL_ID']) % addresses.length] ?? ''
}

function refuse(trouble: readonly Trouble[]): void {
  if (trouble.length > 0) throw new Error(`the page had trouble:\n${trouble.join('\n')}`)
}

async function keepPicture(picture: Buffer): Promise<void> {
  const file = join(await mkdtemp(join(tmpdir(), 'filemgr-failed-')), 'page.png')
  await writeFile(file, picture)
  console.error(`the page at the end of the test: ${file}`)
}
