import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { entryOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { measureListing, type ListingSpeed } from '../../helpers/browser/listing-speed.ts'
import { isLong } from '../../helpers/stress-size.ts'
import { quarters } from '../../helpers/samples/pictures.ts'
import { tempFolder, type TempFolder } from '../../helpers/temp-folder.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const SMALL = 100
const LARGE = isLong ? 100_000 : 20_000
const PICTURES = isLong ? 10_000 : 500
const MOST_NODES = 1500

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
      console.info(`${view}, ${SMALL}: ${inWords(small)}\n${view}, ${LARGE}: ${inWords(large)}`)
      expect(small.nodes).toBeLessThan(MOST_NODES)
      expect(large.nodes).toBeLessThan(MOST_NODES)
      // A selection that walked the entries would take two hundred times as long.
      expect(large.selectAll / small.selectAll).toBeLessThan(20)
      await entryOf(page, 'file 0.txt').focus()
      await page.keyboard.press('End')
      await entryOf(page, `file ${LARGE - 1}.txt`).waitFor()
      await page.goto('/files/')
    }
  })

  it(`shows ${PICTURES} pictures as smoothly as it shows names`, async () => {
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
      console.info(`${view}, ${PICTURES} pictures: ${inWords(speed)}`)
      expect(speed.nodes).toBeLessThan(MOST_NODES)
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

function inWords({ firstRows, selectAll, framesPerSecond, longestFrame, longestTask, nodes }: ListingSpeed): string {
  return [
    `first rows after ${firstRows.toFixed(0)} ms`,
    `${framesPerSecond.toFixed(0)} frames per second (longest ${longestFrame.toFixed(0)} ms)`,
    `longest task ${longestTask.toFixed(0)} ms`,
    `${nodes} elements`,
    `select all ${selectAll.toFixed(1)} ms`,
  ].join(', ')
}
