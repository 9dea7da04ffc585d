import { expect, it } from 'vitest'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'

const open = pageOfFile()

it('a damaged archive is told of once, in the words of the page', async () => {
  await using shown = await open({ 'letters.zip': 'no archive' }, { expectedStatuses: [400] })
  const { page } = shown
  await page.goto('/files/letters.zip')
  const sentence = page.getByText('The archive is damaged, or is not what its name says.')
  await sentence.waitFor()
  expect(await sentence.count()).toBe(1)
  expect(await page.getByText('Details').count()).toBe(0)
  await page.getByRole('button', { name: 'Download' }).last().waitFor()
})
