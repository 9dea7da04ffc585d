import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { entryOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { openShare } from '../../helpers/browser/pages/share-page.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const PASSWORD = 'correct horse battery staple'

it('a folder is shared with a person, who finds it under "Shared with me" and may do what was given', async () => {
  const files = { 'album/one.txt': '1', 'home/mine/two.txt': '2', 'home/drop/three.txt': '3' }
  await using daemon = await startTestServer({ files })
  const send = async (path: string, body: object) =>
    await daemon.fetch(path, { method: 'POST', body: JSON.stringify(body) })
  const perm = { create: true, rename: true, modify: true, delete: true, share: true, download: true }
  const data = { username: 'bob', password: PASSWORD, scope: '/home', perm }
  expect((await send('/api/users', { what: 'user', which: [], current_password: daemon.password, data })).status).toBe(
    201,
  )

  // The last look is at something that is shared no longer.
  await using browser = await openFiles(daemon, { expectedStatuses: [404] })
  const { page } = browser
  const dialog = await openShare(page, 'album')
  await dialog.getByRole('button', { name: 'People here' }).click()
  await dialog.getByRole('combobox', { name: 'Add people' }).fill('bo')
  await dialog.getByRole('option', { name: 'bob' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.keyboard.press('Enter')
  await dialog.getByRole('combobox', { name: 'bob may' }).selectOption({ label: 'Edit' })
  const given = async () => (await (await daemon.fetch('/api/grants')).json()) as { allows: string; expires: number }[]
  await expect.poll(async () => (await given()).map(({ allows }) => allows)).toEqual(['edit'])
  await dialog.getByRole('button', { name: 'End for bob:' }).click()
  await dialog.getByRole('listitem').getByRole('button', { name: 'On a date' }).click()
  await dialog.getByLabel('Date and time').fill('2999-12-31T18:00')
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  const end = new Date('2999-12-31T18:00').getTime() / 1000
  await expect.poll(async () => Math.round(((await given())[0]?.expires ?? 0) - end)).toBeLessThan(60)
  await dialog.getByRole('button', { name: 'Done' }).click()

  const token = await (await send('/api/login', { username: 'bob', password: PASSWORD })).text()
  const giveByBob = async (path: string, allows: string) => {
    const body = JSON.stringify({ path, to: { user: daemon.username }, allows })
    const ofBob = { method: 'POST', body, headers: { 'X-Auth': token } }
    expect((await fetch(`${daemon.url}api/grants`, ofBob)).status).toBe(200)
  }
  await giveByBob('/mine', 'view')
  const mine = page.getByRole('link', { name: /^Shared with me/ })
  await mine.getByText('1').waitFor()
  await mine.click()
  await page.getByRole('heading', { name: 'Shared with me', level: 1 }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('table').getByRole('link', { name: 'mine' }).click()
  await entryOf(page, 'two.txt').waitFor()
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
  expect(await crumbs.getByRole('link').allInnerTexts()).toEqual(['', 'Shared with me', 'mine (bob)'])
  await entryOf(page, 'two.txt').click()
  const toolbar = page.getByRole('toolbar', { name: 'Selection actions', exact: true })
  await toolbar.getByRole('button', { name: 'Open' }).waitFor()
  for (const absent of ['Download', 'Share', 'Copy to', 'Delete'])
    expect(await toolbar.getByRole('button', { name: absent, exact: true }).count(), absent).toBe(0)
  expect(await page.title()).toMatch(/^mine \(bob\)/)
  await entryOf(page, 'two.txt').press('Shift+F10')
  const menu = page.getByRole('menu')
  await menu.getByRole('menuitem', { name: /^Open/ }).first().waitFor()
  for (const absent of ['Download', 'Rename', 'Move to…', 'Delete'])
    expect(await menu.getByRole('menuitem', { name: absent }).count(), absent).toBe(0)
  await page.keyboard.press('Escape')
  await entryOf(page, 'two.txt').press('Enter')
  await page.getByRole('button', { name: 'More actions', exact: true }).click()
  await menu.getByRole('menuitem').first().waitFor()
  expect(await menu.getByRole('menuitem', { name: 'Download' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.goBack()
  await entryOf(page, 'two.txt').waitFor()
  await crumbs.getByRole('link', { name: 'Shared with me' }).click()
  await page.getByRole('button', { name: 'More actions for mine' }).click()
  await page.getByRole('menuitem', { name: 'Remove from my list' }).click()
  await page.getByText('Nothing is shared with you yet').waitFor()
  const read = async (path: string) => await readFile(join(daemon.root, path), 'utf8').catch(() => undefined)
  expect(await read('home/mine/two.txt')).toBe('2')

  // What takes files is offered where they are copied or moved to, and undone from there.
  await giveByBob('/drop', 'edit')
  await giveByBob('/mine', 'download')
  const row = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) })
  await page.goto(`${daemon.url}files/album/`)
  await page
    .getByRole('link', { name: /^Shared with me/ })
    .getByText('2')
    .waitFor()
  await entryOf(page, 'one.txt').click()
  await toolbar.getByRole('button', { name: 'Move to' }).click()
  await row('Shared with me').press('ArrowRight')
  await row('drop').click()
  await page.getByText('To Shared with me / drop (bob)').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Move here' }).click()
  await expect.poll(async () => await read('home/drop/one.txt')).toBe('1')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => await read('album/one.txt')).toBe('1')

  const beside = encodeURIComponent('/album/')
  await page.goto(`${daemon.url}files/.filemgr-shared/mine%20(bob)/?end=${beside}`)
  const [shared, own] = ['start', 'end'].map((side) => page.locator(`[data-pane=${side}]`))
  const two = shared?.locator('[data-entry="two.txt"]')
  await two?.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy to the other pane' }).waitFor()
  expect(await page.getByRole('menuitem', { name: /^(Move|Cut)/ }).count()).toBe(0)
  await page.keyboard.press('Escape')
  if (own !== undefined) await two?.dragTo(own, { targetPosition: { x: 200, y: 400 } })
  await expect.poll(async () => await read('album/two.txt')).toBe('2')
  expect(await read('home/mine/two.txt')).toBe('2')
})
