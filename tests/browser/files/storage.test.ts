import { expect, it } from 'vitest'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { entryOf } from '../../helpers/browser/pages/files-page.ts'

const open = pageOfFile()

it('shows what takes the room from the usage in the sidebar, as a map whose parts open', async () => {
  const files = {
    'films/long.mkv': 'x'.repeat(6000),
    'films/old/short.mkv': 'x'.repeat(3000),
    'notes.txt': 'x'.repeat(1000),
  }
  await using shown = await open(files)
  const { page } = shown
  await page
    .getByRole('complementary')
    .getByRole('link', { name: /^Storage/ })
    .click()
  const list = page.getByRole('list', { name: 'Folders and files by size' })
  await list.getByRole('link', { name: 'films' }).waitFor()
  const tile = (name: string) => page.locator('[data-tile]').filter({ hasText: name })
  const areaOf = async (name: string) => {
    const { width, height } = (await tile(name).boundingBox()) ?? { width: 0, height: 0 }
    return width * height
  }
  expect((await areaOf('films')) / (await areaOf('notes.txt'))).toBeCloseTo(9, 0)
  await tile('films').click()
  await list.getByRole('link', { name: 'old' }).waitFor()
  await page.goBack()
  await list.getByRole('link', { name: 'films' }).waitFor()
  await page.getByRole('button', { name: 'Oldest files' }).click()
  await page.getByRole('table', { name: 'Oldest files' }).getByRole('link', { name: 'short.mkv' }).waitFor()
  await page.getByRole('link', { name: 'Show the files' }).click()
  await entryOf(page, 'films').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('option').first().waitFor()
  await page.keyboard.type('takes up')
  await page.getByRole('option', { name: /What takes up room/ }).click()
  await list.getByRole('link', { name: 'films' }).waitFor()
  await page.getByRole('link', { name: 'Show the files' }).click()
  await entryOf(page, 'films').waitFor()
  await page.setViewportSize({ width: 400, height: 800 })
  await page.goBack()
  await page.getByRole('button', { name: 'Folders', exact: true }).click()
  await list.waitFor()
  expect(await tile('films').isVisible()).toBe(false)
})
