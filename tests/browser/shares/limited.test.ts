import { expect, it } from 'vitest'
import { quarters } from '../../helpers/samples/pictures.ts'
import { downloadBy, linkTo, openLink, sharedEntry } from '../../helpers/browser/pages/public-page.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { eventually, viewerOf } from '../../helpers/browser/pages/viewer-page.ts'

it('a link with a limit is spent by what the visitor asks for only, and says what is left', async () => {
  const picture = await quarters(900, 600).png().toBuffer()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  await using daemon = await startTestServer({
    files: { 'docs/a.png': picture, 'docs/b.svg': svg, 'docs/c.txt': 'words', 'docs/README.md': '# Title' },
  })
  const hash = await linkTo(daemon, '/docs/', { terms: { maxDownloads: 2 } })
  const counted = async () => {
    const [share] = (await (await daemon.fetch('/api/shares?details=true')).json()) as { downloads: number }[]
    return share?.downloads
  }
  // Of drawings there is no small picture.
  await using browser = await openLink(daemon, hash, { expectedStatuses: [501] })
  const { page } = browser
  await page.getByText('downloads left: 2').waitFor()
  await page.getByRole('button', { name: 'Show as gallery' }).click()
  await page.locator('[data-entry="a.png"] img').waitFor()
  await sharedEntry(page, 'a.png').dblclick()
  const card = page.getByRole('article', { name: 'a.png' })
  await card.getByRole('img', { name: 'Preview of a.png' }).waitFor()
  expect(await counted()).toBe(0)

  await card.getByRole('link', { name: 'Open file' }).click()
  await viewerOf(page).getByRole('img', { name: 'a.png' }).waitFor()
  await page.keyboard.press('Escape')
  await downloadBy(page, async () => await card.getByRole('button', { name: 'Download' }).click())
  await card.getByText('downloads left: 1').waitFor()
  expect(await counted()).toBe(1)

  await page.goto(`/share/${hash}/c.txt`)
  const other = page.getByRole('article', { name: 'c.txt' })
  await downloadBy(page, async () => await other.getByRole('button', { name: 'Download' }).click())
  await other.getByText('The limit of this link is reached').waitFor()
  await eventually(async () => await other.getByRole('button', { name: 'Download' }).count()).toBe(0)
  await page.goto(`/share/${hash}`)
  await page.getByText('The limit of this link is reached').waitFor()
  expect(await page.getByRole('button', { name: 'Download all' }).count()).toBe(0)
})
