import type { Page } from 'playwright-core'

/** Records what screen readers are told from now on. Returns a function that gets it, because the next text replaces one. */
export async function recordAnnouncements(page: Page): Promise<() => Promise<readonly string[]>> {
  const recorded = await page.evaluateHandle(() => {
    const announced: string[] = []
    const region = document.querySelector('.visually-hidden[aria-live]')
    const listen = new MutationObserver(() => announced.push(region?.textContent.trim() ?? ''))
    if (region) listen.observe(region, { childList: true, characterData: true, subtree: true })
    return announced
  })
  return async () => await recorded.jsonValue()
}
