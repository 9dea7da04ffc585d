import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { watchShifts } from '../../helpers/browser/layout-shifts.ts'
import { entryOf } from '../../helpers/browser/pages/files-page.ts'
import { share } from '../../helpers/browser/pages/share-page.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { quarters } from '../../helpers/samples/pictures.ts'

const open = pageOfFile()

const paneOf = (page: Page) => page.getByRole('complementary', { name: 'Details pane' })
const toggleOf = (page: Page) => page.getByRole('button', { name: 'Details pane' })
const focused = async (page: Page) =>
  await page.evaluate(() => document.activeElement?.getAttribute('data-entry') ?? document.activeElement?.tagName)

describe('the details pane', () => {
  it('tells of the folder, then of what the keys of the list lead to', async () => {
    const picture = await quarters(300, 200).jpeg().toBuffer()
    await using shown = await open({ 'box/in.txt': '12345', 'a.txt': 'x'.repeat(2048), 'b.jpg': picture })
    const { daemon, page } = shown
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const hash = await share(daemon, '/a.txt')
    const pane = paneOf(page)
    await toggleOf(page).click()
    await pane.getByRole('heading', { name: 'Details' }).waitFor()
    await pane.getByText('1 folder, 2 files').waitFor()
    expect(await toggleOf(page).getAttribute('aria-pressed')).toBe('true')

    await page.getByRole('button', { name: 'List', exact: true }).click()
    await entryOf(page, 'box').click()
    await pane.getByTitle('box').waitFor()
    await pane.getByRole('button', { name: 'Calculate' }).click()
    await pane.getByText('0 folders, 1 file').waitFor()
    await entryOf(page, 'box').focus()
    await page.keyboard.press('ArrowDown')
    await pane.getByText('(2,048 bytes)').waitFor()
    await pane.getByRole('button', { name: /^Copy .*share/ }).click()
    await expect
      .poll(async () => await page.evaluate(() => navigator.clipboard.readText()))
      .toBe(`${new URL(page.url()).origin}/share/${hash}`)
    await entryOf(page, 'a.txt').focus()
    await page.keyboard.press('ArrowDown')
    await pane.getByText('300 × 200').waitFor()
    expect(await focused(page)).toBe('b.jpg')
    await page.keyboard.press('Control+a')
    await pane.getByText('Selected', { exact: true }).waitFor()
    await pane.getByRole('button', { name: 'Calculate' }).click()
    await pane.getByText('0 folders, 1 file').waitFor()
  })

  it('tells administrators what happened to a file, also at its earlier paths', async () => {
    // Elsewhere, so that the page asks for no thumbnail of a file that is moved meanwhile.
    await using shown = await open({ 'box/other.txt': '' }, { folder: '/box/' })
    const { daemon, page } = shown
    await daemon.fetch('/api/resources/draft.txt', { method: 'POST', body: 'text' })
    for (const [from, to] of [
      ['draft.txt', '/report.txt'],
      ['report.txt', '/box/report.txt'],
    ] as const) {
      const query = new URLSearchParams({ action: 'rename', destination: encodeURIComponent(to) }).toString()
      await daemon.fetch(`/api/resources/${from}?${query}`, { method: 'PATCH' })
    }
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await toggleOf(page).click()
    await entryOf(page, 'report.txt').click()
    const history = paneOf(page).getByRole('region', { name: 'Activity log' }).getByRole('listitem')
    await history.nth(2).waitFor()
    expect(await history.allInnerTexts()).toMatchObject([
      expect.stringMatching(/^Moved · admin\s+My files → box/),
      expect.stringMatching(/^Moved · admin\s+draft.txt → report.txt/),
      expect.stringMatching(/^Created · admin/),
    ])
  })

  it('asks the server for nothing while the keys walk on', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `file-${String(index).padStart(2, '0')}.txt`)
    await using shown = await open(Object.fromEntries(names.map((name) => [name, name])))
    const { page } = shown
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await toggleOf(page).click()
    await entryOf(page, 'file-00.txt').click()
    await paneOf(page).getByTitle('file-00.txt').waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await Promise.all(names.slice(1).map(() => page.keyboard.press('ArrowDown')))
    await paneOf(page).getByTitle('file-11.txt').waitFor()
    const links = () => asked.filter((path) => path.startsWith('/api/share/'))
    await expect.poll(() => links().at(-1)).toBe('/api/share/file-11.txt')
    // On a busy machine a key may take as long as someone who stays.
    expect(links().length).toBeLessThan(names.length / 2)
  })

  it('stays open for the user, moves nothing, and is not there without the room', async () => {
    await using shown = await open({ 'box/inner.txt': '1', 'a.txt': '2' })
    const { page } = shown
    await entryOf(page, 'a.txt').click()
    await page.keyboard.press('Control+i')
    await paneOf(page).getByTitle('a.txt').waitFor()
    expect(await focused(page)).toBe('a.txt')
    await page.reload()
    await paneOf(page).getByTitle('a.txt').waitFor()
    const stop = await watchShifts(page)
    await entryOf(page, 'box').dblclick()
    await entryOf(page, 'inner.txt').waitFor()
    await paneOf(page).getByTitle('box').waitFor()
    expect(await stop()).toEqual({ score: 0, moved: [] })

    await page.setViewportSize({ width: 1099, height: 800 })
    await paneOf(page).waitFor({ state: 'detached' })
    expect(await toggleOf(page).count()).toBe(0)
    await page.setViewportSize({ width: 1100, height: 800 })
    await entryOf(page, 'inner.txt').focus()
    await paneOf(page).getByRole('button', { name: 'Close' }).click()
    await paneOf(page).waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('inner.txt')
    await page.reload()
    await entryOf(page, 'inner.txt').waitFor()
    expect(await paneOf(page).count()).toBe(0)
  })
})
