import { randomBytes } from 'node:crypto'
import { utimes, writeFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { UserView } from '../../../src/domain/accounts/user.ts'
import {
  entryOf,
  openFiles,
  selectedNames,
  shownNames,
  gridOf,
  waitForWholePage,
} from '../../helpers/browser/pages/files-page.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { startTestServer, type TestServer } from '../../helpers/browser/test-server.ts'
import { intercept } from '../../helpers/browser/intercept.ts'

const FILES = { 'beta.txt': 'bb', 'alpha.txt': 'aaaa', 'gamma10.txt': 'g', 'gamma9.txt': 'ggg', 'music/song.txt': '' }
const BY_NAME = ['music', 'alpha.txt', 'beta.txt', 'gamma9.txt', 'gamma10.txt']

const open = pageOfFile()

describe('the listing', () => {
  it('shows a folder as list, mosaic and gallery with thumbnails, and remembers the view', async () => {
    const noise = sharp(randomBytes(900 * 600 * 3), { raw: { width: 900, height: 600, channels: 3 } })
    await using shown = await open({ ...FILES, 'photo.png': await noise.png().toBuffer() })
    const { page } = shown
    const views = page.getByRole('group', { name: 'View' })
    for (const view of ['Mosaic', 'Gallery', 'List']) {
      await views.getByRole('button', { name: view }).click()
      await views.getByRole('button', { name: view, pressed: true }).waitFor()
      expect(await shownNames(page)).toEqual([...BY_NAME, 'photo.png'])
      const picture = entryOf(page, 'photo.png').locator('img')
      await expect.poll(async () => await picture.evaluate(widthOf)).toBe(256)
    }
    await page.getByRole('columnheader', { name: 'Name' }).waitFor()
    await views.getByRole('button', { name: 'Gallery' }).click()
    await page.reload()
    await views.getByRole('button', { name: 'Gallery', pressed: true }).waitFor()
  })

  it('shows on the card of a folder how many items it contains', async () => {
    await using shown = await open({ 'music/a.mp3': '', 'music/b.mp3': '', 'none/': '' })
    const { page, daemon } = shown
    await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Mosaic' }).click()
    await entryOf(page, 'music').getByText('2 items', { exact: true }).waitFor()
    await entryOf(page, 'none').getByText('0 items', { exact: true }).waitFor()
    await writeFile(join(daemon.root, 'music/c.mp3'), '')
    await page.reload()
    await entryOf(page, 'music').getByText('3 items', { exact: true }).waitFor()
  })

  it('sorts by name, size and date, in both directions', async () => {
    await using daemon = await startTestServer({ files: FILES })
    for (const [index, name] of ['gamma9.txt', 'beta.txt', 'gamma10.txt', 'alpha.txt'].entries()) {
      await utimes(join(daemon.root, name), 1_600_000_000 + index, 1_600_000_000 + index)
    }
    await using browser = await openFiles(daemon)
    const { page } = browser
    await page.getByRole('button', { name: 'List', exact: true }).click()
    const head = (name: string) => page.getByRole('columnheader', { name })
    const files = async () => (await shownNames(page)).filter((name) => name !== 'music')
    await head('Size').getByRole('button').click()
    await expect.poll(files).toEqual(['gamma10.txt', 'beta.txt', 'gamma9.txt', 'alpha.txt'])
    expect(await head('Size').getAttribute('aria-sort')).toBe('ascending')
    await head('Size').getByRole('button').click()
    await expect.poll(files).toEqual(['alpha.txt', 'gamma9.txt', 'beta.txt', 'gamma10.txt'])
    await head('Modified').getByRole('button').click()
    await expect
      .poll(files)
      .toEqual(
        (await head('Modified').getAttribute('aria-sort')) === 'ascending'
          ? ['gamma9.txt', 'beta.txt', 'gamma10.txt', 'alpha.txt']
          : ['alpha.txt', 'gamma10.txt', 'beta.txt', 'gamma9.txt'],
      )
    await head('Name').getByRole('button').click()
    await expect.poll(files).toEqual(BY_NAME.slice(1))
  })

  it('groups by type and date, chooses, moves and resizes columns, and remembers all of it for the folder', async () => {
    const files = { 'box/a.png': '', 'box/b.zip': '', 'box/c.png': '', 'box/in/x.txt': '', 'old/y.txt': '' }
    await using shown = await open(files, { folder: '/box/' })
    const { page, daemon } = shown
    await utimes(join(daemon.root, 'box/b.zip'), 1_600_000_000, 1_600_000_000)
    await page.getByRole('button', { name: 'List', exact: true }).click()
    const heads = page.getByRole('columnheader')
    const columns = async () =>
      (await heads.evaluateAll((all) => all.map((head) => head.getAttribute('aria-label'))))
        .filter(Boolean)
        .slice(0, -1)
    const menu = page.getByRole('menu')
    await page.getByRole('button', { name: 'Columns' }).click()
    await menu.getByRole('menuitemcheckbox', { name: 'Type' }).click()
    await expect.poll(columns).toEqual(['Size', 'Modified', 'Type'])
    await page
      .getByRole('row', { name: /a\.png/ })
      .getByText('PNG', { exact: true })
      .waitFor()

    // By keys alone.
    const head = (name: string) => heads.and(page.getByLabel(name, { exact: true }))
    await head('Type').getByRole('button').focus()
    await page.keyboard.press('Shift+F10')
    await menu.getByRole('menuitem', { name: 'Move earlier' }).press('Enter')
    await expect.poll(columns).toEqual(['Size', 'Type', 'Modified'])
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Type')
    const edge = page.getByRole('separator', { name: 'Column width: Size' })
    await edge.focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(async () => await edge.getAttribute('aria-valuenow')).toBe('112')

    // By mouse alone.
    await drag(page, edge, -40)
    await expect.poll(async () => await edge.getAttribute('aria-valuenow')).toBe('152')
    expect((await head('Size').boundingBox())?.width).toBe(152)
    await drag(page, head('Modified'), -300)
    await expect.poll(columns).toEqual(['Modified', 'Size', 'Type'])

    const openOrder = async () =>
      await page.getByRole('toolbar', { name: 'Folder actions' }).locator('[aria-haspopup=menu]').first().click()
    const group = async (name: string) => {
      await openOrder()
      await menu.getByRole('menuitemradio', { name, exact: true }).last().click()
    }
    const titles = () => gridOf(page).getByRole('heading')
    await group('Modified')
    await expect.poll(async () => await titles().allTextContents()).toEqual(['Today', '2020'])
    expect(await shownNames(page)).toEqual(['in', 'a.png', 'c.png', 'b.zip'])
    await group('Type')
    await expect.poll(async () => await titles().allTextContents()).toEqual(['Folders', 'Images', 'Archives'])
    // The head, three headings and four entries.
    expect(await gridOf(page).getAttribute('aria-rowcount')).toBe('8')
    expect(await entryOf(page, 'c.png').getAttribute('aria-rowindex')).toBe('6')
    await entryOf(page, 'in').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Control+Space')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    expect(await selectedNames(page)).toEqual(['a.png', 'c.png', 'b.zip'])
    await page.keyboard.press('Escape')

    await page.reload()
    await expect.poll(columns).toEqual(['Modified', 'Size', 'Type'])
    expect(await titles().allTextContents()).toEqual(['Folders', 'Images', 'Archives'])
    // Folders below look the same, others do not.
    await page.goto('/files/box/in/')
    await titles().getByText('Documents').waitFor()
    await page.goto('/files/old/')
    await page.getByRole('button', { name: 'Mosaic', pressed: true }).waitFor()
    await page.goto('/files/box/')
    await openOrder()
    await menu.getByRole('menuitemradio', { name: 'Size' }).click()
    await openOrder()
    await menu.getByRole('menuitem', { name: 'Use for all folders' }).click()
    await page.getByText('All folders are now shown like this.').waitFor()
    expect(await lookOf(daemon)).toEqual({ viewMode: 'list', sorting: { by: 'size', asc: true } })
    await page.goto('/files/old/')
    await titles().getByText('Documents').waitFor()
    expect(await columns()).toEqual(['Modified', 'Size', 'Type'])
  })

  it('is navigated and selected with the keyboard alone', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await entryOf(page, 'music').focus()
    const tools = page.getByRole('toolbar', { name: 'Selection actions' })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Control+Space')
    await page.keyboard.press('Shift+ArrowDown')
    await expect.poll(async () => await selectedNames(page)).toEqual(['alpha.txt', 'beta.txt'])
    await tools.getByText('2 selected').waitFor()
    await page.keyboard.press('Control+a')
    await tools.getByText('5 selected').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(async () => await selectedNames(page)).toEqual([])
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await entryOf(page, 'song.txt').waitFor()
    await page.keyboard.press('Backspace')
    await entryOf(page, 'alpha.txt').waitFor()
  })

  it('is left and reached again with the breadcrumbs and the history', async () => {
    await using shown = await open({ 'one/two/three.txt': '' }, { folder: '/one/two/' })
    const { page } = shown
    const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' })
    await breadcrumb.getByRole('link', { name: 'one' }).click()
    await entryOf(page, 'two').waitFor()
    await page.goBack()
    await entryOf(page, 'three.txt').waitFor()
  })

  it('shows the breadcrumbs that fit, and the others in a menu', async () => {
    await using shown = await open(
      { 'first folder/second folder/third folder/x.txt': '' },
      { folder: '/first folder/second folder/third folder/' },
    )
    const { page } = shown
    const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' })
    const ways = new Set<string>()
    for (let width = 720; width >= 320; width -= 20) {
      await page.setViewportSize({ width, height: 700 })
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
      ways.add((await breadcrumb.getByRole('link').allInnerTexts()).join('/'))
    }
    expect([...ways]).toEqual([
      '/first folder/second folder/third folder',
      '/second folder/third folder',
      '/third folder',
    ])
    await breadcrumb.getByRole('button', { name: 'Show 2 parent folders' }).click()
    await page.getByRole('menuitem', { name: 'first folder' }).click()
    await entryOf(page, 'second folder').waitFor()
    await breadcrumb.getByRole('link', { name: 'third folder' }).waitFor({ state: 'detached' })
  })

  it('fits a screen of 736 pixels and a phone', async () => {
    await using shown = await open(FILES)
    const { page } = shown
    for (const width of [736, 360]) {
      await page.setViewportSize({ width, height: 700 })
      await page.reload()
      await page.getByRole('button', { name: 'Upload' }).waitFor()
      expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(overflow).toBe(0)
      await page.getByRole('button', { name: 'Open menu' }).click()
      await page.getByRole('navigation', { name: 'Main' }).waitFor()
    }
  })

  it('follows the colour scheme of the system, unless the user chooses a theme', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon, { colorScheme: 'dark' })
    const { page } = browser
    const background = async () => await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const dark = await background()
    await page.emulateMedia({ colorScheme: 'light' })
    const light = await background()
    expect(light).not.toBe(dark)
    await page.getByRole('link', { name: daemon.username }).click()
    await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'Dark' }).click()
    await expect.poll(background).toBe(dark)
    await page.reload()
    await page.getByRole('heading', { name: 'Profile' }).waitFor()
    expect(await background()).toBe(dark)
  })
})

async function lookOf(daemon: TestServer): Promise<unknown> {
  const users = (await (await daemon.fetch('/api/users')).json()) as Pick<
    UserView,
    'username' | 'viewMode' | 'sorting'
  >[]
  return users
    .filter(({ username }) => username === daemon.username)
    .map(({ viewMode, sorting }) => ({ viewMode, sorting }))[0]
}

/** Presses in the middle of an element and releases the mouse this many pixels to the right. */
async function drag(page: Page, from: Locator, by: number): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await from.boundingBox()) ?? {}
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width / 2 + by / 2, y + height / 2)
  await page.mouse.move(x + width / 2 + by, y + height / 2)
  await page.mouse.up()
}

function widthOf(element: Element): number {
  return (element as HTMLImageElement).naturalWidth
}

const WITH_A_FOLDER = { 'box/inner/deep.txt': '', 'notes.txt': '' }

const LISTING = /\/api\/resources\/box/
const ANY_LISTING = /\/api\/resources\//
const HEALTH = /\/health$/

describe('a folder that cannot be shown', () => {
  it('explains the error, and reloads by itself once the network is back', async () => {
    await using daemon = await startTestServer({ files: WITH_A_FOLDER })
    await using browser = await openFiles(daemon, { expectedStatuses: [403, 404, 500], cutsConnections: true })
    const { page } = browser
    await page.goto('/files/nowhere/at/all/')
    await page.getByRole('alert').getByRole('heading', { name: 'Not found' }).waitFor()
    await page.getByRole('alert').getByRole('link', { name: 'My files' }).click()
    await entryOf(page, 'notes.txt').waitFor()

    const answer = { status: 403, contentType: 'application/json', body: '{}' }
    await page.route(LISTING, async (route) => await route.fulfill(answer))
    await page.goto('/files/box/')
    await page.getByRole('heading', { name: 'You do not have access' }).waitFor()
    await page.unroute(LISTING)
    await page.route(LISTING, async (route) => await route.fulfill({ ...answer, status: 500 }))
    await page.goto('/files/box/')
    await page.getByRole('heading', { name: 'Something went wrong on the server' }).waitFor()
    await page.unroute(LISTING)
    await page.getByRole('button', { name: 'Try again' }).click()
    await entryOf(page, 'inner').waitFor()

    await intercept(page, ANY_LISTING, async (route) => await route.abort('internetdisconnected'))
    await entryOf(page, 'inner').dblclick()
    await page.getByRole('heading', { name: 'No connection' }).waitFor()
    // Only the online event reports it: the health check is blocked.
    await intercept(page, HEALTH, async (route) => await route.abort('internetdisconnected'))
    await page.unroute(ANY_LISTING)
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await entryOf(page, 'deep.txt').waitFor()
  })

  it('says that it was deleted, and keeps the sidebar with the storage bar usable', async () => {
    await using shown = await open(WITH_A_FOLDER, { folder: '/box/', expectedStatuses: [404] })
    const { page, daemon } = shown
    await waitForWholePage(page)
    const storage = page.getByRole('progressbar', { name: 'Storage' })
    await storage.waitFor()
    await expect.poll(async () => await storage.getAttribute('aria-valuetext')).toMatch(/[\d.]+ \w+ of [\d.]+ \w+ used/)
    await rm(join(daemon.root, 'box'), { recursive: true })
    await page.reload()
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'My files' }).click()
    await gridOf(page).waitFor()
    await entryOf(page, 'notes.txt').waitFor()
  })
})
