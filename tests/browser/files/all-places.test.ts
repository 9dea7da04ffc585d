import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { RootView } from '../../../src/domain/server/root.ts'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { startDrag } from '../../helpers/browser/drag.ts'
import { barButton, entryOf } from '../../helpers/browser/pages/files-page.ts'
import { toastOf } from '../../helpers/browser/pages/toasts.ts'
import { newSession } from '../../helpers/browser/sessions.ts'
import { startTestServer, type TestServer } from '../../helpers/browser/test-server.ts'
import { type TempFolder, tempFolder } from '../../helpers/temp-folder.ts'

const rowOf = (page: Page, name: string) => page.getByRole('grid', { name: 'Places' }).getByRole('row', { name })
const linkOf = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: new RegExp(`^${name}`) })

async function send(daemon: TestServer, method: string, path: string, body: object): Promise<Response> {
  const sent = JSON.stringify({ ...body, current_password: daemon.password })
  const reply = await daemon.fetch(path, { method, body: sent, headers: { 'Content-Type': 'application/json' } })
  if (!reply.ok) throw new Error(`${path} was answered by ${reply.status}: ${await reply.text()}`)
  return reply
}

/** Gives the administrator these folders besides the own one. @returns the ids of their roots */
async function give(daemon: TestServer, folders: Readonly<Record<string, TempFolder>>): Promise<string[]> {
  const places = []
  for (const [name, { path: location }] of Object.entries(folders)) {
    const { id } = (await (await send(daemon, 'POST', '/api/roots', { name, location })).json()) as RootView
    places.push({ root: id, scope: '/', name: '', rules: [], permissionRules: [] })
  }
  await send(daemon, 'PUT', '/api/users/1', { what: 'user', which: ['places'], data: { id: 1, places } })
  return places.map(({ root }) => root)
}

it('"/" lists several places, entries go from one to another, and one that is away says so', async () => {
  await using photos = await tempFolder({ 'hill.txt': 'hill', '2024/sea.txt': 'sea' })
  await using usb = await tempFolder({ 'kept.txt': 'kept' })
  await using daemon = await startTestServer({
    files: { 'letter.txt': 'letter', 'note.txt': 'note' },
    args: ['--roots-in', dirname(photos.path)],
  })
  const [, stick = ''] = await give(daemon, { Photos: photos, USB: usb })
  // No disk is mounted there.
  await send(daemon, 'PATCH', `/api/roots/${stick}`, { mountPoint: usb.path })
  await using browser = await openBrowser(daemon.url, {
    storageState: await newSession(daemon),
    expectedStatuses: [503],
  })
  const { page } = browser

  await page.goto('/files/')
  await rowOf(page, 'Home').waitFor()
  await linkOf(page, 'USB').waitFor()
  expect(await page.title()).toMatch(/^All places/)
  expect(await page.getByRole('row').getByRole('link').allInnerTexts()).toEqual(['Home', 'Photos', 'USB'])
  const make = page.getByRole('button', { name: 'New folder' })
  expect(await make.getAttribute('aria-disabled')).toBe('true')
  expect(await make.getAttribute('aria-description')).toBe('Open a place to add something to it.')
  await page.getByRole('status').getByText('USB is away').waitFor()
  await rowOf(page, 'USB').getByText('Away').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])

  await rowOf(page, 'USB').getByRole('link').click()
  await page.getByRole('heading', { name: 'USB is away' }).waitFor()
  await send(daemon, 'PATCH', `/api/roots/${stick}`, { mountPoint: '' })
  await entryOf(page, 'kept.txt').waitFor()

  await page.getByRole('complementary').getByRole('link', { name: 'All places' }).click()
  await rowOf(page, 'Home').focus()
  await page.keyboard.press('Shift+F10')
  const menu = page.getByRole('menu')
  await menu.getByRole('menuitem', { name: 'Share' }).waitFor()
  for (const absent of ['Rename', 'Move to…', 'Cut', 'Delete'])
    expect(await menu.getByRole('menuitem', { name: absent }).count(), absent).toBe(0)
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await page.locator('[role=row]:focus').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await entryOf(page, 'hill.txt').waitFor()
  expect(await page.title()).toMatch(/^Photos/)
  expect(await linkOf(page, 'Photos').getAttribute('aria-current')).toBe('page')

  // As between two disks, a drag copies.
  await startDrag(page, entryOf(page, 'hill.txt'), linkOf(page, 'Home'))
  await page.mouse.up()
  await toastOf(page, 'Copied “hill.txt” to Home').waitFor()
  await access(`${daemon.root}/hill.txt`)

  await entryOf(page, '2024').click()
  await barButton(page, 'Move to…').click()
  const tree = page.getByRole('dialog').getByRole('tree')
  await tree.getByRole('treeitem', { name: 'Home' }).click()
  await page.getByRole('button', { name: 'Move here' }).click()
  await toastOf(page, 'Moved “2024” to Home').waitFor()
  await access(`${daemon.root}/2024/sea.txt`)
  await page.keyboard.press('Control+z')
  await toastOf(page, 'Undone').waitFor()
  await access(photos.at('2024/sea.txt'))
})
