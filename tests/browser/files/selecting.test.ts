import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fingerOn, middleOf } from '../../helpers/browser/drag.ts'
import { entryOf, gridOf, openFiles, waitForWholePage, selectedNames } from '../../helpers/browser/pages/files-page.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const NAMES = ['alpha.txt', 'beta.txt', 'gamma.txt', 'garden.txt', 'zeta.txt']
const FILES = { 'music/song.txt': '', ...Object.fromEntries(NAMES.map((name) => [name, name])) }

const open = pageOfFile()

describe('the selection', () => {
  it('grows and shrinks by keys, which also find names and open menus', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    await waitForWholePage(page)
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await entryOf(page, 'music').focus()
    await press(page, 'ArrowDown', 'Control+Space', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown')
    await expect.poll(async () => await selectedNames(page)).toEqual(NAMES.slice(0, 4))
    await press(page, 'Shift+ArrowUp', 'Shift+ArrowUp')
    await expect.poll(async () => await selectedNames(page)).toEqual(NAMES.slice(0, 2))
    await press(page, 'Shift+End')
    await expect.poll(async () => await selectedNames(page)).toEqual(NAMES)
    await press(page, 'Shift+Home')
    await expect.poll(async () => await selectedNames(page)).toEqual(['music', 'alpha.txt'])
    await press(page, 'Escape', 'PageDown')
    await expect.poll(async () => await focusedName(page)).toBe('zeta.txt')
    await press(page, 'PageUp')
    await expect.poll(async () => await focusedName(page)).toBe('music')
    await press(page, 'g', 'ArrowDown')
    await expect.poll(async () => await focusedName(page)).toBe('garden.txt')
    expect(await selectedNames(page)).toEqual([])

    await press(page, 'Shift+F10')
    const menu = page.getByRole('menu', { name: 'Selection actions' })
    await menu.getByRole('menuitem', { name: 'Details' }).waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'detached' })
    await expect.poll(async () => await focusedName(page)).toBe('garden.txt')
    const download = page.waitForEvent('download')
    await press(page, 'Control+s')
    expect((await download).suggestedFilename()).toBe('garden.txt')
    await press(page, 'Alt+Enter')
    await page.getByRole('dialog', { name: /garden\.txt|Details/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(async () => await focusedName(page)).toBe('garden.txt')
    await press(page, 'Home', 'Enter')
    await entryOf(page, 'song.txt').waitFor()
    await press(page, 'Alt+ArrowUp')
    await expect.poll(async () => await selectedNames(page)).toEqual(['music'])
  })

  it('is not needed for the keys of the row that they moved to', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    await waitForWholePage(page)
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await entryOf(page, 'music').focus()
    await press(page, 'ArrowDown', 'ArrowDown')
    await expect.poll(async () => await focusedName(page)).toBe('beta.txt')
    await press(page, 'Alt+Enter')
    const details = page.getByRole('dialog', { name: 'Details' })
    await details.getByText('beta.txt').first().waitFor()
    await press(page, 'Escape')
    await details.waitFor({ state: 'detached' })

    await press(page, 'Escape', 'ArrowDown')
    await expect.poll(async () => await focusedName(page)).toBe('gamma.txt')
    await press(page, 'F2')
    await expect.poll(async () => await page.locator('[data-renaming] input').inputValue()).toBe('gamma.txt')
    await press(page, 'Escape')
    await page.locator('[data-renaming]').waitFor({ state: 'detached' })

    await press(page, 'Escape', 'ArrowDown')
    await expect.poll(async () => await focusedName(page)).toBe('garden.txt')
    await press(page, 'Delete')
    await entryOf(page, 'garden.txt').waitFor({ state: 'detached' })
    await entryOf(page, 'gamma.txt').waitFor()
  })

  it('is moved by typing a name; a pause starts a new name', async () => {
    const names = [
      'Café.txt',
      'cab.txt',
      'caé b.txt',
      'car.txt',
      'day 1.txt',
      'day 2.txt',
      'dog.txt',
      'mn.txt',
      'moon.txt',
      'music.txt',
    ]
    await using daemon = await startTestServer({ files: Object.fromEntries(names.map((name) => [name, ''])) })
    await using browser = await openFiles(daemon)
    const { page } = browser
    await waitForWholePage(page)
    await page.clock.install()
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000))
    await entryOf(page, 'dog.txt').focus()
    const leadTo = async (name: string, ...keys: string[]) => {
      await press(page, ...keys)
      await expect.poll(async () => await focusedName(page)).toBe(name)
    }
    await leadTo('cab.txt', 'c')
    await leadTo('cab.txt', 'a')
    await leadTo('car.txt', 'r')
    // No name continues like this, so the focus stays.
    await leadTo('car.txt', 'x')
    await page.clock.fastForward(1000)
    await leadTo('dog.txt', 'd', 'o')
    await page.clock.fastForward(1000)
    await leadTo('Café.txt', 'C', 'A', 'F')
    await page.clock.fastForward(1000)
    for (const name of ['mn.txt', 'moon.txt', 'music.txt', 'mn.txt']) await leadTo(name, 'm')
    await page.clock.fastForward(1000)
    await leadTo('day 2.txt', 'd', 'a', 'y', 'Space', '2')
    expect(await selectedNames(page)).toEqual([])
    await press(page, 'Control+Space')
    await expect.poll(async () => await selectedNames(page)).toEqual(['day 2.txt'])
  })

  it('follows the mouse: ranges turn and shrink, empty space clears it, and Ctrl adds single entries', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    await waitForWholePage(page)
    await page.getByRole('button', { name: 'Mosaic', exact: true, pressed: true }).waitFor()
    const click = async (name: string, ...modifiers: ('Shift' | 'Control')[]) =>
      await entryOf(page, name).click({ modifiers })
    await click('beta.txt')
    await click('zeta.txt', 'Shift')
    await expect.poll(async () => await selectedNames(page)).toEqual(NAMES.slice(1))
    await click('gamma.txt', 'Shift')
    await expect.poll(async () => await selectedNames(page)).toEqual(['beta.txt', 'gamma.txt'])
    await click('alpha.txt', 'Shift')
    await expect.poll(async () => await selectedNames(page)).toEqual(['alpha.txt', 'beta.txt'])
    await click('garden.txt', 'Control')
    await click('zeta.txt', 'Control', 'Shift')
    await expect
      .poll(async () => await selectedNames(page))
      .toEqual(['alpha.txt', 'beta.txt', 'garden.txt', 'zeta.txt'])
    await click('beta.txt', 'Control')
    await expect.poll(async () => await selectedNames(page)).toEqual(['alpha.txt', 'garden.txt', 'zeta.txt'])
    await clickBeside(page)
    await expect.poll(async () => await selectedNames(page)).toEqual([])

    await page.getByRole('button', { name: 'Select items' }).click()
    await click('zeta.txt')
    await click('alpha.txt')
    await expect.poll(async () => await selectedNames(page)).toEqual(['alpha.txt', 'zeta.txt'])
    await click('zeta.txt')
    await expect.poll(async () => await selectedNames(page)).toEqual(['alpha.txt'])
    await page.setViewportSize({ width: 1280, height: 640 })
    await entryOf(page, 'gamma.txt').click({ button: 'right' })
    // The menu fits on the screen even with the pointer at the bottom.
    await page.getByRole('menuitem', { name: 'Clear selection' }).waitFor()
    expect(await page.getByRole('menu').evaluate((menu) => menu.scrollHeight - menu.clientHeight)).toBe(0)
    await page.getByRole('menuitem', { name: 'Clear selection' }).click()
    await expect.poll(async () => await selectedNames(page)).toEqual([])
  })

  it('starts with a long press and then grows with taps; a tap alone opens', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon, { hasTouch: true, viewport: { width: 400, height: 700 } })
    const { page } = browser
    await waitForWholePage(page)
    const finger = await fingerOn(page)
    await finger.press(await middleOf(entryOf(page, 'beta.txt')))
    await expect.poll(async () => await selectedNames(page)).toEqual(['beta.txt'])
    await finger.lift()
    await entryOf(page, 'zeta.txt').tap()
    await expect.poll(async () => await selectedNames(page)).toEqual(['beta.txt', 'zeta.txt'])
    await page.getByText('2 selected').first().waitFor()
    await entryOf(page, 'beta.txt').tap()
    await entryOf(page, 'zeta.txt').tap()
    await expect.poll(async () => await selectedNames(page)).toEqual([])
    await entryOf(page, 'music').tap()
    await entryOf(page, 'song.txt').waitFor()
  })

  it('is restored with the scroll position when the user comes back', async () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${1000 + index}.txt`, '']))
    await using shown = await open({ ...many, 'm1150x/inside.txt': '' })
    const { page } = shown
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await page.getByRole('button', { name: 'List', exact: true, pressed: true }).waitFor()
    await entryOf(page, 'm1150x').focus()
    await press(page, 'End', 'PageUp', 'PageUp', 'Control+Space', 'Shift+ArrowUp')
    await page.getByText('2 selected').first().waitFor()
    const chosen = await selectedNames(page)
    const place = async () => Math.round((await entryOf(page, chosen[0] ?? '').boundingBox())?.y ?? 0)
    const before = await place()
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Trash' }).click()
    await gridOf(page).waitFor({ state: 'detached' })
    await page.goBack()
    await expect.poll(async () => await selectedNames(page)).toEqual(chosen)
    await expect.poll(place).toBe(before)
  })
})

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

async function focusedName(page: Page): Promise<string | null> {
  return await page.evaluate(() => document.activeElement?.getAttribute('data-entry') ?? null)
}

/** Clicks the empty space next to the last entry, which is alone on its line. */
async function clickBeside(page: Page): Promise<void> {
  const box = await entryOf(page, 'zeta.txt').boundingBox()
  await page.mouse.click((box?.x ?? 0) + (box?.width ?? 0) + 100, (box?.y ?? 0) + 20)
}

describe('a rectangle drawn with the mouse', () => {
  it('selects what it touches in a list, adds with Ctrl, and is cancelled by Escape', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    await waitForWholePage(page)
    await page.getByRole('button', { name: 'List', exact: true }).click()
    const last = await boxOf(page, 'zeta.txt')
    const below = { x: last.x + 200, y: last.y + last.height + 60 }
    const drawn = await draw(page, below, await middleOf(entryOf(page, 'garden.txt')))
    await expect.poll(drawn).toEqual(['garden.txt', 'zeta.txt'])
    await page.mouse.up()
    expect(await selectedNames(page)).toEqual(['garden.txt', 'zeta.txt'])

    const music = await boxOf(page, 'music')
    await page.keyboard.down('Control')
    const beside = { x: music.x - 4, y: music.y + 4 }
    const added = await draw(page, beside, { x: music.x + 60, y: music.y + music.height + 4 })
    await expect.poll(added).toEqual(['music', 'alpha.txt', 'garden.txt', 'zeta.txt'])
    await page.keyboard.up('Control')
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(await selectedNames(page)).toEqual(['garden.txt', 'zeta.txt'])
    await page.mouse.click(below.x, below.y)
    await expect.poll(async () => await selectedNames(page)).toEqual([])
  })

  it('scrolls at the edge, and keeps what was scrolled away', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `n${String(index).padStart(2, '0')}.txt`)
    await using shown = await open(Object.fromEntries(names.map((name) => [name, ''])))
    const { page } = shown
    await waitForWholePage(page)
    await page.getByRole('button', { name: 'List', exact: true }).click()
    const first = await boxOf(page, 'n01.txt')
    const foot = await gridOf(page).evaluate(
      (grid) => grid.parentElement?.parentElement?.getBoundingClientRect().bottom,
    )
    const drawn = await draw(page, { x: first.x - 4, y: first.y + 10 }, { x: first.x + 80, y: foot ?? 0 })
    await expect
      .poll(async () => {
        await drawn()
        return await page.getByText('59 selected').count()
      })
      .toBeGreaterThan(0)
    await page.mouse.up()
    await page.getByText('59 selected').first().waitFor()
    await entryOf(page, 'n59.txt').waitFor()
  })

  it('selects tiles from the space between them, also from right to left', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    await waitForWholePage(page)
    await page.getByRole('button', { name: 'Mosaic', exact: true }).click()
    await page.evaluate(() => (document.documentElement.dir = 'rtl'))
    const [alpha, beta] = [await boxOf(page, 'alpha.txt'), await boxOf(page, 'beta.txt')]
    expect(beta.x).toBeLessThan(alpha.x)
    const drawn = await draw(page, { x: alpha.x - 5, y: alpha.y + 20 }, { x: beta.x + 40, y: beta.y + 60 })
    await expect.poll(drawn).toEqual(['beta.txt'])
    await page.mouse.up()
  })

  async function boxOf(page: Page, name: string) {
    await middleOf(entryOf(page, name))
    return (await entryOf(page, name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  }

  /** @returns moves the mouse a little, because the first rectangle waits for its code, and tells what is selected */
  async function draw(page: Page, from: { x: number; y: number }, to: { x: number; y: number }) {
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(to.x, to.y, { steps: 8 })
    return async () => {
      await page.mouse.move(to.x + 1, to.y)
      await page.mouse.move(to.x, to.y)
      return await selectedNames(page)
    }
  }
})
