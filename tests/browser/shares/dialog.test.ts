import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { entryOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { clipboardOf, linksOf, openShare } from '../../helpers/browser/pages/share-page.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const FILES = { 'report.txt': 'the report', 'album/one.txt': '1' }
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] }

interface ListedShare {
  readonly hash: string
  readonly path: string
  readonly expire: number
  readonly hasPassword: boolean
}

describe('the links of a file', () => {
  it('are created with one click, copied, listed, changed, and deleted after a confirmation', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon, CLIPBOARD)
    const { page } = browser
    const listed = async () => (await (await daemon.fetch('/api/shares')).json()) as ListedShare[]
    const dialog = await openShare(page, 'report.txt')
    const create = dialog.getByRole('button', { name: 'Create and copy link' })
    await create.waitFor()
    expect(await listed()).toEqual([])
    expect(await dialog.getByRole('button', { name: '7 days', pressed: true }).count()).toBe(1)
    await expect.poll(async () => await create.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
    const [first] = await listed()
    expect(await clipboardOf(page)).toBe(`${daemon.url}share/${first?.hash}`)
    expect((first?.expire ?? 0) - Date.now() / 1000).toBeGreaterThan(7 * 86_400 - 600)
    await dialog.getByRole('button', { name: 'Copy the direct download link' }).click()
    await expect.poll(async () => await clipboardOf(page)).toBe(`${daemon.url}api/public/dl/${first?.hash}`)
    expect(await (await fetch(await clipboardOf(page))).text()).toBe('the report')
    await dialog.getByRole('button', { name: 'Copied' }).waitFor({ state: 'detached' })

    await dialog.getByRole('button', { name: 'New link' }).click()
    const another = page.getByRole('dialog', { name: 'New link for “report.txt”' })
    await another.getByRole('spinbutton', { name: 'Number' }).fill('2147483648')
    await another.getByRole('button', { name: 'Create and copy link' }).click()
    await another.getByText('Enter a whole number from 0 to 2147483647.', { exact: false }).waitFor()
    await another.getByRole('button', { name: 'Never' }).click()
    await another.getByText('It works until you delete it.').waitFor()
    await another.getByRole('button', { name: 'Generate a password' }).click()
    const password = await another.getByRole('textbox', { name: 'Password (optional)' }).inputValue()
    await another.getByRole('button', { name: 'Create and copy link' }).click()
    await dialog.getByText('Copy the password now. It will not be shown again.').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Copy password' }).click()
    await expect.poll(async () => await clipboardOf(page)).toBe(password)
    await expect.poll(async () => await linksOf(dialog).count()).toBe(2)
    await linksOf(dialog).first().getByText('Never expires').waitFor()
    const locked = linksOf(dialog)
      .first()
      .getByRole('button', { name: 'No direct download link: this link has a password' })
    expect(await locked.getAttribute('aria-disabled')).toBe('true')
    const guarded = (await listed()).find(({ hasPassword }) => hasPassword)
    const withPassword = { headers: { 'X-SHARE-PASSWORD': password } }
    expect((await fetch(`${daemon.url}api/public/share/${guarded?.hash}`)).status).toBe(401)
    expect((await fetch(`${daemon.url}api/public/share/${guarded?.hash}`, withPassword)).status).toBe(200)

    await linksOf(dialog).first().getByRole('button', { name: 'Edit link' }).click()
    const edit = page.getByRole('dialog', { name: 'Link to “report.txt”' })
    expect(await edit.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await edit.getByRole('checkbox', { name: 'Remove the password' }).check()
    await edit.getByRole('button', { name: 'On a date' }).click()
    await edit.getByLabel('Date and time').fill('2020-01-01T10:00')
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.getByText('This time is in the past. Choose a later one.').waitFor()
    await edit.getByLabel('Date and time').fill('2050-05-06T10:30')
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.waitFor({ state: 'detached' })
    const change = (await listed()).find(({ hash }) => hash === guarded?.hash)
    expect(change?.hasPassword).toBe(false)
    expect(Math.abs((change?.expire ?? 0) - (await localSeconds(page, '2050-05-06T10:30')))).toBeLessThan(2)

    await linksOf(dialog).first().getByRole('button', { name: 'Delete link' }).click()
    const question = page.getByRole('alertdialog', { name: 'Delete the link to “report.txt”?' })
    const keep = question.getByRole('button', { name: 'Keep it' })
    await expect.poll(async () => await keep.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    expect(await listed()).toHaveLength(2)
    for (const left of [1, 0]) {
      await linksOf(dialog).first().getByRole('button', { name: 'Delete link' }).click()
      await question.getByRole('button', { name: 'Delete link' }).click()
      // The page is notified after the deletion; until then the deleted link can still be clicked.
      await expect.poll(async () => await linksOf(dialog).count()).toBe(left)
      expect(await listed()).toHaveLength(left)
    }
    await create.waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  it('offer what visitors can do first, and the rest folded, unless it is set', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon, CLIPBOARD)
    const { page } = browser
    const dialog = await openShare(page, 'album')
    const kinds = dialog.getByRole('group', { name: 'Visitors can' }).getByRole('radio')
    await kinds.first().waitFor()
    expect(await kinds.evaluateAll((all) => all.map((kind) => kind.closest('label')?.textContent))).toEqual([
      'View and download',
      'View only',
      'View, download and upload',
      'Upload only',
    ])
    const message = dialog.getByRole('textbox', { name: 'Message for visitors' })
    expect(await message.isVisible()).toBe(false)
    await dialog.getByText('More options').click()
    await message.fill('Hello')
    await message.press('Enter')
    await message.pressSequentially('all')
    await dialog.getByRole('textbox', { name: 'Custom address' }).fill('?')
    await dialog.getByRole('button', { name: 'Create and copy link' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('textbox', { name: 'Custom address' }).fill('')
    expect(await message.isVisible()).toBe(true)
    expect(await accessibilityProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create and copy link' }).click()
    await linksOf(dialog).first().getByText('View and download').waitFor()
    await linksOf(dialog).first().getByRole('button', { name: 'Edit link' }).click()
    const edit = page.getByRole('dialog', { name: 'Link to “album”' })
    const same = edit.getByRole('textbox', { name: 'Message for visitors' })
    expect(await same.inputValue()).toBe('Hello\nall')
    expect(await same.isVisible()).toBe(true)
    await edit.getByRole('button', { name: 'Cancel' }).click()
  })

  it('are reachable from the menu, the viewer, the search and the palette', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon)
    const { page } = browser
    const menuItem = page.getByRole('menuitem', { name: 'Share', exact: true })
    const ofAlbum = page.getByRole('dialog', { name: 'Share “album”' })
    const ofOne = page.getByRole('dialog', { name: 'Share “one.txt”' })
    const close = async () => {
      await page
        .getByRole('dialog', { name: /^Share/ })
        .getByRole('button', { name: 'Cancel' })
        .waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: /^Share/ }).waitFor({ state: 'detached' })
    }
    await entryOf(page, 'album').click({ button: 'right' })
    await menuItem.click()
    await ofAlbum.waitFor()
    await close()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('Share')
    await page.getByRole('option', { name: 'Share', exact: true }).click()
    await ofAlbum.waitFor()
    await close()

    await page.goto('/files/album/one.txt?view=true')
    await page.getByRole('button', { name: 'Share', exact: true }).click()
    await ofOne.waitFor()
    await close()

    await page.goto('/files/')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByRole('combobox', { name: 'Search files' }).fill('one.txt')
    await page.getByRole('option').first().click({ button: 'right' })
    await menuItem.click()
    await ofOne.waitFor()
  })

  it('are not offered for several entries', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon)
    const { page } = browser
    const tools = page.getByRole('toolbar', { name: 'Selection actions', exact: true })
    await entryOf(page, 'report.txt').click()
    await tools.getByRole('button', { name: 'Share', exact: true }).waitFor()
    await page.keyboard.press('Control+a')
    await tools.getByText('2 selected').waitFor()
    expect(await tools.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0)
  })

  it('keep their form and its values when the server refuses', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon, { ...CLIPBOARD, expectedStatuses: [404] })
    const { page } = browser
    const dialog = await openShare(page, 'report.txt')
    await dialog.getByRole('textbox', { name: 'Password (optional)' }).fill('x'.repeat(73))
    await dialog.getByRole('button', { name: 'Create and copy link' }).click()
    await dialog.getByText('The password is too long. Use at most 72 bytes.').waitFor()
    await dialog.getByRole('textbox', { name: 'Password (optional)' }).fill('kept')
    await rm(join(daemon.root, 'report.txt'))
    await dialog.getByRole('button', { name: 'Create and copy link' }).click()
    await dialog.getByRole('alert').getByText('It no longer exists.').waitFor()
    expect(await dialog.getByRole('textbox', { name: 'Password (optional)' }).inputValue()).toBe('kept')
    await writeFile(join(daemon.root, 'report.txt'), 'again')
    await dialog.getByRole('button', { name: 'Create and copy link' }).click()
    await dialog.getByText('Copy the password now. It will not be shown again.').waitFor()
  })

  it('explain why copying failed, stay open, and can be sent to other apps', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon)
    const { page } = browser
    await page.evaluate(() => {
      navigator.share = (data) => {
        document.title = `${data?.title ?? ''} ${data?.url ?? ''}`
        return Promise.resolve()
      }
      navigator.clipboard.write = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
      navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))
      Reflect.set(document, 'execCommand', () => false)
      navigator.permissions.query = () => Promise.resolve({ state: 'prompt' } as PermissionStatus)
    })
    const dialog = await openShare(page, 'report.txt')
    await dialog.getByRole('button', { name: 'Create and copy link' }).click()
    await page.getByRole('alert').getByText('This browser does not support copying.').waitFor()
    await dialog.getByRole('link').waitFor()
    await page.evaluate(() => {
      navigator.permissions.query = () => Promise.resolve({ state: 'denied' } as PermissionStatus)
    })
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('alert').getByText('The browser did not allow copying.').waitFor()
    await dialog.getByRole('button', { name: 'Share link with another app' }).click()
    expect(await page.title()).toBe(`report.txt ${(await dialog.getByRole('link').getAttribute('href')) ?? ''}`)
  })
})

/** Unix seconds of a date and time in the time zone of the browser. */
async function localSeconds(page: Page, text: string): Promise<number> {
  return await page.evaluate((local) => new Date(local).getTime() / 1000, text)
}
