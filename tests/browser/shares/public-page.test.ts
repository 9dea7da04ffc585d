import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { quarters } from '../../helpers/samples/pictures.ts'
import { downloadBy, linkTo, openLink, sharedEntry } from '../../helpers/browser/pages/public-page.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { eventually, viewerOf } from '../../helpers/browser/pages/viewer-page.ts'

describe('a shared file', () => {
  it('is a card with its facts, its folders and a QR code', async () => {
    const picture = await quarters(900, 600).png().toBuffer()
    await using daemon = await startTestServer({
      files: { 'p.png': picture, 'n.txt': 'words', 'README.md': '# Title' },
    })
    const hash = await linkTo(daemon, '/p.png')
    await using browser = await openLink(daemon, hash)
    const { page } = browser
    const card = page.getByRole('article', { name: 'p.png' })
    await card.getByRole('img', { name: 'Preview of p.png' }).waitFor()
    await card.getByRole('img', { name: 'QR code of the download link' }).waitFor()
    await card.getByText(/Modified:/).waitFor()
    expect(await card.getByText(/Link valid until/).count()).toBe(0)
    const saved = await downloadBy(page, async () => await card.getByRole('button', { name: 'Download' }).click())
    expect(saved).toEqual({ name: 'p.png', address: `${daemon.url}api/public/dl/${hash}` })
    await card.getByRole('link', { name: 'Open file' }).click()
    await viewerOf(page).getByRole('img', { name: 'p.png' }).waitFor()
    await page.keyboard.press('Escape')
    await card.waitFor()
    // Responses to visitors do not include the text: the viewer fetches the file.
    for (const [path, words] of [
      ['/n.txt', 'words'],
      ['/README.md', 'Title'],
    ] as const) {
      await page.goto(`/share/${await linkTo(daemon, path)}?view=true`)
      await viewerOf(page).getByText(words, { exact: true }).waitFor()
    }
  })

  it('with a password never puts its token into an address that can be passed on', async () => {
    await using daemon = await startTestServer({ files: { 'docs/a.txt': 'alpha' } })
    const hash = await linkTo(daemon, '/docs/', { password: 'open' })
    const headers = { 'X-SHARE-PASSWORD': 'open' }
    const answer = await fetch(`${daemon.url}api/public/share/${hash}`, { headers })
    const { token } = (await answer.json()) as { readonly token: string }
    await using browser = await openLink(daemon, `${hash}/a.txt?token=${token}`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const { page } = browser
    const card = page.getByRole('article', { name: 'a.txt' })
    await card.getByRole('img', { name: 'QR code of this link' }).waitFor()
    await eventually(async () => page.url()).toBe(`${daemon.url}share/${hash}/a.txt`)
    await card.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Link copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${daemon.url}share/${hash}/a.txt`)
    const saved = await downloadBy(page, async () => await card.getByRole('button', { name: 'Download' }).click())
    expect(new URL(saved.address).searchParams.get('token')).toBe(token)
    // The share stays open in this tab.
    await page.goto(`/share/${hash}`)
    await sharedEntry(page, 'a.txt').waitFor()
  })
})

describe('a link that does not open', () => {
  it('looks the same whether it has expired, was deleted or never existed', async () => {
    await using daemon = await startTestServer({ files: { 'a.txt': 'a' } })
    const removed = await linkTo(daemon, '/a.txt')
    await daemon.fetch(`/api/share/${removed}`, { method: 'DELETE' })
    await using browser = await openLink(daemon, removed, { expectedStatuses: [404] })
    const { page } = browser
    const texts: (string | null)[] = []
    for (const address of [removed, 'never', 'never/sub/folder/']) {
      await page.goto(`/share/${address}`)
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
      texts.push(await page.getByRole('main').textContent())
    }
    expect(new Set(texts).size).toBe(1)
  })

  it('opens by itself after a reconnect, and shows the wait after too many wrong passwords', async () => {
    await using daemon = await startTestServer({ files: { 'a.txt': 'a' } })
    const [open, closed] = [await linkTo(daemon, '/a.txt'), await linkTo(daemon, '/a.txt', { password: 'open' })]
    await using browser = await openLink(daemon, closed, { expectedStatuses: [401, 429, 500], cutsConnections: true })
    const { page, context } = browser
    await page.getByLabel('Password', { exact: true }).fill('open')
    await tryWrongPasswords(`${daemon.url}api/public/share/${closed}`, 13)
    await page.getByRole('button', { name: 'Open link' }).click()
    await page.getByText(/Too many wrong passwords\. Wait \d+ seconds/).waitFor()

    await context.route('**/api/public/share/**', async (route) => await route.abort('internetdisconnected'))
    await page.goto(`/share/${open}`)
    await page.getByRole('heading', { name: 'No connection' }).waitFor()
    await context.unroute('**/api/public/share/**')
    await page.getByRole('article', { name: 'a.txt' }).waitFor()

    await context.route('**/api/public/share/**', async (route) => await route.fulfill({ status: 500, body: 'no' }))
    await page.goto(`/share/${open}/?x`)
    await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor()
    await context.unroute('**/api/public/share/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('article', { name: 'a.txt' }).waitFor()
  })
})

/** Ten attempts are free; each further one doubles the wait, which must last until the page tries. */
async function tryWrongPasswords(url: string, count: number): Promise<void> {
  for (let tried = 0; tried < count;) {
    const { status, headers } = await fetch(url, { headers: { 'X-SHARE-PASSWORD': 'x' } })
    if (status === 429) await sleep(Number(headers.get('retry-after')) * 1000)
    else tried += 1
  }
}
