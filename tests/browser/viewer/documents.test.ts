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

it('code has colours, and a large file stays plain', async () => {
  const code = 'const answer = 42 // yes\n/* a\nb */ "text"\n'
  await using shown = await open({ 'a.ts': code, 'large.ts': code.repeat(10_000) })
  const { page } = shown
  const words = (text: string) => viewerOf(page).getByRole('document').getByText(text, { exact: true })
  const colourOf = async (text: string) =>
    await words(text)
      .first()
      .evaluate((word) => getComputedStyle(word).color)
  await page.goto('/files/a.ts?view=true')
  const kinds = ['const', '42', '// yes', '"text"']
  for (const word of kinds) await words(word).waitFor()
  const colours = await Promise.all(kinds.map(colourOf))
  expect(new Set(colours).size).toBe(kinds.length)
  // The comment goes on in the next line.
  expect(await colourOf('b */')).toBe(colours[2])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await colourOf('const')).not.toBe(colours[0])

  await page.goto('/files/large.ts?view=true')
  await words('const answer = 42 // yes').first().waitFor()
})
