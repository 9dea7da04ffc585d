import type { Page } from 'playwright-core'

interface Shifts {
  /** Of the browser's measure: 0 if nothing that stayed was moved. */
  readonly score: number
  /** What was moved, as far as it can be named. */
  readonly moved: readonly string[]
}

/** Watches what the page moves until stopped. Unlike the figure of page tests, it includes what follows a click or key. */
export async function watchShifts(page: Page): Promise<() => Promise<Shifts>> {
  const watching = await page.evaluateHandle(() => {
    interface Shift extends PerformanceEntry {
      readonly value: number
      readonly sources: readonly { readonly node: Node | null }[]
    }
    const seen = { score: 0, moved: new Set<string>() }
    const take = (entries: PerformanceEntryList): void => {
      for (const { value, sources } of entries as Shift[]) {
        seen.score += value
        for (const { node } of sources)
          seen.moved.add(node?.textContent?.trim().slice(0, 40) || (node?.nodeName ?? '?'))
      }
    }
    const observer = new PerformanceObserver((list) => take(list.getEntries()))
    observer.observe({ type: 'layout-shift' })
    return { seen, rest: () => take(observer.takeRecords()) }
  })
  return async () =>
    await watching.evaluate(async ({ seen, rest }) => {
      // Shifts are reported with the frame after them.
      for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
      rest()
      return { score: seen.score, moved: [...seen.moved] }
    })
}
