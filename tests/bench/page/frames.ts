import type { Page } from 'playwright-core'

export interface Frames {
  readonly perSecond: number
  /** Milliseconds. */
  readonly longest: number
}

/** Counts the frames that the page draws until stopped. */
export async function countFrames(page: Page): Promise<() => Promise<Frames>> {
  const counting = await page.evaluateHandle(() => {
    const counted = { frames: 0, longest: 0, start: performance.now(), last: performance.now() }
    const next = (now: number): void => {
      counted.frames += 1
      counted.longest = Math.max(counted.longest, now - counted.last)
      counted.last = now
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
    return counted
  })
  return async () =>
    await counting.evaluate(({ frames, longest, start, last }) => ({
      perSecond: (frames * 1000) / (last - start),
      longest,
    }))
}

/** Repeatedly scrolls the list by a screen, like someone looking for a picture. */
export async function scrollList(page: Page, seconds: number): Promise<void> {
  await page.evaluate(async (duration) => {
    const list = document.querySelector('[role="grid"]')?.parentElement
    if (!list) throw new Error('there is no list')
    const end = performance.now() + duration
    while (performance.now() < end) {
      list.scrollBy(0, 60)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  }, seconds * 1000)
}
