import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openBrowser } from '../helpers/browser.ts'
import { entryOf, gridOf, signIn } from '../helpers/files-page.ts'
import { startReverseProxy } from '../helpers/reverse-proxy.ts'
import { startTestDaemon } from '../helpers/test-daemon.ts'

const WITHIN = { timeout: 30_000 }

const cacheNames = async (page: Page) => await page.evaluate(async () => await caches.keys())

describe('the worker of the page', () => {
  it('goes with all it has kept when the server has none any more, and stays away', async () => {
    await using daemon = await startTestDaemon({ files: { 'folder/inside.txt': '' }, args: ['--baseURL', '/fb'] })
    await using proxy = await startReverseProxy(daemon.url)
    await using browser = await openBrowser(proxy.url, {
      serviceWorkers: 'allow',
      expectedStatuses: [404],
      cutsConnections: true,
    })
    const { page } = browser
    await page.goto(proxy.url)
    await signIn(page, daemon.username, daemon.password)
    await gridOf(page).waitFor()
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, WITHIN)
    expect(await cacheNames(page)).not.toEqual([])

    proxy.answer('/fb/static/sw.js', { status: 404, body: '', type: 'text/plain' })
    await page.reload()
    await entryOf(page, 'folder').waitFor()
    const workers = async () =>
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
    await expect.poll(workers, WITHIN).toBe(0)
    // The page that it still served may have had something kept once more.
    await page.reload()
    await entryOf(page, 'folder').waitFor()
    await expect.poll(async () => await cacheNames(page), WITHIN).toEqual([])
    expect(await workers()).toBe(0)
  })
})
