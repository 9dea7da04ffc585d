import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** WebSocket address of the one Chromium of this run. */
    chromium: string
  }
}

/** In place of the list that Playwright gives, of which the tests need these. */
const WITHOUT = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'MediaRouter'],
  ...['HttpsFirstBalancedModeAutoEnable', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'OptimizationHints'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'LensOverlay', 'NetworkTimeServiceQuerying', 'PreconnectToSearch'],
  // The address bar of each window would load two pages of its own, which costs as much as the page that is tested.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'AimEnabled'],
]

/** Starts one Chromium for all browser tests; vitest calls it before the first of them and what it returns after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const finder = join(import.meta.dirname, '../../../bin/chromium')
  const server = await chromium.launchServer({
    executablePath: execFileSync('sh', [finder], { encoding: 'utf8' }).trim(),
    headless: true,
    // Without a locale Chromium cannot read dropped files whose names are not plain English.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    // Chromium refuses to run as root with its sandbox, as continuous integration does.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      ...['--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--disable-component-update'],
      ...['--disable-sync', '--no-first-run', '--no-default-browser-check', '--force-color-profile=srgb'],
      `--disable-features=${WITHOUT.join(',')}`,
    ],
  })
  project.provide('chromium', server.wsEndpoint())
  return async () => await server.close()
}
