import { describe, expect, it } from 'vitest'
import { quarters } from '../../helpers/samples/pictures.ts'
import { downloadBy, linkTo, openLink, sharedEntry, sharedGrid } from '../../helpers/browser/pages/public-page.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { eventually, viewerOf } from '../../helpers/browser/pages/viewer-page.ts'

const PHONE = { viewport: { width: 400, height: 800 }, hasTouch: true, isMobile: true }

describe('a shared folder', () => {
  it('with a password is opened, browsed and downloaded on a phone in under five taps', async () => {
    const picture = await quarters(900, 600).png().toBuffer()
    await using daemon = await startTestServer({
      files: { 'trip/a.png': picture, 'trip/b.png': picture, 'trip/notes.txt': 'n', 'trip/sub/x.txt': 'x' },
    })
    const hash = await linkTo(daemon, '/trip/', { password: 'otter salt+%' })
    await using browser = await openLink(daemon, hash, { ...PHONE, expectedStatuses: [401] })
    const { page } = browser
    let taps = 0
    const tap = async (target: ReturnType<typeof page.getByRole>) => {
      taps += 1
      await target.tap()
    }

    // The field has the focus, so the on-screen keyboard is open; its Enter key submits the form.
    const field = page.getByLabel('Password', { exact: true })
    await eventually(async () => await field.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.type('otter salt')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Wrong password').waitFor()
    await page.keyboard.type('otter salt+%')
    await page.keyboard.press('Enter')
    await tap(sharedEntry(page, 'a.png').getByRole('link'))
    await viewerOf(page).getByRole('img', { name: 'a.png' }).waitFor()
    await tap(viewerOf(page).getByRole('button', { name: 'Close' }))
    await tap(sharedEntry(page, 'b.png').getByRole('checkbox'))
    const saved = await downloadBy(page, async () => {
      await tap(
        page
          .getByRole('toolbar', { name: 'Selection actions, touch' })
          .getByRole('button', { name: 'Download', exact: true }),
      )
    })
    expect(saved.name).toBe('b.png')
    expect(taps).toBeLessThan(5)

    // A token is kept for this visit; the password is neither stored nor requested again.
    await page.reload()
    await sharedEntry(page, 'a.png').waitFor()
    const kept = await page.evaluate(() =>
      JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]),
    )
    expect(kept).not.toContain('otter')
    await using other = await openLink(daemon, hash, { expectedStatuses: [401] })
    await other.page.getByRole('heading', { name: 'This link is protected by a password' }).waitFor()
  })

  it('is navigated by mouse and keys, and restores its scroll position', async () => {
    const many = Object.fromEntries(Array.from({ length: 230 }, (_, index) => [`docs/f${index}.txt`, `${index}`]))
    await using daemon = await startTestServer({
      files: { ...many, 'docs/a sub/deep/d.txt': 'deep', 'docs/README.md': '# Read me\n\n[in](f3.txt)' },
    })
    const hash = await linkTo(daemon, '/docs', { expires: '3', unit: 'days' })
    await using browser = await openLink(daemon, hash)
    const { page } = browser
    await page.getByText('1 folder, 231 files').waitFor()
    await page.getByText(/Link valid until/).waitFor()
    expect(await page.title()).toBe('docs · filemgr')
    await page.getByRole('heading', { name: 'Read me' }).waitFor()

    expect(await sharedGrid(page).getAttribute('aria-rowcount')).toBe('101')
    await page.getByRole('button', { name: '+ 132 more' }).click()
    await page.getByRole('button', { name: '+ 32 more' }).click()
    expect(await sharedGrid(page).getAttribute('aria-rowcount')).toBe('233')
    expect(await page.getByRole('button', { name: /more$/ }).count()).toBe(0)

    // Visitors choose their own sort order, and keys reach entries far below.
    await sharedEntry(page, 'a sub').focus()
    await page.keyboard.press('End')
    await eventually(async () => await page.evaluate(() => document.activeElement?.getAttribute('data-entry'))).toBe(
      'README.md',
    )
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await viewerOf(page).getByRole('document', { name: 'f229.txt' }).getByText('229').waitFor()
    await page.keyboard.press('Escape')
    await eventually(async () => await page.evaluate(() => document.activeElement?.getAttribute('data-entry'))).toBe(
      'f229.txt',
    )
    expect(await sharedGrid(page).getAttribute('aria-rowcount')).toBe('233')
    await page.getByRole('button', { name: 'Size' }).click()
    await page.getByRole('columnheader', { name: 'Size' }).and(page.locator('[aria-sort=ascending]')).waitFor()

    await page.keyboard.press('Home')
    await sharedEntry(page, 'a sub').dblclick()
    await sharedEntry(page, 'deep').dblclick()
    await sharedEntry(page, 'd.txt').waitFor()
    expect(page.url()).toBe(`${daemon.url}share/${hash}/a%20sub/deep/`)
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
    expect(await crumbs.getByRole('link').allTextContents()).toEqual(['docs', 'a sub', 'deep'])
    await crumbs.getByRole('link', { name: 'docs' }).click()
    await sharedEntry(page, 'f0.txt').waitFor()
    await page.getByRole('link', { name: 'in', exact: true }).click()
    await page.getByRole('article', { name: 'f3.txt' }).getByRole('link', { name: 'Open file' }).waitFor()
  })

  it('with a password downloads a selection whose names are too long for an address', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `${'日本語'.repeat(26)}${index}.txt`)
    const files = Object.fromEntries([...names, 'other.txt'].map((name) => [`docs/${name}`, name]))
    await using daemon = await startTestServer({ files })
    const hash = await linkTo(daemon, '/docs', { password: 'otter salt' })
    await using browser = await openLink(daemon, hash, { expectedStatuses: [401] })
    const { page } = browser
    await page.getByLabel('Password', { exact: true }).fill('otter salt')
    await page.keyboard.press('Enter')
    await sharedEntry(page, 'other.txt').waitFor()
    await sharedEntry(page, 'other.txt').click()
    await page.keyboard.press('Control+a')
    await sharedEntry(page, 'other.txt').getByRole('checkbox').click()
    const tools = page.getByRole('toolbar', { name: 'Selection actions' })
    await tools.getByText('30 selected').waitFor()
    const saved = await downloadBy(
      page,
      async () => await tools.getByRole('button', { name: 'Download', exact: true }).click(),
    )
    expect(saved.name).toBe('_docs.zip')
    expect(new URL(saved.address).searchParams.get('selection')).toMatch(/^[\w-]{24}$/)
  })

  it('downloads a selection in the chosen format, and everything with one button', async () => {
    await using daemon = await startTestServer({ files: { 'docs/a.txt': 'a', 'docs/b.txt': 'b', 'docs/c/d.txt': 'd' } })
    const hash = await linkTo(daemon, '/docs')
    await using browser = await openLink(daemon, hash, { permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = browser
    await sharedEntry(page, 'a.txt').click()
    const tools = page.getByRole('toolbar', { name: 'Selection actions' })
    await tools.getByText('1 selected').waitFor()
    await tools.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Link copied').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${daemon.url}share/${hash}/a.txt`)
    await sharedEntry(page, 'b.txt').click({ modifiers: ['Shift'] })
    await tools.getByText('2 selected').waitFor()
    await tools.getByRole('button', { name: 'Download as' }).click()
    const dialog = page.getByRole('dialog', { name: 'Download 2 items' })
    await dialog.waitFor()
    expect(await dialog.getByRole('radio').count()).toBe(9)
    await dialog.getByRole('radio', { name: /^\.tar\.gz/ }).check()
    const chosen = await downloadBy(
      page,
      async () => await dialog.getByRole('button', { name: 'Download .tar.gz' }).click(),
    )
    expect(chosen.name).toBe('_docs.tar.gz')
    expect(new URL(chosen.address).searchParams.get('files')).toBe('a.txt,b.txt')
    await page.keyboard.press('Escape')
    // The last format is the default.
    const all = await downloadBy(page, async () => await page.getByRole('button', { name: 'Download all' }).click())
    expect([all.name, new URL(all.address).searchParams.get('files')]).toEqual(['docs.tar.gz', null])

    await sharedEntry(page, 'c').click({ button: 'right' })
    const folder = await downloadBy(page, async () => await page.getByRole('menuitem', { name: 'Download' }).click())
    expect(folder.name).toBe('c.tar.gz')
  })
})
