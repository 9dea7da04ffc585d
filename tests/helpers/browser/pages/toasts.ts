import type { Locator, Page } from 'playwright-core'

/** A toast with this text. Others may tell screen readers the same, such as the panel of work that takes long. */
export function toastOf(page: Page, text: string): Locator {
  return page.locator('[data-sonner-toast]').getByRole('status').filter({ hasText: text })
}

/**
 * Toasts of this document stay until they are closed, however long the steps of a test take on a busy machine: no timer of a
 * second or more ends any more.
 */
export async function keepToasts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const setShortTimeout = window.setTimeout.bind(window)
    window.setTimeout = ((run: () => void, delay = 0) =>
      delay < 1000 ? setShortTimeout(run, delay) : 0) as typeof setTimeout
  })
}
