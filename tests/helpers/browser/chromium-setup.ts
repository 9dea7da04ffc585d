import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { chromium, type BrowserServer } from 'playwright-core'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** WebSocket addresses of the Chromium instances of this run. Each worker has its own, and so its own clipboard. */
    chromiums: readonly string[]
    /** Address of a whole Chromium, which shows notifications and PDF files. */
    wholeChromium: string
  }
}

/** Replaces the default list of Playwright, from which the tests need some features. */
const WITHOUT = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'MediaRouter'],
  ...['HttpsFirstBalancedModeAutoEnable', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'OptimizationHints'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'LensOverlay', 'NetworkTimeServiceQuerying', 'PreconnectToSearch'],
  // Each test has a profile of its own, so a process prepared for the next page is never used.
  'SpareRendererForSitePerProcess',
  // The address bar of each window would load two more pages, which costs as much as the tested page.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'AimEnabled'],
]

/** Starts a Chromium for each worker; vitest calls it before the first browser test and what it returns after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const workers = Array.from({ length: project.config.maxWorkers })
  const whole = await startChromium('--whole')
  const servers = await Promise.all(workers.map(async () => await startChromium()))
  project.provide('wholeChromium', whole.wsEndpoint())
  project.provide(
    'chromiums',
    servers.map((server) => server.wsEndpoint()),
  )
  return async () => {
    await Promise.all([whole, ...servers].map(async (server) => await server.close()))
  }
}

/** @param args for bin/chromium */
async function startChromium(...args: string[]): Promise<BrowserServer> {
  const finder = join(import.meta.dirname, '../../../bin/chromium')
  return await chromium.launchServer({
    executablePath: execFileSync('sh', [finder, ...args], { encoding: 'utf8' }).trim(),
    headless: true,
    // Without a locale Chromium cannot read dropped files whose names are not plain English.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    // Chromium refuses to run as root with its sandbox, as continuous integration does.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      ...['--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update'],
      ...['--disable-sync', '--no-first-run', '--no-default-browser-check', '--force-color-profile=srgb'],
      // Only local names are resolved, so tests cannot reach other hosts.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      `--disable-features=${WITHOUT.join(',')}`,
    ],
  })
}
