import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { beyondTheirBoxes } from '../../helpers/browser/beyond-boxes.ts'
import { goWithin } from '../../helpers/browser/go-within.ts'
import { entryOf, openFiles, waitForWholePage } from '../../helpers/browser/pages/files-page.ts'
import { keepToasts, toastOf } from '../../helpers/browser/pages/toasts.ts'
import { servedText } from '../../helpers/browser/served-files.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const PHONE = { viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true }
/** Distance in pixels from the centre that must still be tappable. */
const REACH = 21

/** Whether a tap at this distance from the centre hits the control. */
async function isTappable(control: Locator): Promise<boolean> {
  return await control.evaluate((element, reach) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    const around = [-reach, reach].flatMap((off) => [
      document.elementFromPoint(x, y + off),
      document.elementFromPoint(x + off, y),
    ])
    return around.every((hit) => hit !== null && element.contains(hit))
  }, REACH)
}

describe('on a phone', () => {
  it('buttons can be tapped slightly outside their visible edge', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': 'one', 'people.csv': 'name,age\nann,1' } })
    await using browser = await openFiles(daemon, PHONE)
    const { page } = browser
    await waitForWholePage(page)
    await entryOf(page, 'notes.txt').getByRole('checkbox').click()
    await page.keyboard.press('Alt+Enter')
    const details = page.getByRole('dialog', { name: 'Details' })
    await expectTappable(page, details.getByRole('button', { name: 'Calculate SHA-256' }))
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
    await goWithin(page, '/files/people.csv?view=true')
    await expectTappable(page, page.getByRole('columnheader', { name: 'age' }).getByRole('button'))
    await goWithin(page, '/files/notes.txt')
    await expectTappable(page, page.getByRole('group', { name: 'File status' }).getByRole('button', { name: 'Text' }))
    await goWithin(page, '/settings/users')
    await expectTappable(page, page.getByRole('link', { name: daemon.username, exact: true }))
  })

  it('the trash has a title, and an empty folder offers each action only once', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': '', 'empty/': '' } })
    await using browser = await openFiles(daemon, PHONE)
    const { page } = browser
    await page.getByRole('button', { name: 'Upload', exact: true }).waitFor()
    await goWithin(page, '/files/empty/')
    await page.getByRole('button', { name: 'Upload files' }).waitFor()
    expect(await page.getByRole('button', { name: 'Upload', exact: true }).count()).toBe(0)
    await goWithin(page, '/trash')
    const box = await page.getByRole('heading', { name: 'Trash', level: 1 }).boundingBox()
    expect(box?.height).toBeGreaterThan(10)
    expect(box?.y).toBeLessThan(50)
  })

  it('rows of the trash stay in their places, and all actions of a selection fit', async () => {
    const name = 'Minutes of the general meeting of all members, second draft.txt'
    await using daemon = await startTestServer({ files: { [name]: 'one', 'b.txt': 'two', 'c.txt': '' } })
    for (const each of [name, 'b.txt'])
      await daemon.fetch(`/api/resources/${encodeURIComponent(each)}?trash=true`, { method: 'DELETE' })
    await using browser = await openFiles(daemon, { ...PHONE, viewport: { width: 360, height: 800 } })
    const { page } = browser
    await page.route('**/api/trash*', async (route) => {
      const answer = await route.fetch()
      const deleted = new Date(Date.now() - 59 * 60_000).toISOString()
      const items = (await answer.json()) as readonly object[]
      await route.fulfill({ response: answer, json: items.map((item) => ({ ...item, deleted })) })
    })
    await page.request.put(`${daemon.url}api/users/1`, {
      headers: { 'x-auth': daemon.token },
      data: { what: 'user', which: ['locale'], data: { id: 1, locale: 'de' } },
    })
    await page.goto('/trash')
    const rows = page.getByRole('list', { name: 'Inhalt des Papierkorbs' }).getByRole('listitem')
    await rows.first().getByText('Vor 59 Minuten').waitFor()
    expect(await rows.evaluateAll(beyondTheirBoxes)).toEqual([])
    await rows.first().getByRole('checkbox').click()
    for (const label of ['Wiederherstellen', 'Endgültig löschen'])
      await page.getByRole('button', { name: label, exact: true }).waitFor()
    expect(await page.getByRole('toolbar').evaluateAll(beyondTheirBoxes)).toEqual([])
  })

  it('Undo in the toast restores deleted files, also after a rename was undone with the keyboard', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': 'one', 'draft.txt': 'two' } })
    await using browser = await openFiles(daemon, PHONE)
    const { page } = browser
    await waitForWholePage(page)
    await entryOf(page, 'notes.txt').focus()
    await page.keyboard.press('Control+Space')
    await page.keyboard.press('F2')
    await page.getByRole('textbox', { name: 'New name for notes.txt' }).fill('uno.txt')
    await page.keyboard.press('Enter')
    await entryOf(page, 'uno.txt').waitFor()
    await page.keyboard.press('Control+z')
    await entryOf(page, 'notes.txt').waitFor()
    await keepToasts(page)
    await entryOf(page, 'draft.txt').focus()
    await page.keyboard.press('Control+Space')
    await page.keyboard.press('Delete')
    await entryOf(page, 'draft.txt').waitFor({ state: 'detached' })
    await toastOf(page, 'to the trash').getByRole('button', { name: 'Undo' }).click()
    await entryOf(page, 'draft.txt').waitFor()
    expect(await servedText(daemon, 'draft.txt')).toBe('two')
  })
})

async function expectTappable(page: Page, control: Locator): Promise<void> {
  await control.scrollIntoViewIfNeeded()
  await expect.poll(async () => await isTappable(control), { message: page.url() }).toBe(true)
}
