import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Locale } from '../../../src/domain/page-contract.ts'
import ar from '../../../ui/src/i18n/catalogues/ar.json' with { type: 'json' }
import de from '../../../ui/src/i18n/catalogues/de.json' with { type: 'json' }
import fr from '../../../ui/src/i18n/catalogues/fr.json' with { type: 'json' }
import he from '../../../ui/src/i18n/catalogues/he.json' with { type: 'json' }
import zhTw from '../../../ui/src/i18n/catalogues/zh-tw.json' with { type: 'json' }
import { openInArabic } from '../../helpers/browser/pages/arabic-page.ts'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { middleOf } from '../../helpers/browser/drag.ts'
import { openFiles } from '../../helpers/browser/pages/files-page.ts'
import { wavOf } from '../../helpers/samples/sound.ts'
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

describe('a right-to-left page', () => {
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
