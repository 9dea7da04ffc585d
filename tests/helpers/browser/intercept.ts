import type { Page } from 'playwright-core'

/**
 * `page.route` for a page that is already open. Chromium may still let through requests for a moment after that resolves, so
 * this also waits until one has been intercepted.
 */
export async function intercept(page: Page, ...[url, handler]: Parameters<Page['route']>): Promise<void> {
  await page.route(url, handler)
  const probe = '**/health?probe'
  await page.route(probe, async (route) => await route.fulfill({ body: 'intercepted' }))
  await page.waitForFunction(async () => {
    const answer = await fetch('/health?probe', { cache: 'no-store' })
    return (await answer.text()) === 'intercepted'
  })
  await page.unroute(probe)
}
