import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Row } from '../row.ts'
import type { Workbench } from '../workbench.ts'
import { openBrowser } from './browser.ts'
import { countFrames, scrollList } from './frames.ts'
import { uploadByPage } from './upload.ts'

const FILES = 10_000
const SCROLLED = 20

/** The page on an old phone with a slow connection, and a large upload from a computer. */
export function pageRows(workbench: Workbench): Row[] {
  const { data, daemon } = workbench
  const listed = () => `/files/${data.folderOf(1000)}/`
  return [
    {
      name: 'page: list of 1000 files, first visit',
      unit: 's',
      goal: { value: 5 },
      repeats: 3,
      run: async () => {
        await using browser = await openBrowser(daemon, true)
        return { value: await secondsToRows(browser.page, listed()) }
      },
    },
    {
      name: 'page: list of 1000 files, later visit',
      unit: 's',
      goal: { value: 1.5 },
      repeats: 3,
      run: async () => {
        await using browser = await openBrowser(daemon, true)
        await secondsToRows(browser.page, listed())
        // Meanwhile the page prefetches everything into the cache.
        await setTimeout(10_000)
        return { value: await secondsToRows(browser.page, listed()) }
      },
    },
    {
      name: 'page: longest frame, scrolling through 10k pictures',
      unit: 'ms',
      goal: { value: 1000 },
      repeats: 1,
      run: async () => {
        const folder = await data.smallPictures(FILES)
        await using browser = await openBrowser(daemon, true)
        await secondsToRows(browser.page, `/files/${folder}/`)
        const frames = await countFrames(browser.page)
        await scrollList(browser.page, SCROLLED)
        return { value: (await frames()).longest }
      },
    },
    ...uploadRows(),
  ]

  function uploadRows(): Row[] {
    let framesPerSecond = 0
    return [
      {
        name: 'page: upload of 10k files',
        unit: 'files/s',
        goal: { value: 1000 },
        repeats: 1,
        run: async () => {
          const { frames, ...sample } = await uploadByPage(workbench)
          framesPerSecond = frames
          return sample
        },
      },
      {
        name: 'page: frames meanwhile',
        unit: 'frames/s',
        goal: { value: 60 },
        repeats: 1,
        run: async () => await Promise.resolve({ value: framesPerSecond }),
      },
    ]
  }
}

async function secondsToRows(page: Page, address: string): Promise<number> {
  await page.goto(address, { waitUntil: 'commit' })
  await page.locator('[data-entry]').first().waitFor()
  return (await page.evaluate<number>('performance.now()')) / 1000
}
