import { expect, it } from 'vitest'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { linkTo } from '../../helpers/browser/pages/public-page.ts'
import { viewerOf } from '../../helpers/browser/pages/viewer-page.ts'
import { zipOf } from '../../helpers/samples/epub.ts'
import { docxOf, odtOf, pptxOf, xlsxOf } from '../../helpers/samples/office.ts'
import { quarters } from '../../helpers/samples/pictures.ts'

const open = pageOfFile()
const PICTURE = await quarters(40, 40).png().toBuffer()
const RUN = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`

it('documents are shown in a frame without scripts, requests and an origin', async () => {
  const evil = Buffer.from('<script>top.document.title="stolen"</script><img src="https://example.org/spy.png">')
  const files = {
    'a.docx': docxOf(
      `<w:p><w:pPr><w:jc w:val="center"/></w:pPr>${RUN('Dear Ada')}</w:p><w:p><w:hyperlink r:id="out">${RUN('the link')}</w:hyperlink></w:p><w:altChunk r:id="chunk"/>`,
      'https://example.org/',
      { 'word/chunk.html': evil },
    ),
    'b.docx': docxOf(`<w:p><w:hyperlink r:id="out">${RUN('run me')}</w:hyperlink></w:p>`, 'javascript:alert(1)'),
    'c.odt': odtOf(
      '<style:style style:name="T1" style:family="text"><style:text-properties fo:font-weight="bold" fo:color="red;background:url(https://example.org/x)"/></style:style>',
      '<text:h text:outline-level="1">Heading</text:h><text:p>plain <text:span text:style-name="T1">bold</text:span></text:p><table:table><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>cell</text:p></table:table-cell></table:table-row></table:table><text:p><draw:frame svg:width="1cm"><draw:image xlink:href="Pictures/dot.png"/></draw:frame></text:p>',
      PICTURE,
    ),
    'd.pptx': pptxOf([['First slide', 'one', 'two'], ['Second slide']], PICTURE),
  }
  await using shown = await open(files)
  const { page } = shown
  const frameOf = async (name: string) => {
    await page.goto(`/files/${name}?view=true`)
    const frame = viewerOf(page).locator(`iframe[title="${name}"]`)
    expect(await frame.getAttribute('sandbox')).toBe('allow-popups allow-popups-to-escape-sandbox')
    return frame.contentFrame()
  }
  const letter = await frameOf('a.docx')
  expect(await letter.getByText('Dear Ada').evaluate((text) => getComputedStyle(text).textAlign)).toBe('center')
  expect(await letter.locator('script, iframe').count()).toBe(0)
  const link = letter.getByRole('link', { name: 'the link' })
  expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual(['_blank', 'noopener noreferrer'])

  expect(
    await (await frameOf('b.docx')).getByText('run me').locator('xpath=ancestor::a').getAttribute('href'),
  ).toBeNull()

  const text = await frameOf('c.odt')
  await text.getByRole('heading', { name: 'Heading' }).waitFor()
  expect(await text.getByText('bold').evaluate((word) => getComputedStyle(word).fontWeight)).toBe('700')
  expect(await text.locator('td').getAttribute('colspan')).toBe('2')
  expect(await text.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40)

  const slides = await frameOf('d.pptx')
  const title = slides.getByText('First slide')
  expect(await title.evaluate((word) => getComputedStyle(word).color)).toBe('rgb(31, 78, 153)')
  expect(await slides.locator('section').count()).toBe(2)
  expect(await page.title()).not.toBe('stolen')
})

it('workbooks are tables, and what cannot be shown can be downloaded', async () => {
  const files = {
    'a.xlsx': xlsxOf({ People: [['name'], ['Ada']], Towns: [['town'], ['London']] }),
    'locked.docx': Buffer.from('d0cf11e0a1b11ae100', 'hex'),
    'broken.pptx': 'no zip',
    'bomb.docx': zipOf({ 'word/document.xml': Buffer.alloc(40 * 1024 * 1024), x: Buffer.alloc(40 * 1024 * 1024) }),
  }
  await using shown = await open(files)
  const { page, daemon } = shown
  await page.goto('/files/a.xlsx?view=true')
  const viewer = viewerOf(page)
  await viewer.getByText('Ada').waitFor()
  await viewer.getByLabel('Sheet').selectOption('Towns')
  await viewer.getByText('London').waitFor()
  const sentences = {
    'locked.docx': 'This document is protected by a password.',
    'bomb.docx': 'This file is too large to be shown here.',
    'broken.pptx': 'This file cannot be shown.',
  }
  for (const [name, sentence] of Object.entries(sentences)) {
    await page.goto(`/files/${name}?view=true`)
    await viewer.getByText(sentence).waitFor()
    await viewer.getByRole('button', { name: 'Download' }).last().waitFor()
  }
  const hash = await linkTo(daemon, '/a.xlsx')
  await page.goto(`/share/${hash}?view=true`)
  await viewer.getByText('Ada').waitFor()
})
