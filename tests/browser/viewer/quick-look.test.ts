import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { entryOf, selectedNames } from '../../helpers/browser/pages/files-page.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'

const open = pageOfFile()

const lookAt = (page: Page, name: string) => page.getByRole('region', { name: `Quick look: ${name}` })

it('Space shows the focused entry, the keys of the list walk on, and Escape gives the list back', async () => {
  await using shown = await open({ 'box/': '', 'one.txt': 'first words', 'README.md': '# Second title' })
  const { page } = shown
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await entryOf(page, 'one.txt').focus()
  await page.keyboard.press('Space')
  await lookAt(page, 'one.txt').getByText('first words').waitFor()
  await page.keyboard.press('ArrowDown')
  await lookAt(page, 'README.md').getByRole('heading', { name: 'Second title' }).waitFor()
  await page.keyboard.press('Home')
  await lookAt(page, 'box').waitFor()
  await page.keyboard.press('Space')
  await lookAt(page, 'box').waitFor({ state: 'detached' })

  await entryOf(page, 'one.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Quick look' }).click()
  await lookAt(page, 'one.txt').getByText('first words').click()
  await page.keyboard.press('Escape')
  await lookAt(page, 'one.txt').waitFor({ state: 'detached' })
  await expect
    .poll(async () => await page.evaluate(() => document.activeElement?.getAttribute('data-entry')))
    .toBe('one.txt')
  expect(await selectedNames(page)).toEqual(['one.txt'])

  await page.keyboard.press('Space')
  await lookAt(page, 'one.txt').getByRole('button', { name: 'Open' }).click()
  await page.waitForURL('**/files/one.txt')
})
