import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { openFiles } from '../../helpers/browser/pages/files-page.ts'
import { pdfOf } from '../../helpers/samples/pdf-of.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { viewerOf } from '../../helpers/browser/pages/viewer-page.ts'

const TEXTS = Array.from({ length: 40 }, (_, index) => `This is sheet ${index + 1}`)

describe('a PDF in a browser without a PDF viewer', () => {
  it('is rendered by the page, only the visible pages, with selectable text', async () => {
    await using daemon = await startTestServer({ files: { 'a.pdf': pdfOf(TEXTS), 'b.pdf': '%PDF-1.4\nnothing' } })
    await using browser = await openFiles(daemon, { viewport: { width: 400, height: 700 } })
    const { page } = browser
    await page.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => false, configurable: true })",
    )
    await page.goto('/files/a.pdf')
    const viewer = viewerOf(page)
    const sheet = viewer.getByRole('document', { name: 'a.pdf' })
    await sheet.getByText('This is sheet 1', { exact: true }).waitFor()
    await sheet.getByRole('group', { name: 'Page 1 of 40' }).locator('canvas').waitFor()
    expect(await sheet.getByRole('group').count()).toBeLessThan(6)
    const bar = viewer.getByRole('toolbar', { name: 'Zoom' })
    await bar.getByText('Page 1 of 40').waitFor()
    const width = async () => (await sheet.getByRole('group').first().boundingBox())?.width ?? 0
    const fitted = await width()
    expect(fitted).toBeLessThanOrEqual(400)
    expect(fitted).toBeGreaterThan(350)
    await bar.getByRole('button', { name: 'Zoom in' }).click()
    await expect.poll(width).toBeCloseTo(fitted * 1.25, 0)
    await bar.getByRole('button', { name: 'Next page' }).click()
    await bar.getByText('Page 2 of 40').waitFor()
    await sheet.focus()
    await page.keyboard.press('End')
    await sheet.getByText('This is sheet 40', { exact: true }).waitFor()
    await bar.getByText('Page 40 of 40').waitFor()
    await expect.poll(async () => await sheet.getByText('This is sheet 1', { exact: true }).count()).toBe(0)
    expect(await accessibilityProblems(page)).toEqual([])

    await page.goto('/files/b.pdf')
    await viewer
      .getByRole('alert')
      .getByText(/It may be damaged/)
      .waitFor()
  })
})
