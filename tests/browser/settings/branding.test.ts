import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { changeSettings } from '../../helpers/browser/change-settings.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { entryOf } from '../../helpers/browser/pages/files-page.ts'
import { linkTo } from '../../helpers/browser/pages/public-page.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const PALE = '#ffee00'

/** The current value of a colour token, as "rgb(…)". */
async function colourOf(page: Page, token: string): Promise<string> {
  return await page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = `var(${name})`
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }, token)
}

const background = async (page: Page) => await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
const LIGHT = 'rgb(247, 248, 250)'
const DARK = 'rgb(15, 20, 27)'

const open = pageOfFile()

describe('branding', () => {
  it('applies everywhere, stays readable in any colour, and reaches open pages at once', async () => {
    await using shown = await open({ 'letter.txt': 'hello' })
    const { page, daemon } = shown
    // Once this is listed, the page receives events.
    await writeFile(join(daemon.root, 'second.txt'), '')
    await entryOf(page, 'second.txt').waitFor()
    await changeSettings(daemon, { branding: { name: 'Our files', color: PALE } })
    await page.getByRole('link', { name: 'Our files' }).waitFor()
    await expect.poll(async () => await page.title()).toContain('Our files')
    await entryOf(page, 'letter.txt').click()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await accessibilityProblems(page, { rules: ['color-contrast'] })).toEqual([])
    }
    expect(await colourOf(page, '--accent')).toBe('rgb(255, 238, 0)')

    await changeSettings(daemon, { branding: { name: 'Theirs', color: '#8ab4ff', theme: 'light' } })
    await page.getByRole('link', { name: 'Theirs' }).waitFor()
    expect(await background(page)).toBe(LIGHT)
    await changeSettings(daemon, { branding: { name: '', color: '', theme: '' } })
    await page.getByRole('link', { name: 'filemgr', exact: true }).waitFor()
    expect([await background(page), await colourOf(page, '--accent')]).toEqual([DARK, 'rgb(138, 180, 255)'])
  })

  it('loads its style sheet last and replaces the default logo', async () => {
    await using folder = await tempFolder({
      'custom.css': ':root { --accent: rgb(1 2 3) } h1 { letter-spacing: 3px }',
      'img/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"/>',
    })
    await using daemon = await startTestServer({ files: { 'letter.txt': '' } })
    await changeSettings(daemon, { branding: { color: PALE, files: folder.path } })
    await using browser = await openBrowser(daemon.url)
    const { page } = browser
    await page.goto('/login')
    const heading = page.getByRole('heading')
    await heading.waitFor()
    expect(await colourOf(page, '--accent')).toBe('rgb(1, 2, 3)')
    expect(await heading.evaluate((element) => getComputedStyle(element).letterSpacing)).toBe('3px')
    const logo = page.locator('img[src$="/static/img/logo.svg"]')
    const size = async () => await logo.evaluate((image: HTMLImageElement) => [image.complete, image.height])
    expect(await size()).toEqual([true, 56])
    await page.goto(`/share/${await linkTo(daemon, '/letter.txt')}`)
    await page.getByText('letter.txt').first().waitFor()
    await expect.poll(size).toEqual([true, 24])
  })
})

describe('the theme', () => {
  it('follows the system until the user chooses one, also while the page is open', async () => {
    await using shown = await open({ 'letter.txt': '' })
    const { page } = shown
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await background(page)).toBe(LIGHT)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await background(page)).toBe(DARK)
    await page.evaluate(() => localStorage.setItem('filemgr:theme', 'light'))
    await page.reload()
    await entryOf(page, 'letter.txt').waitFor()
    expect(await background(page)).toBe(LIGHT)
  })

  it('is set before any other script runs', async () => {
    await using daemon = await startTestServer()
    await changeSettings(daemon, { branding: { theme: 'dark', color: PALE } })
    await using browser = await openBrowser(daemon.url, { cutsConnections: true, colorScheme: 'light' })
    const { page } = browser
    await page.route(/\/static\/(?!early\.js)[^/]+\.js$/, async (route) => await route.abort('connectionrefused'))
    await page.goto('/login')
    expect(await background(page)).toBe(DARK)
    expect(await colourOf(page, '--accent')).toBe('rgb(255, 238, 0)')
    await page.evaluate(() => localStorage.setItem('filemgr:theme', 'light'))
    await page.reload()
    expect(await background(page)).toBe(LIGHT)
  })
})
