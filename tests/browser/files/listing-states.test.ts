import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { entryOf, gridOf, openFiles, pageIsWhole } from '../../helpers/browser/pages/files-page.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const FILES = { 'box/inner/deep.txt': '', 'notes.txt': '' }

const LISTING = /\/api\/resources\/box/
const ANY_LISTING = /\/api\/resources\//
const HEALTH = /\/health$/

describe('a folder that cannot be shown', () => {
  it('says what happened and leads on, and comes by itself once the network is back', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon, { expectedStatuses: [403, 404, 500], cutsConnections: true })
    const { page } = browser
    await page.goto('/files/nowhere/at/all/')
    await page.getByRole('alert').getByRole('heading', { name: 'Not found' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('alert').getByRole('link', { name: 'My files' }).click()
    await entryOf(page, 'notes.txt').waitFor()

    const answer = { status: 403, contentType: 'application/json', body: '{}' }
    await page.route(LISTING, async (route) => await route.fulfill(answer))
    await page.goto('/files/box/')
    await page.getByRole('heading', { name: 'You do not have access' }).waitFor()
    await page.unroute(LISTING)
    await page.route(LISTING, async (route) => await route.fulfill({ ...answer, status: 500 }))
    await page.goto('/files/box/')
    await page.getByRole('heading', { name: 'Something went wrong on the server' }).waitFor()
    await page.unroute(LISTING)
    await page.getByRole('button', { name: 'Try again' }).click()
    await entryOf(page, 'inner').waitFor()

    await page.route(ANY_LISTING, async (route) => await route.abort('internetdisconnected'))
    await entryOf(page, 'inner').dblclick()
    await page.getByRole('heading', { name: 'No connection' }).waitFor({ timeout: 30_000 })
    expect(await accessibilityProblems(page)).toEqual([])
    // Only the network tells: whether the server is there again cannot be asked.
    await page.route(HEALTH, async (route) => await route.abort('internetdisconnected'))
    await page.unroute(ANY_LISTING)
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await entryOf(page, 'deep.txt').waitFor({ timeout: 30_000 })
  })

  it('that was deleted says so, and the way to the others stays, with how full their disk is', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon, { folder: '/box/', expectedStatuses: [404] })
    const { page } = browser
    await pageIsWhole(page)
    const storage = page.getByRole('progressbar', { name: 'Storage' })
    await storage.waitFor()
    await expect.poll(async () => await storage.getAttribute('aria-valuetext')).toMatch(/[\d.]+ \w+ of [\d.]+ \w+ used/)
    await rm(join(daemon.root, 'box'), { recursive: true })
    await page.reload()
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'My files' }).click()
    await gridOf(page).waitFor()
    await entryOf(page, 'notes.txt').waitFor()
  })
})
