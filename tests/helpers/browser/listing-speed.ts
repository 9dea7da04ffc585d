import type { Page } from 'playwright-core'

/** What a folder costs in the page. Times in milliseconds, of the best of several rounds where there are several. */
export interface ListingSpeed {
  readonly firstRows: number
  readonly selectAll: number
  readonly framesPerSecond: number
  readonly longestFrame: number
  /** The longest that the page was busy at a time, from its first byte on; 0 when never for more than 50 ms. */
  readonly longestTask: number
  /** Elements of the whole page: the most of those at the top, in the middle, at the end and while scrolling. */
  readonly nodes: number
}

const ROUNDS = 7

/** Opens a folder with the session that the page has, scrolls through it and selects everything. */
export async function measureListing(page: Page, address: string): Promise<ListingSpeed> {
  await page.goto(address)
  await page.locator('[data-entry]').first().waitFor({ timeout: 60_000 })
  const firstRows = await page.evaluate<number>('performance.now()')
  const scrolled = await page.evaluate(scroll)
  const selectAll = await page.evaluate(selectAllTime, ROUNDS)
  const longestTask = await page.evaluate(longestTaskSoFar)
  return { firstRows, selectAll, longestTask, ...scrolled }
}

/** Runs in the page. */
async function longestTaskSoFar(): Promise<number> {
  return await new Promise((resolve) => {
    new PerformanceObserver((list, observer) => {
      observer.disconnect()
      resolve(Math.max(...list.getEntries().map(({ duration }) => duration)))
    }).observe({ type: 'longtask', buffered: true })
    setTimeout(() => resolve(0), 200)
  })
}

/** Runs in the page: scrolls for two seconds with every frame, then to the middle and the end. */
async function scroll() {
  const frame = async () => await new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const list = document.querySelector('[role="grid"]')?.parentElement
  if (!list) throw new Error('there is no listing')
  const count = () => document.querySelectorAll('*').length
  let nodes = count()
  let longestFrame = 0
  let frames = 0
  const start = await frame()
  for (let last = start; last - start < 2000; frames += 1) {
    list.scrollBy(0, 120)
    const now = await frame()
    longestFrame = Math.max(longestFrame, now - last)
    last = now
    if (frames % 10 === 0) nodes = Math.max(nodes, count())
  }
  const framesPerSecond = frames / 2
  for (const part of [0.5, 1, 0]) {
    list.scrollTop = list.scrollHeight * part
    await frame()
    await frame()
    nodes = Math.max(nodes, count())
  }
  return { framesPerSecond, longestFrame, nodes }
}

/** Runs in the page: how long Ctrl+A takes until the rows in view say that they are selected. */
async function selectAllTime(rounds: number): Promise<number> {
  const row = () => document.querySelector('[data-entry]')
  const press = async (key: string, ctrlKey: boolean, selected: string): Promise<number> => {
    const begin = performance.now()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }))
    while (row()?.getAttribute('aria-selected') !== selected) await new Promise((resolve) => setTimeout(resolve))
    return performance.now() - begin
  }
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds; round += 1) {
    best = Math.min(best, await press('a', true, 'true'))
    await press('Escape', false, 'false')
  }
  return best
}
