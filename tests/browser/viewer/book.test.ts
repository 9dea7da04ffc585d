import { describe, expect, it } from 'vitest'
import { epubOf } from '../../helpers/samples/epub.ts'
import { openFiles } from '../../helpers/browser/pages/files-page.ts'
import { quarters } from '../../helpers/samples/pictures.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { showFile, showForReading, eventually, viewerOf } from '../../helpers/browser/pages/viewer-page.ts'
import { intercept } from '../../helpers/browser/intercept.ts'

const LONG = '<p>It was a long night, and nobody slept. </p>'.repeat(200)
const STEAL = 'top.document.documentElement.dataset.stolen=1'

const open = pageOfFile()

describe('a book in the viewer', () => {
  it('is read page by page, by chapters and in larger letters, and reopens at the last page', async () => {
    const picture = await quarters(40, 30).png().toBuffer()
    const book = epubOf(
      'The Night',
      {
        Beginning: `<h1>Beginning</h1>${LONG}`,
        End: '<h1>End</h1><p class="red">last <img src="dot.png" alt="dot"/></p>',
      },
      picture,
    )
    await using shown = await open({ 'night.epub': book })
    const { page } = shown
    await showFile(page, 'night.epub')
    const viewer = viewerOf(page)
    const text = viewer.frameLocator('iframe[title="The Night"]')
    await text.getByRole('heading', { name: 'Beginning' }).waitFor()
    const place = viewer.getByText(/^Chapter 1 · 1 \/ /)
    await place.waitFor()
    const pages = Number((await place.textContent())?.split('/')[1])
    expect(pages).toBeGreaterThan(2)
    await page.keyboard.press('ArrowRight')
    await viewer.getByText(`Chapter 1 · 2 / ${pages}`).waitFor()
    await viewer.getByRole('button', { name: 'Larger text' }).click()
    await viewer.getByText('130%').waitFor()
    await eventually(async () => {
      const shown = await viewer.getByText(/^Chapter 1/).textContent()
      return Number(shown?.split('/')[1])
    }).toBeGreaterThan(pages)
    await viewer.getByRole('button', { name: 'Contents' }).click()
    await page.getByRole('menuitemradio', { name: 'End' }).click()
    await text.getByRole('heading', { name: 'End' }).waitFor()
    const dot = text.getByRole('img', { name: 'dot' })
    await eventually(async () => await dot.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40)
    expect(await text.getByText('last').evaluate((element) => getComputedStyle(element).color)).toBe('rgb(200, 0, 0)')
    await page.reload()
    await text.getByRole('heading', { name: 'End' }).waitFor()
    await viewer.getByText('130%').waitFor()
  })

  it('that fails to load is not called damaged and can be retried, and so can a table', async () => {
    const files = { 'night.epub': epubOf('Night', { One: '<h1>One</h1>' }, Buffer.alloc(0)), 'a.csv': 'Name\nAda\n' }
    await using daemon = await startTestServer({ files })
    await using browser = await openFiles(daemon, { cutsConnections: true })
    const { page } = browser
    const viewer = viewerOf(page)
    for (const name of Object.keys(files)) {
      await intercept(page, '**/api/raw/**', async (route) => await route.abort())
      await showForReading(page, name)
      await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
      await page.unroute('**/api/raw/**')
      await page.getByRole('button', { name: 'Try again' }).click()
      await viewer.locator('iframe[title="Night"]').or(viewer.getByRole('table')).waitFor()
    }
  })

  it('runs no script, handler or link of a book that attacks its reader (CVE-2026-34529)', async () => {
    const chapter = `<h1>Trap</h1><script>${STEAL}</script><svg><script>${STEAL}</script></svg>
      <p onclick="${STEAL}">words</p><a href="javascript:${STEAL}">click me</a>
      <iframe srcdoc="&lt;script&gt;${STEAL}&lt;/script&gt;"></iframe><object data="x.html"></object>
      <form action="/api/logout"><input name="a"/><button>Send</button></form>
      <img src="https://example.org/spy.png" alt="spy"/><meta http-equiv="refresh" content="0;url=https://example.org/"/>`
    await using shown = await open({ 'trap.epub': epubOf('Trap', { One: chapter }, Buffer.alloc(0)) })
    const { page } = shown
    await showFile(page, 'trap.epub')
    const frame = viewerOf(page).locator('iframe')
    expect(await frame.getAttribute('sandbox')).toBe('allow-same-origin')
    const text = viewerOf(page).frameLocator('iframe')
    await text.getByText('words').click()
    await text.getByText('click me').click()
    expect(await text.locator('script, iframe, object, form, input, button, svg, meta[http-equiv]').count()).toBe(0)
    expect(await text.locator('[onclick], [href^="javascript"], [src^="http"]').count()).toBe(0)
    expect(await page.locator('html').getAttribute('data-stolen')).toBeNull()
  })

  it('says that it is damaged', async () => {
    await using shown = await open({ 'broken.epub': 'PK\0\u0001 and nothing else' })
    await showFile(shown.page, 'broken.epub')
    await viewerOf(shown.page).getByRole('alert').getByText('It may be damaged').waitFor()
  })
})
