import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { entryOf, gridOf, selectedNames } from '../../helpers/browser/pages/files-page.ts'
import { inspectPicture, quarters, withExif } from '../../helpers/samples/pictures.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { openViewer, shownFile, eventually, viewerOf } from '../../helpers/browser/pages/viewer-page.ts'

/** Larger than any screen in the tests. */
const LARGE = [2000, 1600] as const

describe('a picture in the viewer', () => {
  it('leads to the other pictures, and after the last one back to the folder', async () => {
    const picture = await quarters(300, 200).png().toBuffer()
    await using daemon = await startTestServer({
      files: { 'a.png': picture, 'b.bin': '\0\u0001', 'c.png': picture, 'd.txt': 'words', 'folder/x.txt': '' },
    })
    await using browser = await openViewer(daemon, 'a.png')
    const { page } = browser
    const viewer = viewerOf(page)
    await viewer.getByRole('img', { name: 'a.png' }).waitFor()
    expect(await viewer.getByRole('button', { name: 'Previous' }).count()).toBe(0)
    await viewer.getByText('1 of 3').waitFor()

    await page.keyboard.press('ArrowRight')
    await viewer.getByRole('img', { name: 'c.png' }).waitFor()
    expect(page.url()).toBe(`${daemon.url}files/c.png`)
    await viewer.getByRole('navigation', { name: 'Images' }).getByRole('button', { name: 'c.png' }).waitFor()
    await viewer.getByRole('button', { name: 'Next' }).click()
    await viewer.getByRole('document', { name: 'd.txt' }).getByText('words').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.reload()
    await viewer.getByRole('img', { name: 'c.png' }).waitFor()

    // Browsing files replaces the history entry, so that Back leads to the folder.
    await page.goBack()
    await gridOf(page).waitFor()
    expect(page.url()).toBe(`${daemon.url}files/`)
    await entryOf(page, 'a.png').dblclick()
    await viewer.getByRole('img', { name: 'a.png' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await viewer.getByRole('img', { name: 'c.png' }).waitFor()
    await page.keyboard.press('Escape')
    await gridOf(page).waitFor()
    await eventually(async () => await selectedNames(page)).toEqual(['c.png'])
  })

  it('is turned and cropped by pointer and keys, and saved as a copy', async () => {
    const picture = await quarters(400, 200).png().toBuffer()
    await using daemon = await startTestServer({ files: { 'a.png': picture } })
    await using browser = await openViewer(daemon, 'a.png')
    const { page } = browser
    await viewerOf(page).getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit picture' }).click()
    const editor = page.getByRole('region', { name: 'Edit picture' })
    const size = editor.getByRole('status')
    const save = editor.getByRole('button', { name: 'Save as copy' })
    await eventually(async () => await size.textContent()).toBe('400 × 200')
    expect(await save.isDisabled()).toBe(true)
    await editor.getByRole('button', { name: 'Rotate right' }).click()
    await eventually(async () => await size.textContent()).toBe('200 × 400')
    await editor.getByRole('button', { name: '1:1' }).click()
    await eventually(async () => await size.textContent()).toBe('200 × 200')
    const area = editor.getByRole('button', { name: 'Part to keep' })
    const before = await boxOf(area)
    await area.focus()
    for (let press = 0; press < 6; press += 1) await page.keyboard.press('Shift+ArrowUp')
    await eventually(async () => (await boxOf(area)).y).toBeLessThan(before.y - 90)
    const corner = await boxOf(editor.getByRole('button', { name: 'Bottom right corner' }))
    await page.mouse.move(corner.x + corner.width / 2, corner.y + corner.height / 2)
    await page.mouse.down()
    await page.mouse.move(corner.x + corner.width / 2 - 100, corner.y + corner.height / 2 - 100, { steps: 4 })
    await page.mouse.up()
    await eventually(async () => await size.textContent()).toBe('100 × 100')
    await save.click()
    await eventually(async () => await shownFile(page)).toBe('a (edited).png')
    const saved = await inspectPicture(await readFile(join(daemon.root, 'a (edited).png')))
    // Turned to the right, the lower left quarter is at the top left.
    expect(saved).toMatchObject({ width: 100, height: 100, corners: ['blue', 'blue', 'blue', 'blue'] })
  })

  it('zooms around the pointer, in steps and by keys, is dragged and rotated', async () => {
    const picture = await quarters(...LARGE)
      .png()
      .toBuffer()
    await using daemon = await startTestServer({ files: { 'a.png': picture } })
    await using browser = await openViewer(daemon, 'a.png')
    const { page } = browser
    const image = viewerOf(page).getByRole('img', { name: 'a.png' })
    const level = viewerOf(page).getByRole('status', { name: 'Zoom level' })
    await eventually(async () => await level.textContent()).toBe('Fit')
    const fitted = await boxOf(image)

    const at = { x: fitted.x + fitted.width / 4, y: fitted.y + fitted.height / 4 }
    await page.mouse.dblclick(at.x, at.y)
    await eventually(async () => Math.round((await boxOf(image)).width)).toBe(Math.round(fitted.width * 2))
    const grown = await boxOf(image)
    expect(grown.x + grown.width / 4).toBeCloseTo(at.x, -1)
    expect(grown.y + grown.height / 4).toBeCloseTo(at.y, -1)
    await page.mouse.wheel(0, 100)
    await eventually(async () => (await boxOf(image)).width).toBeLessThan(fitted.width * 1.9)
    await page.keyboard.press('0')
    await eventually(async () => await boxOf(image)).toEqual(fitted)

    await page.mouse.dblclick(fitted.x + fitted.width / 2, fitted.y + fitted.height / 2)
    await eventually(async () => Math.round((await boxOf(image)).width)).toBe(Math.round(fitted.width * 2))
    const before = await boxOf(image)
    await page.mouse.move(600, 400)
    await page.mouse.down()
    await page.mouse.move(540, 380, { steps: 4 })
    await page.mouse.up()
    await eventually(async () => (await boxOf(image)).x).toBeLessThan(before.x - 30)

    await page.keyboard.press('r')
    await eventually(async () => (await boxOf(image)).height).toBeGreaterThan((await boxOf(image)).width)
    await page.keyboard.press('+')
    await eventually(async () => await level.textContent()).not.toBe('Fit')
  })

  it('is swiped by touch, and hides its bars after a while without input', async () => {
    const picture = await quarters(300, 200).png().toBuffer()
    await using daemon = await startTestServer({ files: { 'a.png': picture, 'b.png': picture } })
    await using browser = await openViewer(daemon, 'a.png', { hasTouch: true, viewport: { width: 400, height: 800 } })
    const { page, context } = browser
    await viewerOf(page).getByRole('img', { name: 'a.png' }).waitFor()
    // A headless browser may start with its pointer at the top left, over the bar.
    await page.mouse.move(200, 500)
    const touch = await context.newCDPSession(page)
    const send = async (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number) =>
      await touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: 300 }] })
    await send('touchStart', 350)
    for (const x of [300, 200, 100, 40]) await send('touchMove', x)
    await send('touchEnd', 40)
    await eventually(async () => await shownFile(page)).toBe('b.png')
    const bar = viewerOf(page).locator('header')
    await eventually(async () => await bar.evaluate((element) => getComputedStyle(element).opacity)).toBe('0')
    await page.keyboard.press('Tab')
    await eventually(async () => await bar.evaluate((element) => getComputedStyle(element).opacity)).toBe('1')
  })

  it('keeps tools visible that have the focus or the pointer', async () => {
    const picture = await quarters(300, 200).png().toBuffer()
    await using daemon = await startTestServer({ files: { 'a.png': picture, 'b.png': picture } })
    await using browser = await openViewer(daemon, 'a.png')
    const { page } = browser
    const next = viewerOf(page).getByRole('button', { name: 'Next' })
    const tools = viewerOf(page).getByRole('toolbar', { name: 'Zoom' })
    const opacity = async (of: Locator) => await of.evaluate((element) => getComputedStyle(element).opacity)
    await tools.getByRole('button', { name: 'Rotate' }).hover()
    await page.clock.install()
    await page.keyboard.press('Shift')
    await page.clock.runFor(5000)
    expect([await opacity(tools), await opacity(next)]).toEqual(['1', '1'])
    await page.mouse.move(600, 400)
    await next.focus()
    await page.keyboard.press('Shift')
    await page.clock.runFor(5000)
    expect(await opacity(next)).toBe('1')

    // Closing the details with their button moves the focus to the file.
    await page.keyboard.press('i')
    const details = viewerOf(page).getByRole('complementary', { name: 'Details' })
    await details.getByRole('button', { name: 'Close' }).focus()
    await page.keyboard.press('Enter')
    await details.waitFor({ state: 'detached' })
    expect(await viewerOf(page).evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('shows its camera data, and shows TIFF through a preview of the server', async () => {
    const jpeg = withExif(await quarters(300, 200).jpeg().toBuffer(), 1)
    const tiff = await quarters(64, 48).tiff().toBuffer()
    await using daemon = await startTestServer({ files: { 'a.jpg': jpeg, 'b.tiff': tiff } })
    await using browser = await openViewer(daemon, 'a.jpg')
    const { page } = browser
    await page.keyboard.press('i')
    const details = viewerOf(page).getByRole('complementary', { name: 'Details' })
    await details.getByText('300 × 200').waitFor()
    await details.getByRole('img', { name: 'Histogram' }).waitFor()
    await page.keyboard.press('ArrowRight')
    const image = viewerOf(page).getByRole('img', { name: 'b.tiff' })
    await image.waitFor()
    expect(await image.getAttribute('src')).toContain('/api/preview/big/b.tiff')
    await details.getByText('Browsers cannot show this format').waitFor()
  })

  it('of a phone is shown only if the server can decode it', async () => {
    const heic = Buffer.from('\0\0\0\x18ftypheic'.padEnd(600, '\0'), 'latin1')
    await using daemon = await startTestServer({ files: { 'a.heic': heic } })
    await using browser = await openViewer(daemon, 'a.heic')
    const asked = browser.page.waitForRequest(/\/api\/preview\/big\/a\.heic/)
    await browser.page.reload()
    await asked
    await viewerOf(browser.page).getByText('No preview available').waitFor()
  })

  it('that is cut off is shown as far as it goes', async () => {
    const jpeg = await quarters(1600, 800).jpeg({ quality: 95 }).toBuffer()
    await using daemon = await startTestServer({ files: { 'a.jpg': jpeg.subarray(0, jpeg.length * 0.6) } })
    await using browser = await openViewer(daemon, 'a.jpg')
    await viewerOf(browser.page).getByRole('img', { name: 'a.jpg' }).waitFor()
  })

  it('has light ground behind what is transparent, also in the dark', async () => {
    const drawing =
      '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M0 20h40" stroke="#000"/></svg>'
    await using daemon = await startTestServer({ files: { 'ink.svg': drawing } })
    await using browser = await openViewer(daemon, 'ink.svg', { colorScheme: 'dark' })
    const picture = viewerOf(browser.page).getByRole('img', { name: 'ink.svg' })
    await picture.waitFor()
    const ground = await picture.evaluate((image) => getComputedStyle(image).backgroundImage)
    expect(ground).toMatch(/conic-gradient\(rgb\(2\d\d/)
  })

  it('says that it is damaged, and still leads to the next one', async () => {
    const picture = await quarters(30, 20).png().toBuffer()
    await using daemon = await startTestServer({ files: { 'a.png': 'no picture at all', 'b.png': picture } })
    await using browser = await openViewer(daemon, 'a.png', { expectedStatuses: [415] })
    const { page } = browser
    await viewerOf(page).getByRole('alert').getByText('It may be damaged').waitFor()
    await viewerOf(page).getByRole('alert').getByRole('button', { name: 'Download' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await viewerOf(page).getByRole('img', { name: 'b.png' }).waitFor()
  })
})

async function boxOf(image: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  return (await image.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
}
