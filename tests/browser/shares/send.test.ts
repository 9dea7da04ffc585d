import { readFile, utimes } from 'node:fs/promises'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { openFiles } from '../../helpers/browser/pages/files-page.ts'
import { linkTo, openLink } from '../../helpers/browser/pages/public-page.ts'
import { linksOf, openShare } from '../../helpers/browser/pages/share-page.ts'
import { networkOf, waitForPartialFile } from '../../helpers/browser/pages/upload-page.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const DESK = { width: 1280, height: 800 }
const PHONE = { width: 400, height: 800 }
/** Bytes in a second: the file of the test takes ten. */
const SLOW = 1_600_000
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] }

it('a link made for receiving takes files from a visitor, gives receipts, and tells the owner', async () => {
  await using daemon = await startTestServer({ files: { 'inbox/a.txt': 'old' } })
  await using owner = await openFiles(daemon, { ...CLIPBOARD, viewport: DESK })
  const dialog = await openShare(owner.page, 'inbox')
  await dialog.getByRole('radio', { name: 'Upload only' }).check()
  await dialog.getByRole('checkbox', { name: 'Ask visitors for their name' }).check()
  await dialog.getByText('More options').click()
  await dialog.getByLabel('Maximum total size').fill('1 horse')
  await dialog.getByLabel('Title for visitors').fill('Photos of the party')
  expect(await accessibilityProblems(owner.page)).toEqual([])
  await owner.page.setViewportSize(PHONE)
  expect(await accessibilityProblems(owner.page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create and copy link' }).click()
  await dialog.getByText('Enter a size such as 500 MiB or 20 GiB.').waitFor()
  await dialog.getByLabel('Maximum total size').fill('1 KB')
  await dialog.getByRole('button', { name: 'Create and copy link' }).click()
  await linksOf(dialog).getByText('Upload only').waitFor()
  const [made] = (await (await daemon.fetch('/api/shares')).json()) as { hash: string }[]

  await using visitor = await openLink(daemon, made?.hash ?? '', { viewport: PHONE })
  const { page } = visitor
  const choose = async (name: string, content: string) => {
    const file = { name, mimeType: 'text/plain', buffer: Buffer.from(content) }
    await page.locator('input[type=file]').setInputFiles([file])
  }
  const sum = page.getByText(createHash('sha256').update('new').digest('hex'))
  await page.getByRole('heading', { name: 'Photos of the party', level: 1 }).waitFor()
  await choose('a.txt', 'new')
  await page.getByText('Enter your name.').waitFor()
  await page.getByText('Waiting for your name').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByLabel('Your name').fill('Bob')
  await page.getByRole('button', { name: 'Send files' }).click()
  await page.getByText('Everything has arrived. Thank you.').waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Send more files')
  expect(await accessibilityProblems(page)).toEqual([])
  expect(await sum.isVisible()).toBe(false)
  await page.getByText('Details').click()
  await sum.waitFor()
  await choose('big.txt', 'x'.repeat(2000))
  await page.getByText('There is not enough room left for this file.').waitFor()
  await page.setViewportSize(DESK)
  expect(await accessibilityProblems(page)).toEqual([])
  expect(await readFile(join(daemon.root, 'inbox/a.txt'), 'utf8')).toBe('old')
  expect(await readFile(join(daemon.root, 'inbox/a(1).txt'), 'utf8')).toBe('new')

  await page.reload()
  await page.getByText('Everything has arrived. Thank you.').waitFor()
  expect(await page.getByLabel('Your name').inputValue()).toBe('Bob')

  await owner.page.setViewportSize(DESK)
  await owner.page.getByText('Bob has sent “a.txt”').waitFor()
  // In the header and at the link, until the owner has looked.
  const fresh = owner.page.getByTitle('New files from visitors: 1')
  const bell = owner.page.getByLabel('New notifications: 1')
  await expect.poll(async () => await fresh.count()).toBe(1)
  await bell.waitFor({ state: 'attached' })
  await dialog.getByRole('button', { name: 'Files received: 1' }).click()
  const received = owner.page.getByRole('dialog', { name: 'Received in “inbox”' })
  await received.getByText('/inbox/a(1).txt').waitFor()
  await expect.poll(async () => (await fresh.count()) + (await bell.count())).toBe(0)
  expect(await accessibilityProblems(owner.page)).toEqual([])

  await page.getByRole('button', { name: 'Remove a.txt' }).click()
  await page.getByText('Removed').waitFor()
  await expect(readFile(join(daemon.root, 'inbox/a(1).txt'))).rejects.toThrow('ENOENT')
})

it('a visitor on a phone sends a file although the network fails, the server is killed and the page is loaded again', async () => {
  const content = randomBytes(16_000_000)
  await using mine = await tempFolder({ 'film.mp4': content, 'other/film.mp4': 'another' })
  await utimes(join(mine.path, 'film.mp4'), 1_500_000_000, 1_500_000_000)
  await using files = await tempFolder({ 'inbox/a.txt': 'old' })
  await using data = await tempFolder({})
  const where = { root: files.path, data: join(data.path, 'data') }
  await using first = await startTestDaemon(where)
  const hash = await linkTo(first, '/inbox', { terms: { allows: 'upload', asksName: true } })
  const phone = { viewport: PHONE, hasTouch: true, isMobile: true }
  await using visitor = await openLink(first, hash, { ...phone, expectedStatuses: [503], cutsConnections: true })
  const { page } = visitor
  page.on('dialog', (dialog) => void dialog.accept())
  const begun: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') begun.push(request.url())
  })
  const network = await networkOf(page)
  await network.limit(SLOW)
  await page.getByRole('button', { name: 'Choose files' }).waitFor()
  expect(await page.getByText('or drop them here').isVisible()).toBe(false)
  await page.locator('input[type=file]').setInputFiles(join(mine.path, 'film.mp4'))
  await page.getByLabel('Your name').fill('Bob')
  await page.getByLabel('Your name').press('Enter')
  await waitForPartialFile(join(files.path, 'inbox'))

  const lost = page.getByText('The server cannot be reached.')
  await network.cut()
  await lost.waitFor()
  await network.limit(SLOW)
  await lost.waitFor({ state: 'detached' })
  await first.stop('SIGKILL')
  await lost.waitFor()
  await using _second = await startTestDaemon({ ...where, args: ['--port', new URL(first.url).port] })
  await lost.waitFor({ state: 'detached' })

  await page.reload()
  const again = page.getByRole('button', { name: 'Choose again film.mp4' })
  await page.getByText(/^Interrupted at .* of 15\.3 MiB\./).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const chooseAgain = async (path: string) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), again.click()])
    await chooser.setFiles(join(mine.path, path))
  }
  await chooseAgain('other/film.mp4')
  await page.getByText(/^This is another file, or it has changed\./).waitFor()
  await network.restore()
  await chooseAgain('film.mp4')
  await page.getByText('Everything has arrived. Thank you.').waitFor()
  expect(await readFile(join(files.path, 'inbox/film.mp4'))).toEqual(content)
  expect(begun).toHaveLength(1)
})

it('a link with both directions has one title and edges that are aligned', async () => {
  await using daemon = await startTestServer({ files: { 'camp/a.txt': 'a' } })
  const hash = await linkTo(daemon, '/camp', { terms: { allows: 'both', title: 'Summer camp' } })
  await using visitor = await openLink(daemon, hash, { viewport: DESK })
  const { page } = visitor
  const parts = [
    page.getByRole('heading', { name: 'Summer camp', level: 1 }),
    page.getByRole('region', { name: 'Send files' }),
    page.getByRole('complementary', { name: 'About this link' }),
  ]
  const edges = await Promise.all(
    parts.map(async (part) => {
      await part.waitFor()
      return (await part.boundingBox())?.x
    }),
  )
  expect(new Set(edges).size).toBe(1)
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.setViewportSize(PHONE)
  expect(await accessibilityProblems(page)).toEqual([])
})
