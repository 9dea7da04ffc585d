import type { Page } from 'playwright-core'

/** What the rules of a page say, from the first to the last. Read at once: one of them may go at any time. */
export async function patterns(page: Page): Promise<string[]> {
  return await page
    .getByRole('textbox', { name: /^Pattern of rule/ })
    .evaluateAll((fields: HTMLInputElement[]) => fields.map(({ value }) => value))
}
