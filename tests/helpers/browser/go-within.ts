import type { Page } from 'playwright-core'

/** Opens an address without loading the page again, as its links do. */
export async function goWithin(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    const state = { key: crypto.randomUUID(), index: history.length }
    history.pushState(state, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state }))
  }, address)
}
