import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { recordAnnouncements } from '../../helpers/browser/announcements.ts'
import { dropFiles } from '../../helpers/browser/drag.ts'
import { goWithin } from '../../helpers/browser/go-within.ts'
import { entryOf, gridOf, openFiles, waitForWholePage } from '../../helpers/browser/pages/files-page.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import {
  waitForPartialFile,
  waitForUploadHeading,
  networkOf,
  panelOf,
  watchUploads,
} from '../../helpers/browser/pages/upload-page.ts'
import { keepToasts, toastOf } from '../../helpers/browser/pages/toasts.ts'
import { intercept } from '../../helpers/browser/intercept.ts'

const SIZE = 12_000_000
const SLOW = 500_000

const open = pageOfFile()

describe('the upload panel', () => {
  it('is beside the toasts, in both writing directions', async () => {
    await using mine = await tempFolder({ 'a.txt': 'a' })
    await using shown = await open({ 'old.txt': '' })
    const { page } = shown
    await keepToasts(page)
    await dropFiles(gridOf(page), [join(mine.path, 'a.txt')])
    await waitForUploadHeading(page, 'Uploaded 1 item')
    await entryOf(page, 'old.txt').click()
    await page.keyboard.press('Delete')
    const toast = toastOf(page, 'Moved “old.txt” to the trash')
    for (const direction of ['ltr', 'rtl']) {
      await page.evaluate((dir) => {
        for (const element of [document.documentElement, document.querySelector<HTMLElement>('[data-sonner-toaster]')])
          if (element) element.dir = dir
      }, direction)
      const [panel, card] = [await panelOf(page).boundingBox(), await toast.boundingBox()]
      if (panel === null || card === null) throw new Error('nothing is shown')
      const isLeftOf = card.x + card.width < panel.x
      const isRightOf = panel.x + panel.width < card.x
      expect([isLeftOf, isRightOf]).toEqual([direction === 'ltr', direction === 'rtl'])
    }
  })

  it('is a chip over an open file, also while it is sending', async () => {
    await using mine = await tempFolder({ 'large.bin': randomBytes(SIZE) })
    await using shown = await open({ 'notes.txt': 'text' })
    const { page } = shown
    const network = await networkOf(page)
    await network.limit(SLOW)
    await dropFiles(gridOf(page), [join(mine.path, 'large.bin')])
    await panelOf(page).getByRole('progressbar', { name: 'All uploads' }).waitFor()
    await goWithin(page, '/files/notes.txt')
    await page.locator('.ace_line').getByText('text').waitFor()
    await panelOf(page).getByRole('progressbar').first().waitFor({ state: 'detached' })
    expect((await panelOf(page).boundingBox())?.height).toBeLessThan(60)
    await panelOf(page)
      .getByRole('button', { name: /^Uploading/ })
      .click()
    await panelOf(page).getByRole('progressbar', { name: 'All uploads' }).waitFor()
    await network.restore()
    await waitForUploadHeading(page, /^Uploaded/)
  })

  it('shows 300 files in folders, including empty ones, as one line until it is closed', async () => {
    const album = Object.fromEntries(
      Array.from({ length: 300 }, (_none, index) => [`album/day ${index % 7}/picture ${index}.txt`, String(index)]),
    )
    await using mine = await tempFolder(album)
    await mkdir(join(mine.path, 'album/none/at all'), { recursive: true })
    await using shown = await open({ 'album/day 0/picture 0.txt': 'old' })
    const { page, daemon } = shown
    const requests = watchUploads(page)
    const announced = await recordAnnouncements(page)
    await dropFiles(gridOf(page), [join(mine.path, 'album')])
    await page
      .getByRole('dialog', { name: /already exist/ })
      .getByRole('button', { name: 'Continue' })
      .click()
    // Ten folders: the album, its seven days and the two empty ones.
    await waitForUploadHeading(page, 'Uploaded 310 items')
    expect(await announced()).toContainEqual(expect.stringMatching(/^Uploaded \d+ of \d+\.$/))
    expect(requests.length).toBeLessThan(40)
    const folder = join(daemon.root, 'album')
    const files = await readdir(folder, { recursive: true })
    expect(files.filter((name) => name.endsWith('.txt'))).toHaveLength(301)
    expect((await stat(join(folder, 'none/at all'))).isDirectory()).toBe(true)
    expect(await readFile(join(folder, 'day 0/picture 0.txt'), 'utf8')).toBe('old')
    expect(await readFile(join(folder, 'day 0/picture 0(1).txt'), 'utf8')).toBe('0')

    const panel = panelOf(page)
    const lines = async () => await panel.getByRole('listitem').count()
    await expect.poll(lines).toBe(1)
    await panel.getByText('310 of 310').waitFor()
    await panel.getByRole('button', { name: 'Show the content of album' }).click()
    await expect.poll(lines).toBeGreaterThan(5)
    expect(await accessibilityProblems(page)).toEqual([])
    await panel.getByRole('tab', { name: 'Failed' }).click()
    await panel.getByText('No uploads').waitFor()
    await panel.getByRole('button', { name: 'Close' }).click()
    await panel.waitFor({ state: 'detached' })
  })

  it('pauses, resumes, cancels and retries, one by one and all at once', async () => {
    const content = { one: randomBytes(SIZE), two: randomBytes(SIZE) }
    await using mine = await tempFolder({ 'one.bin': content.one, 'two.bin': content.two, 'small.txt': 'small' })
    await using daemon = await startTestServer({ files: { 'there.txt': '' } })
    await using browser = await openFiles(daemon, { expectedStatuses: [507], colorScheme: 'dark' })
    const { page } = browser
    const panel = panelOf(page)
    const button = (name: string) => panel.getByRole('button', { name, exact: true })
    const requests = watchUploads(page)
    await failOnce(page, 'small.txt')
    const network = await networkOf(page)
    await network.limit(SLOW)
    await dropFiles(
      gridOf(page),
      ['one.bin', 'two.bin', 'small.txt'].map((name) => join(mine.path, name)),
    )
    await panel.getByText('Disk full').waitFor()
    await waitForPartialFile(daemon.root)
    await button('Pause one.bin').click()
    await panel.getByText(/^Paused/).waitFor()
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
    expect(await accessibilityProblems(page)).toEqual([])

    await button('Cancel two.bin').click()
    await waitForUploadHeading(page, '1 upload paused')
    await expect.poll(() => requests.at(-1)?.method).toBe('DELETE')
    await expect.poll(async () => (await readdir(daemon.root)).length).toBe(2)
    await button('Retry small.txt').click()
    await entryOf(page, 'small.txt').waitFor()
    await button('Resume all uploads').click()
    await waitForUploadHeading(page, 'Uploading 1 item')
    await button('Pause all uploads').click()
    await waitForUploadHeading(page, '1 upload paused')
    await network.restore()
    await button('Resume one.bin').click()
    await waitForUploadHeading(page, 'Uploaded 2 items')
    expect(await readFile(join(daemon.root, 'one.bin'))).toEqual(content.one)
    expect((await readdir(daemon.root)).toSorted()).toEqual(['one.bin', 'small.txt', 'there.txt'])
    const begun = requests.filter(({ method, path }) => method === 'POST' && path === '/one.bin')
    expect(begun).toHaveLength(1)
  })

  it('uploads pasted pictures under different names, and asks before all are cancelled', async () => {
    await using mine = await tempFolder({ 'large.bin': randomBytes(SIZE) })
    await using daemon = await startTestServer({ files: { 'there.txt': '' } })
    await using browser = await openFiles(daemon, { viewport: { width: 400, height: 800 } })
    const { page } = browser
    await paste(page, Date.UTC(2026, 0, 2))
    await waitForUploadHeading(page, 'Uploaded 1 item')
    await paste(page, Date.UTC(2026, 0, 3))
    const pictures = async () =>
      (await readdir(daemon.root)).filter((name) => /^image 2026-01-0\d [\d-]+\.png$/.test(name)).length
    await expect.poll(pictures).toBe(2)

    await (await networkOf(page)).limit(SLOW)
    await dropFiles(gridOf(page), [join(mine.path, 'large.bin')])
    await waitForPartialFile(daemon.root)
    await panelOf(page).getByRole('button', { name: 'Cancel all uploads' }).click()
    const question = page.getByRole('alertdialog', { name: 'Cancel all uploads?' })
    await question.getByRole('button', { name: 'Continue uploading' }).click()
    await waitForUploadHeading(page, 'Uploading 1 item')
    await panelOf(page).getByRole('button', { name: 'Cancel all uploads' }).click()
    await question.getByRole('button', { name: 'Cancel all uploads' }).click()
    await expect.poll(async () => (await readdir(daemon.root)).length).toBe(3)
  })

  it('leaves connections for the rest of the page while two windows send large files', async () => {
    const names = [1, 2, 3, 4, 5, 6].map((number) => `large ${number}.bin`)
    const content = randomBytes(SIZE)
    await using mine = await tempFolder(Object.fromEntries(names.map((name) => [name, content])))
    await using daemon = await startTestServer({ files: { 'there/inside.txt': '' } })
    await using browser = await openFiles(daemon)
    const { page } = browser
    await waitForWholePage(page)
    const other = await browser.context.newPage()
    await other.goto('/files/')
    await waitForWholePage(other)
    const requests = [page, other].map((each) => watchUploads(each))
    const send = async (from: Page, chosen: readonly string[]) => {
      await (await networkOf(from)).limit(SLOW)
      await dropFiles(
        gridOf(from),
        chosen.map((name) => join(mine.path, name)),
      )
    }
    await send(page, names.slice(0, 4))
    await waitForUploadHeading(page, 'Uploading 4 items')
    await waitForPartialFile(daemon.root)
    await send(other, names.slice(4))
    await waitForUploadHeading(other, 'Uploading 2 items')
    for (const each of [page, other]) {
      await entryOf(each, 'there').dblclick()
      await entryOf(each, 'inside.txt').waitFor()
    }
    await panelOf(page).getByRole('button', { name: 'Cancel all uploads' }).click()
    await page.getByRole('alertdialog', { name: 'Cancel all uploads?' }).waitFor()
    expect(await readdir(daemon.root)).not.toContain('large 1.bin')
    expect(new Set(requests.flat().map(({ path }) => path)).size).toBe(3)
  })
})

describe('long uploads', () => {
  it('send a notification when they end, and ask again if their name was taken meanwhile', async () => {
    await using mine = await tempFolder({ 'large.bin': randomBytes(SIZE) })
    await using daemon = await startTestServer({ files: { 'there.txt': '' } })
    await using browser = await openFiles(daemon, {
      permissions: ['notifications'],
      wholeBrowser: true,
      expectedStatuses: [409],
    })
    const { page } = browser
    const panel = panelOf(page)
    const network = await networkOf(page)
    await network.limit(SLOW)
    await dropFiles(gridOf(page), [join(mine.path, 'large.bin')])
    await panel.getByRole('button', { name: 'Notify me' }).click()
    await writeFile(join(daemon.root, 'large.bin'), 'theirs')
    await page.evaluate(goToBackground)
    await network.restore()
    await waitForUploadHeading(page, '1 upload failed')
    await expect.poll(async () => await page.evaluate(notificationsSeen)).toEqual(['1 upload failed'])

    await panel.getByRole('button', { name: 'Retry large.bin' }).click()
    await page
      .getByRole('dialog', { name: /already exist/ })
      .getByRole('button', { name: 'Continue' })
      .click()
    await waitForUploadHeading(page, 'Uploaded 1 item')
    expect(await readFile(join(daemon.root, 'large.bin'), 'utf8')).toBe('theirs')
    expect((await stat(join(daemon.root, 'large(1).bin'))).size).toBe(SIZE)
    expect(await panel.getByRole('button', { name: 'Notify me' }).count()).toBe(0)
  })
})

/** Simulates a page in the background and records its notifications. */
function goToBackground(): void {
  const seen: string[] = []
  Object.assign(globalThis, { seenNotifications: seen })
  Object.defineProperty(document, 'hidden', { get: () => true })
  globalThis.Notification = new Proxy(Notification, {
    construct(target, [title, options]: [string, NotificationOptions]) {
      seen.push(title)
      return new target(title, options)
    },
  })
}

function notificationsSeen(): string[] {
  return (globalThis as { seenNotifications?: string[] }).seenNotifications ?? []
}

/** Fails the first upload with this name. */
async function failOnce(page: Page, name: string): Promise<void> {
  let left = 1
  await intercept(
    page,
    (url) => url.pathname.endsWith(`/${name}`),
    async (route) => {
      const fails = route.request().method() === 'POST' && left > 0
      if (fails) left -= 1
      await (fails ? route.fulfill({ status: 507 }) : route.fallback())
    },
  )
}

/** Pastes a picture, which browsers always name "image.png". The code for it loads after the first rows. */
async function paste(page: Page, lastModified: number): Promise<void> {
  const pasteOnce = async () => await page.evaluate(pastePicture, lastModified)
  await expect.poll(pasteOnce).toBe('taken')
}

function pastePicture(lastModified: number): 'taken' | 'not taken' {
  const clipboardData = new DataTransfer()
  clipboardData.items.add(new File(['picture'], 'image.png', { type: 'image/png', lastModified }))
  const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
  return document.body.dispatchEvent(event) ? 'not taken' : 'taken'
}
