import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { dropFiles } from '../../helpers/browser/drag.ts'
import type { Row } from '../row.ts'
import type { Workbench } from '../workbench.ts'
import { openBrowser } from './browser.ts'
import { countFrames, scrollList } from './frames.ts'

const FILES = 10_000
const SCROLLED = 20
/** Milliseconds for the upload. */
const UPLOAD_TIMEOUT = 300_000

/** The page on an old phone with a slow connection, and a large upload from a computer. */
export function pageRows({ data, daemon, at }: Workbench): Row[] {
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
        goal: { value: 500 },
        repeats: 1,
        run: async () => {
          const source = at('sent')
          mkdirSync(source)
          for (let index = 0; index < FILES; index += 1) writeFileSync(join(source, `${index}.txt`), 'x'.repeat(1000))
          mkdirSync(join(data.root, 'received'))
          await using browser = await openBrowser(daemon, false)
          const { page } = browser
          await page.goto('/files/received/')
          await dropFiles(page.locator('main'), [source])
          const frames = await countFrames(page)
          const { result, ...costs } = await daemon.meter.during(async () => {
            const start = performance.now()
            const arrived = join(data.root, 'received/sent')
            while (count(arrived) < FILES) {
              if (performance.now() - start > UPLOAD_TIMEOUT)
                throw new Error(`only ${count(arrived)} of ${FILES} files have arrived`)
              await setTimeout(100)
            }
            return (performance.now() - start) / 1000
          })
          framesPerSecond = (await frames()).perSecond
          return { value: FILES / result, ...costs }
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

/** Complete files; unfinished uploads have hidden names. */
function count(folder: string): number {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.')).length
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
