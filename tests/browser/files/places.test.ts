import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { dropFiles } from '../../helpers/browser/drag.ts'
import { entryOf, openFiles, waitForWholePage } from '../../helpers/browser/pages/files-page.ts'
import { smallDisk } from '../../helpers/disks/small-disk.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const FILES = { 'one/two/three/four/five/deep.txt': '', 'one/other/o.txt': '', 'one/plain.txt': '' }
const open = pageOfFile()

describe('the breadcrumbs', () => {
  it('lead to sibling folders, collapsed parents and typed paths', async () => {
    await using shown = await open(FILES, { folder: '/one/two/', expectedStatuses: [404] })
    const { page } = shown
    const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' })
    const menu = page.getByRole('menu', { name: 'Folders next to two' })
    await waitForSidebar(page)
    await breadcrumb.getByRole('button', { name: 'Folders next to two' }).click()
    await menu.getByRole('menuitemradio', { name: 'two', checked: true }).waitFor()
    await menu.getByRole('menuitemradio', { name: 'other' }).click()
    await entryOf(page, 'o.txt').waitFor()

    const field = breadcrumb.getByRole('textbox', { name: 'Path' })
    await page.keyboard.press('Control+l')
    expect(await field.inputValue()).toBe('/one/other/')
    await field.fill('/one/nowhere')
    await field.press('Enter')
    await breadcrumb.getByText('This path does not exist.').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await field.fill('one/two/three/four/five')
    await field.press('Enter')
    await entryOf(page, 'deep.txt').waitFor()
    await field.waitFor({ state: 'detached' })

    await breadcrumb.getByRole('button', { name: 'Show 2 parent folders' }).click()
    await page.getByRole('menuitem', { name: 'one' }).click()
    await entryOf(page, 'plain.txt').waitFor()
  })

  it('accept dropped files', async () => {
    await using mine = await tempFolder({ 'a.txt': 'a' })
    await using shown = await open(FILES, { folder: '/one/two/' })
    const { page } = shown
    await waitForSidebar(page)
    await dropFiles(page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'one' }), [
      join(mine.path, 'a.txt'),
    ])
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'one' }).click()
    await entryOf(page, 'a.txt').waitFor()
  })
})

describe('the sidebar', () => {
  it('keeps favourites on every device, and lists recent folders', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await mkdir(join(daemon.root, 'one/empty'))
    await using browser = await openFiles(daemon, { folder: '/one/two/' })
    const { page } = browser
    const favourites = page.getByRole('navigation', { name: 'Favourites' })
    const crumb = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'two' })
    await waitForSidebar(page)
    await crumb.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Add to favourites' }).click()
    await favourites.getByRole('link', { name: 'two' }).waitFor()
    await page.waitForResponse((response) => response.request().postData()?.includes('"recent"') === true)
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'one' }).click()
    await entryOf(page, 'plain.txt').waitFor()
    await page.getByRole('button', { name: 'Recent' }).click()
    await page.getByRole('link', { name: 'two' }).nth(1).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])

    await page.getByRole('button', { name: 'Folders', exact: true }).click()
    const tree = page.getByRole('tree', { name: 'Folders' })
    await tree.getByRole('treeitem', { name: 'one' }).press('ArrowRight')
    await tree.getByRole('treeitem', { name: 'empty' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('/files/one/empty/')
    await tree.getByRole('treeitem', { name: 'other' }).click()
    await entryOf(page, 'o.txt').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])

    await using other = await openFiles(daemon)
    const there = other.page.getByRole('navigation', { name: 'Favourites' }).getByRole('link', { name: 'two' })
    await there.click()
    await entryOf(other.page, 'three').waitFor()
    await there.click({ button: 'right' })
    await other.page.getByRole('menuitem', { name: 'Remove from favourites' }).click()
    await there.waitFor({ state: 'detached' })
    await favourites.waitFor({ state: 'detached' })
  })
})

describe('the storage bar', () => {
  it('warns from 80 % and from 95 % on, by colour and icon, and shrinks after files are deleted', async () => {
    using disk = smallDisk(DISK)
    await using daemon = await startTestDaemon({ root: disk.path, env: disk.env })
    for (const share of [79, 80, 94, 95, 50]) await writeFile(join(disk.path, `${share}.txt`), '')
    disk.leave(leftAt(50))
    await using browser = await openFiles(daemon)
    const { page } = browser
    await waitForWholePage(page)
    const bar = page.getByRole('progressbar', { name: 'Storage' })
    const state = async () =>
      await bar.evaluate((track) => {
        const probe = document.body.appendChild(document.createElement('i'))
        const fill = track.firstElementChild ?? track
        const tone = ['accent', 'warning', 'danger'].find((name) => {
          probe.style.backgroundColor = `var(--${name})`
          return getComputedStyle(probe).backgroundColor === getComputedStyle(fill).backgroundColor
        })
        probe.remove()
        const [share] = /\d+%/.exec(track.parentElement?.textContent ?? '') ?? []
        const sign = track.parentElement?.querySelector('use')?.getAttribute('href')?.split('#').at(-1)
        return [track.ariaValueNow, share, tone, sign]
      })
    await expect.poll(state).toEqual(['50', '50%', 'accent', undefined])
    const seen: unknown[] = []
    for (const share of [79, 80, 94, 95, 50]) {
      disk.leave(leftAt(share))
      // File actions refresh the disk usage.
      await entryOf(page, `${share}.txt`).click()
      await page.keyboard.press('Delete')
      await entryOf(page, `${share}.txt`).waitFor({ state: 'detached' })
      await expect.poll(async () => (await state())[0]).toBe(String(share))
      seen.push(await state())
      if (share !== 95) continue
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await accessibilityProblems(page)).toEqual([])
      }
    }
    expect(seen).toEqual([
      ['79', '79%', 'accent', undefined],
      ['80', '80%', 'warning', 'i-alert'],
      ['94', '94%', 'warning', 'i-alert'],
      ['95', '95%', 'danger', 'i-error'],
      ['50', '50%', 'accent', undefined],
    ])
  })
})

/** In mebibytes. */
const DISK = 128

/** Free bytes at this percentage of use, and a little more. */
function leftAt(percent: number): number {
  return Math.floor(((99.9 - percent) / 100) * DISK * 1024 * 1024)
}

/** Waits until the sidebar has loaded. */
async function waitForSidebar(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Folders', exact: true }).waitFor()
  await waitForWholePage(page)
}
