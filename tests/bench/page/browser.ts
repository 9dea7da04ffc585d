import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import type { Daemon } from '../daemon.ts'

/** A browser with a session of its own, because the page renews its token. */
export interface Browser extends AsyncDisposable {
  readonly context: BrowserContext
  readonly page: Page
}

const FINDER = join(import.meta.dirname, '../../../tools/chromium')

/** Six times slower than this machine, on a slow connection. */
const OLD_PHONE = { slowdown: 6, latency: 150, bytesPerSecond: 200_000 }

export function hasBrowser(): boolean {
  return spawnSync('sh', [FINDER, '--whole']).status === 0
}

export async function openBrowser({ port, signIn }: Daemon, isOldPhone: boolean): Promise<Browser> {
  const token = await signIn()
  const browser = await chromium.launch({
    executablePath: execFileSync('sh', [FINDER, '--whole'], { encoding: 'utf8' }).trim(),
    // Chromium's sandbox does not work as root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: ['--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update'],
  })
  const origin = `http://127.0.0.1:${port}`
  const cookie = { name: 'auth', value: token, domain: '127.0.0.1', path: '/', expires: -1 }
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1280, height: 800 },
    storageState: {
      cookies: [{ ...cookie, httpOnly: true, secure: false, sameSite: 'Strict' }],
      origins: [{ origin, localStorage: [{ name: 'filemgr:token:', value: token }] }],
    },
  })
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  if (isOldPhone) await slowDown(page)
  return { context, page, [Symbol.asyncDispose]: async () => await browser.close() }
}

async function slowDown(page: Page): Promise<void> {
  const { slowdown, latency, bytesPerSecond } = OLD_PHONE
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await session.send('Network.enable')
  const line = { latency, downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond }
  await session.send('Network.emulateNetworkConditions', { offline: false, ...line })
}
