import { describe, expect, it } from 'vitest'
import { entryOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { share } from '../../helpers/browser/pages/share-page.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const FILES = { 'report.txt': 'the report', 'pictures/one.txt': '1' }

describe('the listing', () => {
  it('marks shared entries, and counts their links in the details', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await share(daemon, '/report.txt', { password: 'secret' })
    await share(daemon, '/pictures/')
    await using browser = await openFiles(daemon)
    const { page } = browser
    const open = page.getByRole('img', { name: 'Shared by a link', exact: true })
    const guarded = page.getByRole('img', { name: 'Shared by a link with a password' })
    const filter = page.getByRole('button', { name: 'Filter' })
    const place = await filter.boundingBox()
    // Visible without hovering.
    await entryOf(page, 'report.txt').and(page.locator(':has([role=img])')).waitFor()
    await page.mouse.move(600, 400)
    await page.getByRole('button', { name: 'Details', exact: true }).waitFor()
    expect(await filter.boundingBox()).toEqual(place)
    await entryOf(page, 'report.txt').click()
    expect([await open.count(), await guarded.count()]).toEqual([1, 1])
    await share(daemon, '/report.txt')
    await entryOf(page, 'report.txt').locator(open).waitFor()
    await page.keyboard.press('Alt+Enter')
    await page.getByRole('dialog', { name: 'Details' }).getByText('2 links').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Details' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    for (const view of ['List', 'Mosaic', 'Gallery']) {
      await page.getByRole('group', { name: 'View' }).getByRole('button', { name: view }).click()
      await expect.poll(async () => await open.count()).toBe(2)
    }
  })
})
