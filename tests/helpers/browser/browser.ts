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
  /** Ends a test, with the same checks as disposing, but keeps the page open for further tests. */
  leave(options?: Pick<BrowserOptions, 'expectedStatuses'>): Promise<void>
}

export const DESKTOP = { width: 1280, height: 800 }

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
  // For what never happens: many tests run side by side, so any of them may be slow.
  context.setDefaultTimeout(120_000)
  const trouble = await watchForTrouble(context, {
    origins: [new URL(origin).origin, ...otherOrigins],
    cutsConnections,
  })
  const page = await context.newPage()
  const takePicture = async () => {
    if (page.isClosed()) return
    const picture = await page.screenshot({ type: 'jpeg', quality: 50 })
    onTestFailed(async () => await keepPicture(picture))
  }
  return {
    page,
    context,
    async leave(expected = {}) {
      await takePicture()
      await page.goto(WITHOUT_PAGE)
      refuse(trouble.splice(0), expected.expectedStatuses)
    },
    async [Symbol.asyncDispose]() {
      await takePicture()
      await context.close()
      refuse(trouble, expectedStatuses)
    },
  }
}

/** An address that every server answers with a few words instead of the page. */
const WITHOUT_PAGE = '/health'

/** Each process of tests has its own browsers, and so its own clipboard. */
let headlessShell: Promise<Browser> | undefined
let wholeBrowser: Promise<Browser> | undefined

function refuse(trouble: readonly Trouble[], expectedStatuses: readonly number[] = []): void {
  const unexpected = trouble.filter(({ status }) => status === undefined || !expectedStatuses.includes(status))
  if (unexpected.length > 0)
    throw new Error(`the page had trouble:\n${unexpected.map(({ message }) => message).join('\n')}`)
}

async function keepPicture(picture: Buffer): Promise<void> {
  const file = join(await mkdtemp(join(tmpdir(), 'filemgr-failed-')), 'page.jpg')
  await writeFile(file, picture)
  console.error(`the page at the end of the test: ${file}`)
}

/** Something that a page must not do. */
interface Trouble {
  readonly message: string
  /** The status of the response that caused it. */
  readonly status?: number | undefined
}

interface Allowed {
  /** The origin of the page and the others that it may send requests to. */
  readonly origins: readonly string[]
  readonly cutsConnections: boolean
}

/** Collects errors and forbidden requests until the context is closed. Requests to other origins are blocked. */
async function watchForTrouble(context: BrowserContext, { origins, cutsConnections }: Allowed): Promise<Trouble[]> {
  const trouble: Trouble[] = []
  context.on('console', (message) => {
    if (message.type() !== 'error') return
    if (cutsConnections && CUT.test(message.text())) return
    trouble.push({ message: `logged: ${message.text()} ${message.location().url}`, status: statusIn(message) })
  })
  context.on('weberror', (error) => {
    const { message } = error.error()
    if (!cutsConnections || !LOST_PART.test(message)) trouble.push({ message: `threw: ${message}` })
  })
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (/^https?:$/.test(url.protocol) && !origins.includes(url.origin))
      trouble.push({ message: `asked another origin: ${url.href}` })
  })
  return trouble
}

/** Logged by Chromium for a request that lost its connection. */
const CUT =
  /net::ERR_(FAILED|INTERNET_DISCONNECTED|NETWORK_CHANGED|CONNECTION_\w+|SOCKET_\w+|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING)/

/** Logged when a chunk of the page cannot be fetched. */
const LOST_PART = /^(Unable to preload CSS|Failed to fetch dynamically imported module)/

/** Chromium logs every response with status 400 or above. */
function statusIn(message: ConsoleMessage): number | undefined {
  const status = /the server responded with a status of (\d+)/.exec(message.text())?.[1]
  return status === undefined ? undefined : Number(status)
}
