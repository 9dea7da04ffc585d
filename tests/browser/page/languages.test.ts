import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Locale } from '../../../src/domain/page-contract.ts'
import ar from '../../../ui/src/i18n/catalogues/ar.json' with { type: 'json' }
import de from '../../../ui/src/i18n/catalogues/de.json' with { type: 'json' }
import fr from '../../../ui/src/i18n/catalogues/fr.json' with { type: 'json' }
import he from '../../../ui/src/i18n/catalogues/he.json' with { type: 'json' }
import zhTw from '../../../ui/src/i18n/catalogues/zh-tw.json' with { type: 'json' }
import { beyondTheirBoxes } from '../../helpers/browser/beyond-boxes.ts'
import { openInArabic } from '../../helpers/browser/pages/arabic-page.ts'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { middleOf } from '../../helpers/browser/drag.ts'
import { openFiles } from '../../helpers/browser/pages/files-page.ts'
import { wavOf } from '../../helpers/samples/sound.ts'
import { signedIn } from '../../helpers/browser/sessions.ts'
import { startTestServer, type TestServer } from '../../helpers/browser/test-server.ts'
import { intercept } from '../../helpers/browser/intercept.ts'
type LoginTexts = Pick<typeof de, 'login.username' | 'login.password' | 'login.submit'>

const LONG = 30_000

/** Language and direction of the page. */
async function direction(page: Page): Promise<string> {
  return await page.evaluate<string>('`${document.documentElement.lang} ${document.documentElement.dir}`')
}

async function signInWith(page: Page, daemon: TestServer, texts: LoginTexts): Promise<void> {
  await page.getByRole('textbox', { name: texts['login.username'] }).fill(daemon.username)
  await page.getByLabel(texts['login.password'], { exact: true }).fill(daemon.password)
  await page.getByRole('button', { name: texts['login.submit'] }).click()
}

/** Fields with an icon or a button where their text is. Runs in the page. */
function coveredTexts(fields: Element[]): string[] {
  return fields.flatMap((field) => {
    const { left, right } = field.getBoundingClientRect()
    const { paddingLeft, paddingRight } = getComputedStyle(field)
    const [start, end] = [left + Number.parseFloat(paddingLeft), right - Number.parseFloat(paddingRight)]
    const around = [...(field.parentElement?.children ?? [])].filter((other) => other !== field)
    const covers = around.some((other) => {
      const box = other.getBoundingClientRect()
      return box.right > start + 1 && box.left < end - 1
    })
    return covers ? [field.id] : []
  })
}

describe('the language of the page', () => {
  it.each([
    ['de-AT', 'de ltr', de],
    ['zh-Hant-HK', 'zh-tw ltr', zhTw],
    ['he-IL', 'he rtl', he],
  ])('is that of the browser before the user signs in (%s)', async (locale, expected, texts) => {
    await using daemon = await startTestServer()
    await using browser = await openBrowser(daemon.url, { locale })
    await browser.page.goto('/')
    await browser.page.getByRole('button', { name: texts['login.submit'] }).waitFor({ timeout: LONG })
    expect(await direction(browser.page)).toBe(expected)
  })

  it('is that of the account afterwards, and mirrors the page without a reload', async () => {
    await using daemon = await startTestServer({ files: { 'folder/inside.txt': '', 'letter.txt': 'hello' } })
    await using browser = await openBrowser(daemon.url, { locale: 'de' })
    const { page } = browser
    await page.goto('/settings/profile')
    await signInWith(page, daemon, de)
    // The language of the account is English.
    const choose = async (from: string, to: Locale): Promise<void> => {
      await page.getByRole('combobox', { name: from }).selectOption(to)
    }
    await page.getByRole('combobox', { name: 'Language' }).waitFor({ timeout: LONG })
    expect(await direction(page)).toBe('en ltr')
    await page.evaluate('window.notReloaded = true')
    await choose('Language', 'ar')
    await page.locator('html[lang=ar][dir=rtl]').waitFor({ timeout: LONG })
    await page.getByRole('navigation', { name: ar['shell.main'] }).waitFor({ timeout: LONG })
    await page.getByRole('link', { name: ar['files.root'] }).first().click()
    await page.getByRole('grid', { name: ar['files.files'] }).waitFor({ timeout: LONG })
    expect(await page.evaluate('window.notReloaded')).toBe(true)
  })
})

describe('long labels', () => {
  it('are not cut above and below a list', async () => {
    await using daemon = await startTestServer({ files: { 'a.txt': '' } })
    const body = JSON.stringify({ what: 'user', which: ['locale'], data: { id: 1, locale: 'de' } })
    await daemon.fetch('/api/users/1', { method: 'PUT', body })
    await using browser = await openBrowser(daemon.url, { storageState: signedIn(daemon) })
    const { page } = browser
    await page.goto('/files/')
    const toolbars = page.getByRole('toolbar')
    for (const width of [1280, 900, 400]) {
      await page.setViewportSize({ width, height: 800 })
      await page.reload()
      await page.locator('[data-entry="a.txt"]').click()
      await toolbars.getByText('1 ausgewählt').waitFor()
      expect.soft([width, ...(await toolbars.evaluateAll(beyondTheirBoxes))]).toEqual([width])
      for (const name of ['Herunterladen', 'Verschieben nach …'])
        await toolbars.getByRole('button', { name, exact: true }).waitFor()
    }
  })
})

describe('a right-to-left page', () => {
  it('shows sizes, and no icons or buttons over fields that read from left to right', async () => {
    await using daemon = await startTestServer({ files: { 'a.txt': '' } })
    await using browser = await openInArabic(daemon)
    const { page } = browser
    const sidebar = page.getByRole('complementary')
    await sidebar.getByText(/[GMT]iB/).waitFor()
    expect(await sidebar.innerText()).not.toContain('\ufffd')
    await page.goto('/settings/users/1')
    await page.locator('input[dir="ltr"] ~ button').first().waitFor()
    expect(await page.locator('input[dir="ltr"]').evaluateAll(coveredTexts)).toEqual([])
    await page.goto('/files/')
    await page.locator('[data-entry="a.txt"]').click()
    await page.getByRole('button', { name: ar['actions.share'] }).click()
    await page.getByRole('dialog').locator('input[dir="ltr"] ~ button').first().waitFor()
    expect(await page.locator('input[dir="ltr"]').evaluateAll(coveredTexts)).toEqual([])
  })

  it('mirrors dragging and arrow keys, but not timelines', async () => {
    await using daemon = await startTestServer({
      files: { 'notes.md': '# Notes', 'song.wav': wavOf(90) },
      args: ['--enable-exec'],
    })
    await using browser = await openInArabic(daemon)
    const { page } = browser
    const valueOf = async (element: Locator) => Number(await element.getAttribute('aria-valuenow'))
    const drag = async (element: Locator, x: number, y: number) => {
      const from = await middleOf(element)
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move(from.x + x, from.y + y, { steps: 4 })
      await page.mouse.up()
      return from
    }
    await page.locator('[data-entry="notes.md"]').dblclick()
    const splitter = page.getByRole('separator', { name: ar['editor.resizePreview'] })
    await splitter.press('ArrowLeft')
    await expect.poll(async () => await valueOf(splitter)).toBe(55)
    const { x } = await drag(splitter, -200, 0)
    // The border moves in steps of 1 % of the width.
    await expect.poll(async () => Math.abs((await middleOf(splitter)).x - (x - 200))).toBeLessThan(20)
    const wide = await valueOf(splitter)
    await splitter.press('ArrowRight')
    await expect.poll(async () => await valueOf(splitter)).toBe(wide - 5)
    await page.keyboard.press('Escape')

    await page.locator('[data-entry="song.wav"]').dblclick()
    const audio = page.locator('audio')
    // Until the length of the song is known, keys do nothing.
    await expect.poll(async () => await audio.evaluate((element: HTMLAudioElement) => element.duration)).toBe(90)
    await audio.evaluate((element: HTMLAudioElement) => (element.currentTime = 40))
    const time = async () => Math.round(await audio.evaluate((element: HTMLAudioElement) => element.currentTime))
    await page.keyboard.press('ArrowRight')
    await expect.poll(time).toBe(45)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(time).toBe(40)
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: ar['terminal.title'] }).click()
    const edge = page.getByRole('separator', { name: ar['terminal.resize'] })
    await edge.press('ArrowUp')
    await expect.poll(async () => await valueOf(edge)).toBe(432)
    await drag(edge, -100, 50)
    await expect.poll(async () => await valueOf(edge)).toBe(382)
  })
})

describe('the texts of a screen', () => {
  it('are fetched when it is first opened, and again after a network failure', async () => {
    await using daemon = await startTestServer({ files: { 'letter.txt': 'hello' } })
    await using browser = await openFiles(daemon, { cutsConnections: true })
    const { page } = browser
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/texts/')) asked.push(/texts\/(.*)-\w+\.json/.exec(request.url())?.[1] ?? '')
    })
    let failures = 0
    await intercept(page, '**/texts/en.settings-*', async (route) => {
      failures += 1
      await (failures === 1 ? route.abort('connectionreset') : route.continue())
    })
    await page.getByRole('link', { name: 'Profile' }).click()
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor({ timeout: LONG })
    expect(asked.filter((part) => part === 'en.settings')).toHaveLength(2)
    expect(asked.filter((part) => part.endsWith('.admin') || part.endsWith('.public'))).toEqual([])
  })

  it('format numbers and sizes for the language', async () => {
    await using daemon = await startTestServer({ files: { 'book.txt': 'x'.repeat(86_630) } })
    await using browser = await openBrowser(daemon.url, { locale: 'fr' })
    const { page } = browser
    await page.goto('/settings/profile')
    await signInWith(page, daemon, fr)
    await page.getByRole('combobox', { name: 'Language' }).selectOption('fr', { timeout: LONG })
    await page.getByRole('link', { name: fr['files.root'] }).first().click()
    await page.getByText('84,6 Kio').first().waitFor({ timeout: LONG })
  })
})
