import { readFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { openFiles } from '../../helpers/browser/pages/files-page.ts'
import { openLink } from '../../helpers/browser/pages/public-page.ts'
import { linksOf, openShare } from '../../helpers/browser/pages/share-page.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const DESK = { width: 1280, height: 800 }
const PHONE = { width: 400, height: 800 }
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
  await dialog.getByText('Enter a size such as 500 MB or 20 GB.').waitFor()
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
  await page.getByText('Photos of the party').waitFor()
  await choose('a.txt', 'new')
  await page.getByText('Enter your name.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByLabel('Your name').fill('Bob')
  await choose('a.txt', 'new')
  await page.getByText(createHash('sha256').update('new').digest('hex')).waitFor()
  await choose('big.txt', 'x'.repeat(2000))
  await page.getByText('There is not enough room left for this file.').waitFor()
  await page.setViewportSize(DESK)
  expect(await accessibilityProblems(page)).toEqual([])
  expect(await readFile(join(daemon.root, 'inbox/a.txt'), 'utf8')).toBe('old')
  expect(await readFile(join(daemon.root, 'inbox/a(1).txt'), 'utf8')).toBe('new')

  await page.reload()
  await page.getByText(createHash('sha256').update('new').digest('hex')).waitFor()

  await owner.page.setViewportSize(DESK)
  await owner.page.getByText('Bob has sent “a.txt”').waitFor()
  await dialog.getByRole('button', { name: 'Files received: 1' }).click()
  const received = owner.page.getByRole('dialog', { name: 'Received in “inbox”' })
  await received.getByText('/inbox/a(1).txt').waitFor()
  expect(await accessibilityProblems(owner.page)).toEqual([])

  await page.getByRole('button', { name: 'Remove a.txt' }).click()
  await page.getByText('Removed').waitFor()
  await expect(readFile(join(daemon.root, 'inbox/a(1).txt'))).rejects.toThrow('ENOENT')
})
