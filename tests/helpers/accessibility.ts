import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Everything that axe finds wrong on the page as it is now: "rule: what to do (where)". */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // Colours on their way from one to another are nobody's choice.
  await page.evaluate('Promise.allSettled(document.getAnimations().map((animation) => animation.finished))')
  // Evaluated by the debugger, so the page's Content-Security-Policy stays as strict as it is for users.
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  const results = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} (${target.join(' ')}): ${failureSummary ?? ''}`),
  )
}
