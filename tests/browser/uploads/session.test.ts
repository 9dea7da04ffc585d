import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { dropFiles } from '../../helpers/browser/drag.ts'
import { gridOf, entryOf, openFiles, signIn } from '../../helpers/browser/pages/files-page.ts'
import { revokeBrowsers, newSession } from '../../helpers/browser/sessions.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'
import {
  dropHalfWay,
  waitForPartialFile,
  waitForUploadHeading,
  networkOf,
  pickFiles,
  watchUploads,
} from '../../helpers/browser/pages/upload-page.ts'
import { intercept } from '../../helpers/browser/intercept.ts'

const KILOBYTES_PER_SECOND = 200

const OTHER = {
  what: 'user',
  which: [],
  data: { username: 'ben', password: 'quiet harbour morning', scope: '/', perm: { create: true, download: true } },
}

describe('uploads and the session', () => {
  it('asks before signing out while uploads run, and discards them', async () => {
    await using mine = await tempFolder({ 'large.bin': new Uint8Array(8_000_000) })
    await using daemon = await startTestServer({ files: { 'there.txt': '' } })
    // The changed folder may be requested while the session ends.
    await using browser = await openFiles(daemon, { expectedStatuses: [401] })
    const { page } = browser
    await (await networkOf(page)).limit(KILOBYTES_PER_SECOND * 1000)
    await dropFiles(gridOf(page), [join(mine.path, 'large.bin')])
    await page.getByRole('heading', { name: 'Uploading 1 item' }).waitFor()
    const question = page.getByRole('alertdialog', { name: /^Sign out and cancel/ })

    await page.getByRole('button', { name: 'Sign out' }).click()
    await question.getByRole('button', { name: 'Continue uploading' }).click()
    await page.getByRole('heading', { name: 'Uploading 1 item' }).waitFor()

    await page.getByRole('button', { name: 'Sign out' }).click()
    await question.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
    await expect.poll(async () => await readdir(daemon.root)).toEqual(['there.txt'])
  })

  it('pauses when the session is ended elsewhere, says so, and continues after the sign-in', async () => {
    const content = randomBytes(8_000_000)
    await using mine = await tempFolder({ 'large.bin': content })
    await using daemon = await startTestServer({ files: { 'there.txt': '' } })
    await using browser = await openFiles(daemon, {
      storageState: await newSession(daemon),
      expectedStatuses: [401],
      cutsConnections: true,
    })
    const { page } = browser
    const network = await networkOf(page)
    await network.limit(KILOBYTES_PER_SECOND * 1000)
    await dropHalfWay(page, join(mine.path, 'large.bin'), daemon.root)
    await revokeBrowsers(daemon)
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
    await page.getByText('Your uploads are paused').waitFor()
    await expect.poll(async () => await readdir(daemon.root)).toHaveLength(2)

    const requests = watchUploads(page)
    await network.restore()
    await signIn(page, daemon.username, daemon.password)
    await waitForUploadHeading(page, /^Uploaded 1 item/)
    expect(await readFile(join(daemon.root, 'large.bin'))).toEqual(content)
    expect(requests.map(({ method }) => method)).toEqual(['HEAD', 'PATCH'])
    expect(requests[1]?.offset).toBeGreaterThan(0)
  })

  it('never continues the upload of one user as another', async () => {
    await using mine = await tempFolder({ 'large.bin': randomBytes(8_000_000) })
    await using daemon = await startTestServer({ files: { 'there.txt': '' } })
    const body = JSON.stringify({ ...OTHER, current_password: daemon.password })
    expect((await daemon.fetch('/api/users', { method: 'POST', body })).status).toBe(201)
    await using browser = await openFiles(daemon, {
      storageState: await newSession(daemon),
      expectedStatuses: [401],
      cutsConnections: true,
    })
    const { page } = browser
    const network = await networkOf(page)
    await network.limit(KILOBYTES_PER_SECOND * 1000)
    await pickFiles(page, [join(mine.path, 'large.bin')])
    await waitForPartialFile(daemon.root)
    await revokeBrowsers(daemon)
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor()

    const requests = watchUploads(page)
    await network.restore()
    await signIn(page, 'ben', OTHER.data.password)
    await gridOf(page).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
    expect(requests).toEqual([])
    await signIn(page, daemon.username, daemon.password)
    await waitForUploadHeading(page, '1 upload needs its file')
  })

  it('asks to sign in again when an upload is the first to notice the end', async () => {
    await using mine = await tempFolder({ 'a.txt': 'a' })
    await using daemon = await startTestServer({ files: { 'there.txt': '' } })
    await using browser = await openFiles(daemon, {
      storageState: await newSession(daemon),
      expectedStatuses: [401, 507],
    })
    const { page } = browser
    await blockEvents(page)
    await failUploads(page, 1)
    await dropFiles(gridOf(page), [join(mine.path, 'a.txt')])
    await page.getByRole('button', { name: 'Retry a.txt' }).waitFor()
    await revokeBrowsers(daemon)
    await page.getByRole('button', { name: 'Retry a.txt' }).click()
    await page.getByRole('alertdialog').getByText('Your session was ended.').waitFor()
    await signIn(page, daemon.username, daemon.password)
    await gridOf(page).waitFor()
  })

  it('renews the token when an upload receives the hint, and sends the next one with the new token', async () => {
    await using mine = await tempFolder({ 'a.txt': 'a', 'b.txt': 'b' })
    await using daemon = await startTestServer({ files: { 'there.txt': '' }, args: ['--token-expiration-time', '30m'] })
    await using browser = await openFiles(daemon, { expectedStatuses: [507] })
    const { page } = browser
    await failUploads(page, 2)
    await dropFiles(gridOf(page), [join(mine.path, 'a.txt'), join(mine.path, 'b.txt')])
    await page.getByRole('heading', { name: '2 uploads failed' }).waitFor()
    // From here on only uploads get a response, and with it the hint.
    await intercept(page, '**/api/{resources,usage}/', () => undefined)
    // Expiry times are whole seconds: the hint comes only once a new token would expire later.
    await page.waitForTimeout(1100)
    const oldToken = await tokenOf(page)

    const first = page.waitForRequest(isUpload)
    await page.getByRole('button', { name: 'Retry a.txt' }).click()
    await expect.poll(async () => await tokenOf(page)).not.toBe(oldToken)
    const second = page.waitForRequest(isUpload)
    await page.getByRole('button', { name: 'Retry b.txt' }).click()
    const sent = [await first, await second].map((request) => request.headers()['x-auth'])
    expect(sent).toEqual([oldToken, await tokenOf(page)])
    await expect.poll(async () => await readdir(daemon.root)).toEqual(['a.txt', 'b.txt', 'there.txt'])
  })
})

describe('a lost token', () => {
  it('is replaced by means of the cookie, unless the user had signed out', async () => {
    await using daemon = await startTestServer({ files: { 'there.txt': '' } })
    await using browser = await openFiles(daemon)
    const { page, context } = browser
    await page.evaluate(() => localStorage.clear())
    await page.reload()
    await entryOf(page, 'there.txt').waitFor()

    await intercept(page, '**/api/logout', async (route) => await route.fulfill({ status: 204 }))
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
    expect((await context.cookies()).map(({ name }) => name)).toEqual(['auth'])
    await page.goto('/files/')
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
  })
})

const isUpload = (request: Request) => request.method() === 'POST' && request.url().includes('/api/resources/')
const tokenOf = async (page: Page) => await page.evaluate(() => localStorage.getItem('filemgr:token:'))

/** Blocks the event stream of the page. */
async function blockEvents(page: Page): Promise<void> {
  await page.route(/\/api\/events/, () => undefined)
  await page.reload()
  await gridOf(page).waitFor()
}

/** Fails the first uploads with 507. */
async function failUploads(page: Page, count: number): Promise<void> {
  let left = count
  await intercept(
    page,
    (url) => url.pathname.startsWith('/api/resources/'),
    async (route) => {
      const fails = isUpload(route.request()) && left > 0
      if (fails) left -= 1
      await (fails ? route.fulfill({ status: 507 }) : route.fallback())
    },
  )
}
