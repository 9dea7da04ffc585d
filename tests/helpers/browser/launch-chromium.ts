import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

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

/**
 * Starts a Chromium that ends with this process.
 *
 * @param args for tools/chromium
 */
export async function launchChromium(...args: string[]): Promise<Browser> {
  const finder = join(import.meta.dirname, '../../../tools/chromium')
  return await chromium.launch({
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
