import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Row } from '../row.ts'
import type { Workbench } from '../workbench.ts'
import { watchShifts } from '../../helpers/browser/layout-shifts.ts'
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
    {
      name: 'page: what a change of folder moves',
      unit: 'shift',
      goal: { value: 0 },
      repeats: 1,
      run: async () => {
        await using browser = await openBrowser(daemon, true)
        return { value: await shiftsBetween(browser.page, data.folderOf(1000)) }
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

/** What moves while a folder of the root is opened, and the root again. */
async function shiftsBetween(page: Page, folder: string): Promise<number> {
  await secondsToRows(page, '/files/')
  // Until what is drawn after the rows is there.
  await setTimeout(5000)
  const entry = page.locator(`[data-entry="${folder}"]`)
  const stop = await watchShifts(page)
  await entry.dblclick()
  await entry.waitFor({ state: 'detached' })
  await page.locator('[data-entry]').first().waitFor()
  await page.goBack()
  await entry.waitFor()
  await setTimeout(1000)
  return (await stop()).score
}
