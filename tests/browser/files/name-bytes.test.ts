import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { entryOf, gridOf } from '../../helpers/browser/pages/files-page.ts'
import { keepToasts, toastOf } from '../../helpers/browser/pages/toasts.ts'

const open = pageOfFile()

it('a sign that turns letters around is shown as a mark', async () => {
  const name = 'foto\u202egnp.exe'
  await using shown = await open({ [name]: '', [`\u2067${name}/inside.txt`]: '' })
  const { page } = shown
  const shownName = gridOf(page).getByText('foto\ufffdgnp.exe', { exact: true }).first()
  await shownName.hover()
  await gridOf(page).getByTitle('foto\ufffdgnp.exe', { exact: true }).first().waitFor()
  await gridOf(page).getByRole('checkbox', { name: 'Select foto\ufffdgnp.exe', exact: true }).click()
  await keepToasts(page)
  await page.keyboard.press('Delete')
  await toastOf(page, 'Moved “foto\ufffdgnp.exe” to the trash').waitFor()
  await gridOf(page).getByText('\ufffdfoto\ufffdgnp.exe', { exact: true }).dblclick()
  await entryOf(page, 'inside.txt').waitFor()
  await page
    .getByRole('navigation', { name: 'Breadcrumb' })
    .getByText('\ufffdfoto\ufffdgnp.exe', { exact: true })
    .waitFor()
})

it('names that are not UTF-8 open, download, are edited and renamed', async () => {
  await using shown = await open({ 'plain.txt': '' })
  const { page, daemon } = shown
  const at = (name: string) => Buffer.from(join(daemon.root, name), 'latin1')
  mkdirSync(at('\xff\xfe'))
  for (const name of ['bild\xe4.bin', 'caf\xe9.txt']) writeFileSync(at(`\xff\xfe/${name}`), 'latin1')
  await page.reload()
  // Lone surrogates cannot be part of a selector.
  const ending = (text: string) => gridOf(page).locator(`[data-entry$="${text}"]`)
  await gridOf(page).locator('[data-entry]:not([data-entry="plain.txt"])').dblclick()
  await page.waitForURL('**/files/%FF%FE/')
  await ending('.bin').waitFor()

  await ending('.bin').click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  expect(await readFile(await (await downloading).path(), 'utf8')).toBe('latin1')

  await ending('.txt').dblclick()
  await page.locator('.ace_line').getByText('latin1').waitFor()
  await page.locator('.ace_text-input').focus()
  await page.keyboard.type('not ')
  await page.keyboard.press('Control+s')
  await expect.poll(async () => await readFile(at('\xff\xfe/caf\xe9.txt'), 'utf8')).toBe('not latin1')
  await page.goto('/files/%FF%FE/')

  const field = page.getByRole('textbox', { name: /^New name/ })
  await ending('.txt').click()
  await expect
    .poll(async () => {
      await page.keyboard.press('F2')
      return await field.isVisible()
    })
    .toBe(true)
  await field.fill('café.txt')
  await field.press('Enter')
  await entryOf(page, 'café.txt').waitFor()
  expect(readdirSync(at('\xff\xfe'), { encoding: 'latin1' }).sort()).toEqual(['bild\xe4.bin', 'caf\xc3\xa9.txt'])
})
