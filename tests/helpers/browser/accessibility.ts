import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/**
 * All accessibility violations that axe finds on the current page: "rule: what to do (where)". With `rules` it looks for these
 * only, such as for "color-contrast" once nothing but the colours has changed.
 */
export async function accessibilityProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Colours in the middle of a transition would be false alarms.
  await page.evaluate('Promise.allSettled(document.getAnimations().map((animation) => animation.finished))')
  // Evaluated by the debugger, so the page's Content-Security-Policy stays as strict as it is for users.
  if (!(await page.evaluate('"axe" in window'))) {
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  }
  const options = {
    resultTypes: ['violations'],
    ...(rules ? { runOnly: rules } : { rules: { 'target-size': { enabled: true } } }),
  }
  const results = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} (${target.join(' ')}): ${failureSummary ?? ''}`),
  )
}
