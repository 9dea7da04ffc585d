import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { entryOf, openFiles, selectedNames } from '../helpers/files-page.ts'
import { startTestDaemon } from '../helpers/test-daemon.ts'

const FILES = { 'other.txt': 'o', 'third.txt': 't', 'box/inner/x.txt': '' }

describe('a drag', () => {
  it('opens the folders that it rests on, and a file may leave the page', async () => {
    await using daemon = await startTestDaemon({ files: FILES })
    await using browser = await openFiles(daemon)
    const { page } = browser
    await pageIsWhole(page)
    await page.evaluate(() => {
      addEventListener('dragstart', ({ dataTransfer }) => {
        document.title = dataTransfer?.getData('DownloadURL') ?? ''
      })
    })
    const from = await middleOf(entryOf(page, 'other.txt'))
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    const box = await middleOf(entryOf(page, 'box'))
    await page.mouse.move(box.x + 4, box.y + 4, { steps: 8 })
    await page.mouse.move(box.x, box.y, { steps: 4 })
    expect(await page.title()).toBe(
      `application/octet-stream:other.txt:${new URL('/api/raw/other.txt', daemon.url).href}`,
    )
    await entryOf(page, 'inner').waitFor()
    const inner = await middleOf(entryOf(page, 'inner'))
    await page.mouse.move(inner.x + 4, inner.y + 4, { steps: 8 })
    await page.mouse.move(inner.x, inner.y, { steps: 4 })
    await page.getByText('Move 1 item to “inner”').waitFor()
    await page.mouse.up()
    await expect.poll(() => existsSync(join(daemon.root, 'box/inner/other.txt'))).toBe(true)
  })

  it('is made by a finger that rests first, and what is cut is pale', async () => {
    await using daemon = await startTestDaemon({ files: FILES })
    await using browser = await openFiles(daemon, { hasTouch: true, viewport: { width: 400, height: 700 } })
    const { page } = browser
    await pageIsWhole(page)
    const session = await page.context().newCDPSession(page)
    const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
      await session.send('Input.dispatchTouchEvent', { type, touchPoints: at === undefined ? [] : [at] })
    const from = await middleOf(entryOf(page, 'other.txt'))
    const box = await middleOf(entryOf(page, 'box'))
    await touch('touchStart', from)
    await expect.poll(async () => await selectedNames(page)).toEqual(['other.txt'])
    for (let step = 1; step <= 10; step += 1) {
      await touch('touchMove', {
        x: from.x + ((box.x - from.x) * step) / 10,
        y: from.y + ((box.y - from.y) * step) / 10,
      })
    }
    await page.getByText('Move 1 item to “box”').waitFor()
    await touch('touchEnd')
    await expect.poll(() => existsSync(join(daemon.root, 'box/other.txt'))).toBe(true)

    const third = entryOf(page, 'third.txt')
    await third.focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('Control+x')
    const opacity = async () => await third.evaluate((row) => getComputedStyle(row).opacity)
    await expect.poll(opacity).toBe('0.6')
    await page.keyboard.press('Control+c')
    await expect.poll(opacity).toBe('1')
  })
})

async function middleOf(what: Locator): Promise<{ x: number; y: number }> {
  const box = await what.boundingBox()
  if (box === null) throw new Error('what is dragged or dropped on is not visible')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** What comes after the first rows is there: it says what a drag would do. */
async function pageIsWhole(page: Page): Promise<void> {
  const menu = page.getByRole('menu', { name: 'Folder actions' })
  await page.getByRole('button', { name: 'More folder actions' }).click()
  await menu.waitFor()
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
}
