import { expect, it } from 'vitest'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { quarters } from '../../helpers/samples/pictures.ts'
import { viewerOf } from '../../helpers/browser/pages/viewer-page.ts'

const open = pageOfFile()

it('a document has the theme of the page, a picture is on dark ground', async () => {
  const picture = await quarters(30, 20).png().toBuffer()
  await using shown = await open({ 'a.txt': 'words', 'b.png': picture })
  const { page } = shown
  const schemes: Record<string, string> = {}
  for (const name of ['a.txt', 'b.png']) {
    await page.goto(`/files/${name}?view=true`)
    schemes[name] = await viewerOf(page).evaluate((viewer) => getComputedStyle(viewer).colorScheme)
  }
  expect(schemes['b.png']).toBe('dark')
  expect(schemes['a.txt']).toBe(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme))
})

it('tables of Markdown keep the alignment of their columns', async () => {
  await using shown = await open({ 'a.markdown': '| a | b | c |\n| - | :-: | -: |\n| 1 | 2 | 3 |\n' })
  const { page } = shown
  await page.goto('/files/a.markdown?view=true')
  const cells = viewerOf(page).locator('td')
  await cells.first().waitFor()
  const alignments = await cells.evaluateAll((all) => all.map((cell) => getComputedStyle(cell).textAlign))
  expect(alignments.map((value) => value.replace('-webkit-', ''))).toEqual(['start', 'center', 'right'])
})
