import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

interface Checked {
  /** Only these rules, such as "color-contrast" once nothing but the colours has changed. */
  readonly rules?: readonly string[]
  /** Only inside elements with one of these selectors. */
  readonly inside?: readonly string[] | undefined
}

/** All accessibility violations that axe finds on the current page: "rule: what to do (where)". */
export async function accessibilityProblems(page: Page, { rules, inside }: Checked = {}): Promise<string[]> {
  await page.evaluate(afterAnimations)
  // Evaluated by the debugger, so the page's Content-Security-Policy stays as strict as it is for users.
  if (!(await page.evaluate('"axe" in window'))) {
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  }
  const options = {
    // Reporting the rules that passed would take almost as long as checking them.
    reporter: 'no-passes',
    ...(rules ? { runOnly: rules } : { rules: { 'target-size': { enabled: true } } }),
  }
  const context = inside === undefined ? 'document' : JSON.stringify({ include: inside })
  const results = await page.evaluate<AxeResults>(`axe.run(${context}, ${JSON.stringify(options)})`)
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} (${target.join(' ')}): ${failureSummary ?? ''}`),
  )
}

/** The problems of a state of the page on a desktop and on a phone, in both colour schemes, and whether it is too wide there. */
export async function problemsEverywhere(page: Page): Promise<string[]> {
  const [size, found] = [page.viewportSize(), [] as string[]]
  for (const [width, colorScheme] of [
    [1280, 'dark'],
    [400, 'dark'],
    [400, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    found.push(...(await accessibilityProblems(page)).map((fault) => `${width}, ${colorScheme}: ${fault}`))
    if (await page.evaluate(isTooWide)) found.push(`${width}: wider than the screen`)
  }
  await page.emulateMedia({ colorScheme: null })
  if (size !== null) await page.setViewportSize(size)
  return [...found, ...(await accessibilityProblems(page))]
}

/** Runs in the page. Whether it, or the part of it that scrolls, can be moved sideways. */
export function isTooWide(): boolean {
  const parts: Element[] = []
  for (let part: Element | null = document.querySelector('main'); part !== null; part = part.parentElement)
    parts.push(part)
  return [document.documentElement, ...parts].some((part) => part.scrollWidth > part.clientWidth)
}

/** Waits for animations that end: colours in the middle of a transition would be false alarms. */
async function afterAnimations(): Promise<void> {
  const ending = document.getAnimations().filter(({ playState, effect }) => {
    return playState === 'running' && effect?.getComputedTiming().endTime !== Infinity
  })
  await Promise.allSettled(ending.map((animation) => animation.finished))
}
