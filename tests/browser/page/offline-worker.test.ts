import type { Page, Worker } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { entryOf, gridOf, signIn } from '../../helpers/browser/pages/files-page.ts'
import { startReverseProxy } from '../../helpers/browser/reverse-proxy.ts'
import { servedText } from '../../helpers/browser/served-files.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const cacheNames = async (page: Page) => await page.evaluate(async () => await caches.keys())

async function hasWaiting(page: Page): Promise<boolean> {
  return await page.evaluate(async () => ((await navigator.serviceWorker.getRegistration())?.waiting ?? null) !== null)
}

/** The versions of the cached page. */
async function keptVersions(page: Page): Promise<(string | undefined)[]> {
  return (await cacheNames(page)).filter((name) => name.includes(':assets:')).map((name) => name.split(':').at(-1))
}

/**
 * Watches the messages to the worker.
 *
 * @returns a function that waits until a window has asked it to take over, and returns the number of windows
 */
async function watchTakeOver(worker: Worker): Promise<() => Promise<number>> {
  await worker.evaluate(() => {
    const { clients } = globalThis as unknown as { clients: { matchAll(which: object): Promise<readonly unknown[]> } }
    addEventListener('message', ({ data }: MessageEvent<{ type: string }>) => {
      if (data.type !== 'take-over') return
      // The same query as in the worker.
      const windows = clients.matchAll({ type: 'window', includeUncontrolled: true })
      void windows.then(({ length }) => Object.assign(globalThis, { windowsFound: length }))
    })
  })
  const found = async () =>
    await worker.evaluate(() => (globalThis as unknown as { windowsFound?: number }).windowsFound ?? 0)
  return async () => {
    await expect.poll(found).toBeGreaterThan(0)
    const count = await found()
    await worker.evaluate(() => Object.assign(globalThis, { windowsFound: 0 }))
    return count
  }
}

describe('the service worker', () => {
  it('stays active while two windows are open, and an update loses no typed text', async () => {
    await using daemon = await startTestServer({ files: { 'notes.txt': 'one' }, args: ['--baseURL', '/fb'] })
    await using proxy = await startReverseProxy(daemon.url)
    await using browser = await openBrowser(proxy.url, { serviceWorkers: 'allow', cutsConnections: true })
    const { page, context } = browser
    await page.goto(proxy.url)
    await signIn(page, daemon.username, daemon.password)
    await gridOf(page).waitFor()
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    const versions = await keptVersions(page)
    const [version = ''] = versions
    expect(versions).toHaveLength(1)
    const other = await context.newPage()
    await other.goto(`${proxy.url}files/notes.txt`)
    await other.getByRole('textbox', { name: 'Content of notes.txt' }).waitFor()
    await other.keyboard.type('mine ')
    await page.getByRole('button', { name: 'New folder' }).click()
    const name = page.getByRole('dialog', { name: 'New folder' }).getByRole('textbox')
    await name.fill('plans')

    const newer = (await (await fetch(`${daemon.url}static/sw.js`)).text()).replaceAll(version, 'newer123')
    proxy.answer('/fb/static/sw.js', { status: 200, body: newer, type: 'text/javascript' })
    const coming = context.waitForEvent('serviceworker')
    await page.evaluate(async () => {
      await (await navigator.serviceWorker.getRegistration())?.update()
    })
    const worker = await coming
    await expect.poll(async () => await hasWaiting(page)).toBe(true)
    const windowsWhenAsked = await watchTakeOver(worker)
    expect(await name.inputValue()).toBe('plans')
    await name.press('Enter')
    await entryOf(page, 'plans').waitFor()
    await page.reload()
    await entryOf(page, 'plans').waitFor()
    expect(await windowsWhenAsked()).toBeGreaterThan(1)
    // The other window still needs the files of its version.
    expect(await hasWaiting(page)).toBe(true)
    expect(await keptVersions(page)).toContain(version)
    await other.keyboard.press('Control+s')
    await expect.poll(async () => await servedText(daemon, 'notes.txt')).toBe('mine one')
  })

  it('removes itself and its caches when the server no longer offers it', async () => {
    await using daemon = await startTestServer({ files: { 'folder/inside.txt': '' }, args: ['--baseURL', '/fb'] })
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
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    expect(await cacheNames(page)).not.toEqual([])

    proxy.answer('/fb/static/sw.js', { status: 404, body: '', type: 'text/plain' })
    await page.reload()
    await entryOf(page, 'folder').waitFor()
    const workers = async () =>
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
    await expect.poll(workers).toBe(0)
    // The worker ends after its last page, and may cache something for that one even later: the next visit deletes it.
    const nextVisit = async () => {
      await page.reload()
      await entryOf(page, 'folder').waitFor()
      return await cacheNames(page)
    }
    await expect.poll(nextVisit).toEqual([])
    expect(await workers()).toBe(0)
  })
})
