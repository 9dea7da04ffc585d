import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/domain/automation/job.ts'
import { barButton, entryOf, gridOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

describe('a long job', () => {
  it('shows its progress, also after a reload, and can be cancelled', async () => {
    await using daemon = await startTestServer({ files: { 'films/long.mov': '', 'archive/': '' } })
    // A sparse file, far larger than what is copied before the test cancels.
    await truncate(join(daemon.root, 'films/long.mov'), 20_000_000_000)
    const states = async () =>
      ((await (await daemon.fetch('/api/jobs')).json()) as Job[]).map(({ kind, state }) => `${kind} ${state}`)
    await using browser = await openFiles(daemon)
    const { page } = browser
    const panel = await copyFilms(page)
    await panel.getByRole('progressbar', { name: 'Copying: “films”' }).waitFor()
    await panel.getByText('of 18.6 GiB').waitFor()
    await panel.getByText('to archive').waitFor()

    await page.reload()
    await gridOf(page).waitFor()
    await panel.getByRole('progressbar', { name: 'Copying: “films”' }).waitFor()
    await panel.getByRole('button', { name: 'Cancel Copying: “films”' }).click()
    await panel.getByText('Cancelled').waitFor()
    // The pressed button is gone, but the focus is still in the panel.
    expect(await panel.evaluate((box) => box.contains(document.activeElement))).toBe(true)
    await expect.poll(states).toEqual(['copy cancelled'])
    await panel.getByRole('button', { name: 'Clear finished' }).click()
    await panel.waitFor({ state: 'detached' })
    await page.locator('main:focus, main :focus').waitFor({ state: 'attached' })
  })

  it('reports which items failed, and retries them', async () => {
    await using daemon = await startTestServer({ files: { 'one.txt': '1', 'two/kept.txt': '2', 'three.txt': '3' } })
    const setRules = async (rules: readonly object[]) => {
      const body = JSON.stringify({
        what: 'user',
        which: ['rules'],
        current_password: daemon.password,
        data: { id: 1, rules },
      })
      expect((await daemon.fetch('/api/users/1', { method: 'PUT', body })).status).toBe(200)
    }
    await setRules([{ allow: false, path: '/two/kept.txt', regex: false, regexp: null }])
    await using browser = await openFiles(daemon, { expectedStatuses: [403] })
    const { page } = browser
    await entryOf(page, 'one.txt').click()
    await page.keyboard.press('Control+a')
    await page.getByRole('toolbar', { name: 'Selection actions' }).getByRole('button', { name: 'Delete' }).click()
    const alert = page.getByRole('alert').filter({ hasText: '1 of 3 items failed' })
    await alert.getByRole('button', { name: 'Show' }).click()
    const panel = page.getByRole('region', { name: 'Activity' })
    await panel.getByText('Moved 2 items to the trash').waitFor()
    await panel.getByText('You do not have permission').waitFor()
    await setRules([])
    await panel.getByRole('button', { name: 'Retry 1' }).click()
    await entryOf(page, 'two').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+z')
    await entryOf(page, 'two').waitFor()
  })

  it('sends a notification when it ends in the background, which opens its folder', async () => {
    await using daemon = await startTestServer({ files: { 'films/long.mov': '', 'archive/': '' } })
    const film = join(daemon.root, 'films/long.mov')
    await truncate(film, 40_000_000_000)
    await using browser = await openFiles(daemon, {
      permissions: ['notifications'],
      wholeBrowser: true,
      serviceWorkers: 'allow',
    })
    const { page, context } = browser
    await page.waitForFunction(async () => (await navigator.serviceWorker.ready).active?.state === 'activated')
    const panel = await copyFilms(page)
    await panel.getByRole('button', { name: 'Notify me' }).click()
    expect(await panel.getByRole('button', { name: 'Notify me' }).count()).toBe(0)
    await page.evaluate(() => Object.defineProperty(document, 'hidden', { get: () => true }))
    // Truncating the source ends the copy.
    await truncate(film, 0)
    const notices = async () =>
      await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration()
        return (await registration?.getNotifications())?.map(({ title }) => title)
      })
    await expect.poll(notices).toEqual(['Copied “films” to archive'])
    const [worker] = context.serviceWorkers()
    await worker?.evaluate(PRESS_NOTICE)
    await page.waitForURL('**/files/archive/')
    await entryOf(page, 'films').waitFor()
    expect(await notices()).toEqual([])
  })
})

/** Simulates a click on the first notification. */
const PRESS_NOTICE = `(async () => {
  const [notification] = await registration.getNotifications()
  dispatchEvent(new NotificationEvent('notificationclick', { notification }))
})()`

/** Starts to copy "films" into "archive". Resolves with the activity panel. */
async function copyFilms(page: Page): Promise<Locator> {
  await entryOf(page, 'films').getByRole('checkbox').click()
  await barButton(page, 'Copy to…').click()
  const prompt = page.getByRole('dialog', { name: 'Copy “films”' })
  await prompt.getByRole('treeitem', { name: /^archive/ }).click()
  await prompt.getByRole('button', { name: 'Copy here' }).click()
  return page.getByRole('region', { name: 'Activity' })
}
