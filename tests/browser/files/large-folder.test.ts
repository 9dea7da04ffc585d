import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { entryOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { isLong } from '../../helpers/stress-size.ts'
import { quarters } from '../../helpers/samples/pictures.ts'
import { tempFolder, type TempFolder } from '../../helpers/temp-folder.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import type { Page } from 'playwright-core'

const SMALL = 100
const LARGE = isLong ? 100_000 : 20_000
const PICTURES = isLong ? 10_000 : 500
const MAX_NODES = 1500

describe('a large folder', () => {
  it(`shows ${LARGE} entries with as few elements as ${SMALL}, and selects all of them as fast`, async () => {
    await using folder = await tempFolder()
    await fill(folder, 'small', SMALL)
    await fill(folder, 'large', LARGE)
    await using daemon = await startTestServer({ root: folder.path })
    await using browser = await openFiles(daemon)
    const { page } = browser
    for (const view of ['List', 'Mosaic']) {
      await page.getByRole('button', { name: view, exact: true }).click()
      await page.getByRole('button', { name: view, exact: true, pressed: true }).waitFor()
      const small = await measureListing(page, '/files/small/')
      const large = await measureListing(page, '/files/large/')
      console.info(`${view}, ${SMALL}: ${textOf(small)}\n${view}, ${LARGE}: ${textOf(large)}`)
      expect(small.nodes).toBeLessThan(MAX_NODES)
      expect(large.nodes).toBeLessThan(MAX_NODES)
      // Selecting entry by entry would take two hundred times as long.
      expect(large.selectAll / small.selectAll).toBeLessThan(20)
      await entryOf(page, 'file 0.txt').focus()
      await page.keyboard.press('End')
      await entryOf(page, `file ${LARGE - 1}.txt`).waitFor()
      await page.goto('/files/')
    }
  })

  it(`scrolls ${PICTURES} pictures as smoothly as names`, async () => {
    await using folder = await tempFolder()
    await mkdir(folder.at('pictures'))
    const picture = await quarters(1600, 1200).jpeg().toBuffer()
    await writeFile(folder.at('one.jpg'), picture)
    for (let index = 0; index < PICTURES; index += 1) {
      await copyFile(folder.at('one.jpg'), folder.at(`pictures/picture ${index}.jpg`))
    }
    await using daemon = await startTestServer({ root: folder.path })
    await using browser = await openFiles(daemon)
    const { page } = browser
    for (const view of ['List', 'Mosaic', 'Gallery']) {
      await page.getByRole('button', { name: view, exact: true }).click()
      await page.getByRole('button', { name: view, exact: true, pressed: true }).waitFor()
      const speed = await measureListing(page, '/files/pictures/')
      console.info(`${view}, ${PICTURES} pictures: ${textOf(speed)}`)
      expect(speed.nodes).toBeLessThan(MAX_NODES)
      await page.goto('/files/')
    }
  })
})

async function fill(folder: TempFolder, name: string, count: number): Promise<void> {
  await mkdir(folder.at(name))
  const one = async (index: number) => await writeFile(folder.at(`${name}/file ${index}.txt`), '')
  for (let start = 0; start < count; start += 1000) {
    await Promise.all(Array.from({ length: Math.min(1000, count - start) }, async (_, step) => await one(start + step)))
  }
}

function textOf({ firstRows, selectAll, framesPerSecond, longestFrame, longestTask, nodes }: ListingSpeed): string {
  return [
    `first rows after ${firstRows.toFixed(0)} ms`,
    `${framesPerSecond.toFixed(0)} frames per second (longest ${longestFrame.toFixed(0)} ms)`,
    `longest task ${longestTask.toFixed(0)} ms`,
    `${nodes} elements`,
    `select all ${selectAll.toFixed(1)} ms`,
  ].join(', ')
}

/** Cost of showing a folder. Times are in milliseconds, the best of several rounds if there are several. */
export interface ListingSpeed {
  readonly firstRows: number
  readonly selectAll: number
  readonly framesPerSecond: number
  readonly longestFrame: number
  /** The longest task since the first byte; 0 if none took more than 50 ms. */
  readonly longestTask: number
  /** The highest number of elements in the page: at the top, in the middle, at the end and while scrolling. */
  readonly nodes: number
}

const ROUNDS = 7

/** Opens a folder in a signed-in page, scrolls through it and selects everything. */
export async function measureListing(page: Page, address: string): Promise<ListingSpeed> {
  await page.goto(address)
  await page.locator('[data-entry]').first().waitFor()
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

/** Runs in the page: the time from Ctrl+A until the visible rows are marked as selected. */
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
