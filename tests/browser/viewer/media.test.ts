import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { wavOf } from '../../helpers/samples/sound.ts'
import { goWithin } from '../../helpers/browser/go-within.ts'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { entryOf } from '../../helpers/browser/pages/files-page.ts'
import { openViewer, showFile, shownFile, eventually, viewerOf } from '../../helpers/browser/pages/viewer-page.ts'

const SUBTITLES = '1\n00:00:00,000 --> 00:00:05,000\nHello from the film\n'

/** Status if no program for video thumbnails is installed. */
const NO_PICTURE = 501

const open = pageOfFile()

describe('videos, audio files and tables in the viewer', () => {
  it('plays a video with subtitles, at other speeds and by keys', async () => {
    const film = await readFile(join(import.meta.dirname, '../../fixtures/film.webm'))
    const files = {
      'a.txt': 'before',
      'film.webm': film,
      'film.de.srt': SUBTITLES,
      'film.en.srt': SUBTITLES,
      'broken.webm': 'no film',
    }
    await using shown = await open(files, { expectedStatuses: [NO_PICTURE] })
    const { page } = shown
    await showFile(page, 'film.webm')
    const video = viewerOf(page).locator('video')
    await eventually(async () => await video.evaluate((element: HTMLVideoElement) => element.textTracks[0]?.mode)).toBe(
      'showing',
    )
    expect(await video.evaluate((element: HTMLVideoElement) => element.textTracks[0]?.label)).toBe('de')
    await eventually(async () => {
      return await video.evaluate((element: HTMLVideoElement) => element.textTracks[0]?.cues?.length ?? 0)
    }).toBe(1)
    const player = viewerOf(page).getByRole('toolbar', { name: 'Player' })
    const shownTracks = async () =>
      await video.evaluate(({ textTracks }: HTMLVideoElement) =>
        [...textTracks].flatMap(({ label, mode }) => (mode === 'showing' ? [label] : [])),
      )
    await player.getByRole('button', { name: 'Subtitles' }).click()
    await page.getByRole('menuitemradio', { name: 'en' }).click()
    await eventually(shownTracks).toEqual(['en'])
    await page.keyboard.press('c')
    await eventually(shownTracks).toEqual([])
    await page.keyboard.press('c')
    await eventually(shownTracks).toEqual(['en'])
    await player.getByText('1×').click()
    await page.getByRole('menuitemradio', { name: '1.5×' }).click()
    await player.getByText('1.5×').waitFor()
    await page.keyboard.press('<')
    await player.getByText('1.25×').waitFor()
    await player.getByRole('button', { name: 'Back 5 s' }).click()
    await page.keyboard.press('k')
    await eventually(async () => await video.evaluate((element: HTMLVideoElement) => element.played.length)).toBe(1)
    expect(await shownFile(page)).toBe('film.webm')
    const next = viewerOf(page).getByRole('button', { name: 'Next', exact: true })
    const place = await next.boundingBox()
    await page.keyboard.press('Shift+ArrowLeft')
    await eventually(async () => await shownFile(page)).toBe('film.en.srt')
    await page.keyboard.press('ArrowLeft')
    await eventually(async () => await shownFile(page)).toBe('film.de.srt')
    expect(await next.boundingBox()).toEqual(place)
    await page.keyboard.press('ArrowLeft')
    await viewerOf(page).getByRole('alert').getByText('This browser cannot play this file').waitFor()
    expect(await shownFile(page)).toBe('broken.webm')
  })

  it('plays the audio files of a folder in order, and resumes at the last position', async () => {
    await using shown = await open({ '1 short.wav': wavOf(1), '2 long.wav': wavOf(90), 'cover.txt': '' })
    const { page } = shown
    await showFile(page, '1 short.wav')
    await viewerOf(page)
      .getByRole('list', { name: 'Songs in this folder' })
      .getByText('2 long', { exact: true })
      .waitFor()
    await page.keyboard.press('Space')
    await eventually(async () => await shownFile(page)).toBe('2 long.wav')
    await eventually(async () => await timeOf(page)).toBeGreaterThan(0)
    await page.keyboard.press('Space')
    await viewerOf(page)
      .locator('audio')
      .evaluate((element: HTMLAudioElement) => (element.currentTime = 40))
    await page.keyboard.press('ArrowRight')
    await eventually(async () => Math.round(await timeOf(page))).toBe(45)
    await page.reload()
    await eventually(async () => Math.round(await timeOf(page))).toBe(45)
  })

  it('goes on playing when a song is left, with a player at the bottom of every screen', async () => {
    await using shown = await open({ 'one.wav': wavOf(90), 'two.wav': wavOf(90), 'inside/c.txt': 'c' })
    const { page } = shown
    await showFile(page, 'one.wav')
    await viewerOf(page).getByRole('list', { name: 'Songs in this folder' }).getByText('two', { exact: true }).waitFor()
    await page.keyboard.press('Space')
    await eventually(async () => await heard(page)).toMatchObject({ paused: false })
    await page.keyboard.press('Escape')
    const player = page.getByRole('region', { name: 'Player' })
    await player.getByText('one', { exact: true }).waitFor()
    await goWithin(page, '/files/inside/')
    await entryOf(page, 'c.txt').waitFor()
    const before = (await heard(page)).time
    await eventually(async () => (await heard(page)).time).toBeGreaterThan(before)
    await player.getByRole('button', { name: 'Next' }).click()
    await player.getByText('two', { exact: true }).waitFor()
    expect(await player.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true)
    await player.getByRole('slider', { name: 'Position' }).fill('40')
    await eventually(async () => (await heard(page)).time).toBeGreaterThanOrEqual(40)
    // The viewer of the song takes the player over, and gives it back.
    await player.getByRole('link').click()
    await eventually(async () => await shownFile(page)).toBe('two.wav')
    await player.waitFor({ state: 'detached' })
    expect(await heard(page)).toMatchObject({ paused: false, count: 1 })
    await page.keyboard.press('Escape')
    await player.getByRole('button', { name: 'Play or pause' }).click()
    await eventually(async () => await heard(page)).toMatchObject({ paused: true })
    await player.getByRole('button', { name: 'Close' }).click()
    await player.waitFor({ state: 'detached' })
    expect(await heard(page)).toMatchObject({ count: 0 })
  })

  it('shows a table that can be sorted, filtered and read with another separator', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `Person ${index};${(index * 7) % 3000}`)
    await using shown = await open({ 'data.csv': ['Name;Amount', ...lines].join('\n') })
    const { page } = shown
    await showFile(page, 'data.csv')
    const table = viewerOf(page).getByRole('table', { name: 'data.csv' })
    await viewerOf(page).getByText('3,000 rows').waitFor()
    await table.getByRole('cell', { name: 'Person 0', exact: true }).waitFor()
    expect(await table.getByRole('row').count()).toBeLessThan(120)
    const amount = table.getByRole('columnheader', { name: 'Amount' })
    await amount.getByRole('button').click()
    await amount.getByRole('button').click()
    await table.getByRole('row').nth(1).getByRole('cell', { name: '2999' }).waitFor()
    expect(await amount.getAttribute('aria-sort')).toBe('descending')
    await viewerOf(page).getByRole('searchbox', { name: 'Filter rows' }).fill('person 12')
    await viewerOf(page).getByText('111 / 3,000 rows').waitFor()
    await viewerOf(page).getByRole('combobox', { name: 'Separator' }).selectOption(',')
    await table.getByRole('columnheader', { name: 'Name;Amount' }).waitFor()
    await viewerOf(page).getByRole('checkbox', { name: 'First row is a header' }).uncheck()
    await table.getByRole('columnheader', { name: 'A', exact: true }).waitFor()
  })

  it('shows a PDF in a frame without scripts', async () => {
    await using daemon = await startTestServer({ files: { 'a.pdf': '%PDF-1.4\n%%EOF\n' } })
    await using browser = await openViewer(daemon, 'a.pdf', { wholeBrowser: true })
    const { page } = browser
    const frame = viewerOf(page).locator('iframe')
    await frame.waitFor()
    expect(await frame.getAttribute('src')).toBe('/api/raw/a.pdf?inline=true')
    const answer = await daemon.fetch('/api/raw/a.pdf?inline=true')
    expect(answer.headers.get('content-security-policy')).toBe("script-src 'none'; frame-ancestors 'self'")
  })
})

/** The audio element, wherever it is. */
async function heard(page: Page): Promise<{ count: number; paused: boolean; time: number }> {
  return await page.evaluate(() => {
    const [audio, ...others] = document.querySelectorAll('audio')
    const { paused = true, currentTime: time = 0 } = audio ?? {}
    return { count: others.length + (audio === undefined ? 0 : 1), paused, time }
  })
}

async function timeOf(page: Page): Promise<number> {
  return await viewerOf(page)
    .locator('audio')
    .evaluate((element: HTMLAudioElement) => element.currentTime)
}
