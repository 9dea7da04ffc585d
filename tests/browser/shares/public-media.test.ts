import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { pdfOf } from '../../helpers/samples/pdf-of.ts'
import { linkTo, openLink, sharedEntry } from '../../helpers/browser/pages/public-page.ts'
import { wavOf } from '../../helpers/samples/sound.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import { shownFile, eventually, viewerOf } from '../../helpers/browser/pages/viewer-page.ts'

const SUBTITLES = '1\n00:00:00,000 --> 00:00:05,000\nHello from the film\n'

/** Status if no program for video thumbnails is installed. */
const NO_PICTURE = 501

describe('videos, audio files and documents of a share', () => {
  it.each(['', '/fb'])('are played and shown below "%s", a video with its subtitles', async (base) => {
    const film = await readFile(join(import.meta.dirname, '../../fixtures/film.webm'))
    await using daemon = await startTestServer({
      files: {
        'media/a film.webm': film,
        'media/a film.de.srt': SUBTITLES,
        'media/b 1.wav': wavOf(1),
        'media/b 2.wav': wavOf(90),
        'media/c.pdf': pdfOf(['First sheet', 'Second sheet']),
      },
      args: ['--baseURL', base],
    })
    const hash = await linkTo(daemon, '/media', { password: 'open' })
    await using browser = await openBrowser(daemon.url, { expectedStatuses: [401, NO_PICTURE] })
    const { page } = browser
    await page.addInitScript(
      "Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => false, configurable: true })",
    )
    await page.goto(`${daemon.url}share/${hash}`)
    await page.getByLabel('Password', { exact: true }).fill('open')
    await page.keyboard.press('Enter')
    await sharedEntry(page, 'a film.webm').dblclick()
    const video = viewerOf(page).locator('video')
    const cues = async () =>
      await video.evaluate((element: HTMLVideoElement) =>
        [...(element.textTracks[0]?.cues ?? [])].map((cue) => (cue as VTTCue).text),
      )
    await eventually(cues).toEqual(['Hello from the film'])
    await page.keyboard.press('Escape')
    await sharedEntry(page, 'b 1.wav').dblclick()
    await viewerOf(page).getByRole('list', { name: 'Songs in this folder' }).getByText('b 2', { exact: true }).waitFor()
    await page.keyboard.press('k')
    await eventually(async () => await shownFile(page)).toBe('b 2.wav')
    await page.keyboard.press('Escape')
    await sharedEntry(page, 'c.pdf').dblclick()
    await viewerOf(page).getByRole('document', { name: 'c.pdf' }).getByText('First sheet').waitFor()
  })
})

describe('a link that expires while it is open', () => {
  it('says so on the next request, and also reports an unreachable server', async () => {
    await using daemon = await startTestDaemon({ files: { 'docs/a/x.txt': 'x', 'docs/b/y.txt': 'y', 'c/z.txt': 'z' } })
    const [first, second, third] = [
      await linkTo(daemon, '/docs'),
      await linkTo(daemon, '/docs'),
      await linkTo(daemon, '/docs'),
    ]
    await using browser = await openLink(daemon, first, { expectedStatuses: [401, 404], cutsConnections: true })
    const { page } = browser
    const gone = page.getByRole('heading', { name: 'This link does not work' })
    const open = async (hash: string) => {
      await page.goto(`/share/${hash}`)
      await sharedEntry(page, 'a').waitFor()
    }
    await sharedEntry(page, 'a').waitFor()
    await daemon.fetch(`/api/share/${first}`, { method: 'DELETE' })
    await sharedEntry(page, 'a').dblclick()
    await gone.waitFor()

    await open(second)
    const body = JSON.stringify({ expires: '1', unit: 'seconds' })
    const changed = await daemon.fetch(`/api/shares/${second}`, { method: 'PUT', body })
    expect([changed.status, await changed.text()]).toEqual([200, expect.any(String)])
    await eventually(async () => (await fetch(`${daemon.url}api/public/share/${second}`)).status).toBe(404)
    await sharedEntry(page, 'b').dblclick()
    await gone.waitFor()

    await open(third)
    const closing = JSON.stringify({ password: 'from now on' })
    expect((await daemon.fetch(`/api/shares/${third}`, { method: 'PUT', body: closing })).status).toBe(200)
    await sharedEntry(page, 'a').dblclick()
    await page.getByRole('heading', { name: 'This link is protected by a password' }).waitFor()
    await page.getByLabel('Password', { exact: true }).fill('from now on')
    await page.keyboard.press('Enter')
    await sharedEntry(page, 'x.txt').waitFor()
    await page.goBack()
    await sharedEntry(page, 'b').waitFor()
    await daemon.stop('SIGKILL')
    await sharedEntry(page, 'b').dblclick()
    await page.getByRole('heading', { name: 'No connection' }).waitFor()
  })
})
