import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { eventually } from '../../helpers/patience.ts'

const open = pageOfFile()

const paneOf = (page: Page, side: 'start' | 'end') => page.locator(`[data-pane=${side}]`)
const entryIn = (pane: Locator, name: string) => pane.locator(`[data-entry=${JSON.stringify(name)}]`)
const namesIn = async (pane: Locator) =>
  await pane.locator('[data-entry]').evaluateAll((all) => all.map((each) => each.getAttribute('data-entry')))
const isActive = async (pane: Locator) => (await pane.getAttribute('aria-current')) === 'true'
const focused = async (page: Page) =>
  await page.evaluate(() => {
    const { activeElement } = document
    const pane = activeElement?.closest<HTMLElement>('[data-pane]')
    return [pane?.dataset['pane'], activeElement?.getAttribute('data-entry')]
  })
const addressOf = (page: Page) => {
  const { pathname, search } = new URL(page.url())
  return decodeURIComponent(pathname + search)
}
const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`a&b/file ${100 + index}.txt`, '']))

describe('two panes', () => {
  it('show two folders with their own ways and keys, keep both in the address, and exchange files', async () => {
    const files = { 'a&b/one.txt': '1', 'a&b/three.txt': '3', 'other/in/two.txt': '2', 'other/far.txt': '' }
    await using shown = await open(files, { folder: '/a&b/' })
    const { page, daemon } = shown
    const [start, end] = [paneOf(page, 'start'), paneOf(page, 'end')]
    await page.keyboard.press('F8')
    await entryIn(end, 'one.txt').waitFor()
    expect(addressOf(page)).toBe('/files/a&b/?end=/a&b/')
    expect([await isActive(start), await isActive(end)]).toEqual([true, false])
    await page.getByRole('region', { name: 'Pane 1: a&b' }).waitFor()
    await page.getByRole('region', { name: 'Pane 2: a&b' }).waitFor()

    // The pane that is used becomes the active one, and the address is that of its folder.
    await end.getByRole('navigation').getByRole('link', { name: 'My files' }).click()
    await entryIn(end, 'other').dblclick()
    await entryIn(end, 'in').waitFor()
    expect(addressOf(page)).toBe('/files/other/?start=/a&b/')
    expect([await isActive(start), await isActive(end)]).toEqual([false, true])
    expect(await page.title()).toMatch(/^other/)
    expect(await namesIn(start)).toEqual(['one.txt', 'three.txt'])

    // Each has its own selection and focus, and keys are for the active one.
    await entryIn(start, 'one.txt').click()
    await entryIn(end, 'in').click()
    await page.keyboard.press('F6')
    expect(await focused(page)).toEqual(['start', 'one.txt'])
    expect(addressOf(page)).toBe('/files/a&b/?end=/other/')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('F6')
    expect(await focused(page)).toEqual(['end', 'in'])
    await page.keyboard.press('Enter')
    await entryIn(end, 'two.txt').waitFor()
    expect(await entryIn(start, 'one.txt').getAttribute('aria-selected')).toBe('true')

    // Both follow what others do.
    await writeFile(join(daemon.root, 'a&b/four.txt'), '')
    await entryIn(start, 'four.txt').waitFor()
    await writeFile(join(daemon.root, 'other/in/five.txt'), '')
    await entryIn(end, 'five.txt').waitFor()

    await entryIn(end, 'two.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy to the other pane' }).click()
    await entryIn(start, 'two.txt').waitFor()
    expect(await namesIn(end)).toContain('two.txt')
    expect(await isActive(end)).toBe(true)

    await entryIn(start, 'three.txt').dragTo(end, { targetPosition: { x: 200, y: 400 } })
    await entryIn(end, 'three.txt').waitFor()
    await entryIn(start, 'three.txt').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await entryIn(start, 'three.txt').waitFor()

    // A name that is taken asks, as everywhere.
    await entryIn(start, 'two.txt').click()
    await page.keyboard.press('Control+c')
    await entryIn(end, 'two.txt').click()
    await page.keyboard.press('Control+v')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.reload()
    await entryIn(end, 'two.txt').waitFor()
    await entryIn(start, 'one.txt').waitFor()
    expect(addressOf(page)).toBe('/files/other/in/?start=/a&b/')
    await page.keyboard.press('Backspace')
    await entryIn(end, 'far.txt').waitFor()
    await page.goBack()
    await entryIn(end, 'two.txt').waitFor()
    await entryIn(start, 'one.txt').waitFor()

    // Without the room, the active one is alone.
    await page.setViewportSize({ width: 900, height: 700 })
    await start.waitFor({ state: 'detached' })
    await page.getByRole('grid', { name: 'Files' }).locator('[data-entry="two.txt"]').waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
    await entryIn(start, 'one.txt').waitFor()
    await start.getByRole('button', { name: 'Close this pane' }).click()
    await end.waitFor({ state: 'detached' })
    expect(addressOf(page)).toBe('/files/other/in/')
  })

  it('stay in place with scroll position, selection and filter, whichever is active, and when one is closed', async () => {
    await using shown = await open({ ...many, 'b/x.txt': '' }, { folder: '/a&b/' })
    const { page } = shown
    await entryIn(page.locator('main'), 'file 100.txt').click()
    const scroll = page.getByRole('grid', { name: 'Files' }).locator('..')
    await scroll.evaluate((list) => list.scrollTo(0, 800))
    await page.keyboard.press('F8')
    const [start, end] = [paneOf(page, 'start'), paneOf(page, 'end')]
    const list = start.getByRole('grid').locator('..')
    await expect.poll(async () => await list.evaluate(({ scrollTop }) => scrollTop)).toBe(800)
    await list.evaluate((element) => element.setAttribute('data-same', ''))
    await entryIn(end, 'file 100.txt').click()
    await page.keyboard.press('/')
    await page.keyboard.type('59')
    await expect.poll(async () => await namesIn(end)).toEqual(['file 159.txt'])
    expect(await isActive(end)).toBe(true)
    await page.keyboard.press('F6')
    expect(await isActive(start)).toBe(true)
    await page.keyboard.press('F8')
    await end.waitFor({ state: 'detached' })
    const left = page.locator('[data-same]')
    expect(await left.evaluate(({ scrollTop }) => scrollTop)).toBe(800)
    expect(await page.getByRole('toolbar', { name: 'Selection' }).count()).toBe(1)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-entry'))).toBe('file 100.txt')
  })

  it('open folders that a drag rests on, in either pane, and take the drop there', async () => {
    await using shown = await open({ 'a/one.txt': '1', 'b/deep/two.txt': '2' })
    const { page } = shown
    await page.goto('/files/a/?end=/b/')
    const [start, end] = [paneOf(page, 'start'), paneOf(page, 'end')]
    await entryIn(end, 'deep').waitFor()
    await entryIn(start, 'one.txt').hover()
    await page.mouse.down()
    const folder = await entryIn(end, 'deep').boundingBox()
    if (folder === null) throw new Error('the folder is not drawn')
    let step = 0
    await eventually(async () => {
      step = (step + 1) % 20
      await page.mouse.move(folder.x + 100 + step, folder.y + 10)
      expect(await namesIn(end)).toEqual(['two.txt'])
    })
    await page.mouse.move(folder.x + 120, folder.y + 300, { steps: 3 })
    await page.mouse.up()
    await entryIn(end, 'one.txt').waitFor()
    expect(await namesIn(start)).toEqual([])
    expect(addressOf(page)).toBe('/files/b/deep/?start=/a/')
  })

  it('close the one whose folder is not there', async () => {
    await using shown = await open({ 'a/one.txt': '' }, { expectedStatuses: [404] })
    const { page } = shown
    await page.goto('/files/a/?end=/gone/')
    await page.locator('[data-entry="one.txt"]').waitFor()
    await expect.poll(() => addressOf(page)).toBe('/files/a/')
  })
})
