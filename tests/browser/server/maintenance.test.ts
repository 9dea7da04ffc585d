import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { gridOf, openFiles, signIn } from '../../helpers/browser/pages/files-page.ts'
import { dropHalfWay, waitForUploadHeading, networkOf } from '../../helpers/browser/pages/upload-page.ts'
import { startTestServer, type TestServer } from '../../helpers/browser/test-server.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const BEN = { username: 'ben', password: 'quiet harbour morning' }

async function addBen(daemon: TestServer): Promise<void> {
  const data = { ...BEN, scope: '/', perm: { create: true, download: true } }
  const body = JSON.stringify({ what: 'user', which: [], data, current_password: daemon.password })
  expect((await daemon.fetch('/api/users', { method: 'POST', body })).status).toBe(201)
}

const noticeOf = (page: Page) => page.getByRole('dialog', { name: 'Under maintenance' })
const banner = 'Maintenance mode is on: only administrators have access.'

const overflowOf = async (page: Page) =>
  await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

it('an administrator begins maintenance; users see the notice, and afterwards their upload continues', async () => {
  const content = randomBytes(8_000_000)
  await using mine = await tempFolder({ 'large.bin': content })
  await using daemon = await startTestServer({ files: { 'there.txt': '' } })
  await addBen(daemon)
  await using browser = await openBrowser(daemon.url, { expectedStatuses: [503], cutsConnections: true })
  const { page } = browser
  await page.goto('/login')
  await signIn(page, BEN.username, BEN.password)
  await gridOf(page).waitFor()
  const network = await networkOf(page)
  await network.limit(200_000)
  await dropHalfWay(page, join(mine.path, 'large.bin'), daemon.root)

  await using office = await openFiles(daemon)
  await office.page.goto('/settings/global/maintenance')
  await office.page.getByRole('textbox', { name: 'Message' }).fill('New disks')
  await office.page.getByRole('button', { name: 'Begin maintenance' }).click()
  await office.page.getByText(banner).first().waitFor()

  await noticeOf(page).getByText('New disks').waitFor()
  await noticeOf(page).getByText('Your uploads continue then, too.').waitFor()
  await page.keyboard.press('Escape')
  for (const width of [1280, 400]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await noticeOf(page).isVisible()).toBe(true)
    expect(await overflowOf(page)).toBe(0)
  }

  await office.page.getByRole('button', { name: 'End maintenance' }).click()
  await office.page.getByText(banner).first().waitFor({ state: 'detached' })
  await network.restore()
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await noticeOf(page).waitFor({ state: 'detached' })
  await waitForUploadHeading(page, /^Uploaded 1 item/)
  expect(await readFile(join(daemon.root, 'large.bin'))).toEqual(content)
})

it('a page that is opened during maintenance shows the notice, and lets administrators sign in', async () => {
  await using daemon = await startTestServer({ files: { 'there.txt': '' } })
  const begun = await daemon.fetch('/api/maintenance', { method: 'PUT', body: '{}' })
  expect(begun.status).toBe(200)
  await using browser = await openBrowser(daemon.url, { expectedStatuses: [503] })
  const { page } = browser
  await page.goto('/files/')
  await noticeOf(page).getByRole('link', { name: 'Sign in' }).click()
  await page.getByText(banner).waitFor()
  await signIn(page, daemon.username, daemon.password)
  await gridOf(page).waitFor()
  await page.getByText(banner).waitFor()
  expect(await noticeOf(page).count()).toBe(0)
})
