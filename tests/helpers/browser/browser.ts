import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core'
import { onTestFailed } from 'vitest'
import { launchChromium } from './launch-chromium.ts'

export interface BrowserOptions extends Omit<BrowserContextOptions, 'baseURL'> {
  /** Error statuses that the test expects. Chromium logs each such response as an error. */
  readonly expectedStatuses?: readonly number[]
  /** The test cuts the network or stops the daemon. Chromium logs each request that fails because of it. */
  readonly cutsConnections?: boolean
  /** For notifications and the PDF viewer, which the headless shell lacks. */
  readonly wholeBrowser?: boolean
  /** Other origins that the page may send requests to. */
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
  const { expectedStatuses = [], cutsConnections = false, otherOrigins = [], ...rest } = options
  const { wholeBrowser: isWhole = false, ...contextOptions } = rest
  const browser = isWhole
    ? await (wholeBrowser ??= launchChromium('--whole'))
    : await (headlessShell ??= launchChromium())
  const context = await browser.newContext({
    baseURL: origin,
    viewport: DESKTOP,
    locale: 'en-US',
    reducedMotion: 'reduce',
    acceptDownloads: true,
    // A service worker would hide requests from tests that watch them.
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
      await context.close()
      refuse(trouble)
    },
  }
}

/** Each process of tests has its own browsers, and so its own clipboard. */
let headlessShell: Promise<Browser> | undefined
let wholeBrowser: Promise<Browser> | undefined

function refuse(trouble: readonly Trouble[]): void {
  if (trouble.length > 0) throw new Error(`the page had trouble:\n${trouble.join('\n')}`)
}

async function keepPicture(picture: Buffer): Promise<void> {
  const file = join(await mkdtemp(join(tmpdir(), 'filemgr-failed-')), 'page.png')
  await writeFile(file, picture)
  console.error(`the page at the end of the test: ${file}`)
}

/** Describes something that a page must not do. */
export type Trouble = string

interface Allowed {
  /** The origin of the page and the others that it may send requests to. */
  readonly origins: readonly string[]
  readonly expectedStatuses: readonly number[]
  readonly cutsConnections: boolean
}

/** Collects errors and forbidden requests until the context is closed. Requests to other origins are blocked. */
async function watchForTrouble(
  context: BrowserContext,
  { origins, expectedStatuses, cutsConnections }: Allowed,
): Promise<readonly Trouble[]> {
  const trouble: Trouble[] = []
  context.on('console', (message) => {
    if (message.type() !== 'error' || isExpected(message, expectedStatuses)) return
    if (cutsConnections && CUT.test(message.text())) return
    trouble.push(`logged: ${message.text()} ${message.location().url}`)
  })
  context.on('weberror', (error) => {
    const { message } = error.error()
    if (!cutsConnections || !LOST_PART.test(message)) trouble.push(`threw: ${message}`)
  })
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (/^https?:$/.test(url.protocol) && !origins.includes(url.origin))
      trouble.push(`asked another origin: ${url.href}`)
  })
  return trouble
}

/** Logged by Chromium for a request that lost its connection. */
const CUT =
  /net::ERR_(FAILED|INTERNET_DISCONNECTED|NETWORK_CHANGED|CONNECTION_\w+|SOCKET_\w+|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)/

/** Logged when a chunk of the page cannot be fetched. */
const LOST_PART = /^(Unable to preload CSS|Failed to fetch dynamically imported module)/

/** Chromium logs every response with status 400 or above. */
function isExpected(message: ConsoleMessage, statuses: readonly number[]): boolean {
  const status = /the server responded with a status of (\d+)/.exec(message.text())?.[1]
  return status !== undefined && statuses.includes(Number(status))
}
