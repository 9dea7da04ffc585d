import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { linkTo } from '../../helpers/browser/pages/public-page.ts'
import type { TestServer } from '../../helpers/browser/test-server.ts'

const open = pageOfFile()

const focused = async (page: Page) =>
  await page.evaluate(() => document.activeElement?.textContent || document.activeElement?.getAttribute('aria-label'))

/** A file is in the way of the copy. */
const failToCopy = async (daemon: TestServer) =>
  await daemon.fetch('/api/resources/dir?action=copy&override=true&destination=%2Fto%2Fdir', { method: 'PATCH' })

it('a bell tells what failed or is used up, leads to it, and is read on all devices', async () => {
  await using shown = await open({ 'a.txt': 'a', 'dir/b': 'b', 'to/dir': 'in the way' })
  const { daemon, page } = shown
  const hash = await linkTo(daemon, '/a.txt', { terms: { maxDownloads: 1 } })
  expect((await fetch(`${daemon.url}/api/public/dl/${hash}`)).status).toBe(200)
  expect((await failToCopy(daemon)).status).toBe(409)

  const bell = (name: string) => page.getByRole('button', { name, exact: true })
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await bell('New notifications: 2').press('Enter')
  const fresh = panel.getByRole('region', { name: 'New' }).getByRole('listitem')
  await fresh.nth(1).waitFor()
  expect(await fresh.first().innerText()).toMatch(/Copying: “dir”[^]*A file is in the way of a folder\./)
  expect(await accessibilityProblems(page, { inside: ['[role=dialog]'] })).toEqual([])
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  expect(await focused(page)).toBe('New notifications: 2')

  await page.keyboard.press('Enter')
  await panel.getByRole('button', { name: 'Mark all as read' }).press('Enter')
  await panel.getByRole('region', { name: 'Earlier' }).getByRole('listitem').nth(1).waitFor()
  expect(await fresh.count()).toBe(0)
  expect(await focused(page)).toBe('All read')
  await panel.getByRole('button', { name: 'The link to “a.txt” has reached its limit' }).click()
  const links = page.getByRole('dialog', { name: /a\.txt/ })
  await links.getByText('Limit reached').waitFor()
  await page.keyboard.press('Escape')
  await links.waitFor({ state: 'detached' })
  await bell('Notifications').waitFor()

  await failToCopy(daemon)
  await page.getByRole('status').filter({ hasText: 'New notifications: 1' }).waitFor({ state: 'attached' })
  await bell('New notifications: 1').waitFor()

  const change = { what: 'user', which: ['quotaFiles'], data: { id: 1, quotaFiles: 1 } }
  const body = JSON.stringify({ ...change, current_password: daemon.password })
  expect((await daemon.fetch('/api/users/1', { method: 'PUT', body })).status).toBe(200)
  await page.reload()
  await bell('New notifications: 2').click()
  await panel.getByRole('button', { name: 'Your storage is full' }).click()
  await page.getByRole('heading', { name: 'What takes up room' }).waitFor()
})
