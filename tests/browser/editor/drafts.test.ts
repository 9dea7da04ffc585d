import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openBrowser, type TestBrowser } from '../../helpers/browser/browser.ts'
import { gridOf, signIn } from '../../helpers/browser/pages/files-page.ts'
import { revokeBrowsers } from '../../helpers/browser/sessions.ts'
import { startTestServer, type TestServer } from '../../helpers/browser/test-server.ts'

const BEN = { username: 'ben', password: 'quiet harbour morning' }

describe('an unsaved draft', () => {
  it('is deleted from the browser when its user signs out', async () => {
    await using daemon = await daemonWithBen()
    await using browser = await openBrowser(daemon.url, { expectedStatuses: [401] })
    const { page } = browser
    await typeDraft(browser, daemon)
    expect(await draftsIn(page)).toHaveLength(1)
    await logOut(page)
    await expect.poll(async () => await draftsIn(page)).toEqual([])
    await openNotes(page, daemon)
    expect(await page.getByText('were restored.').count()).toBe(0)
  })

  it('is not shown to another user after a session has ended, and is restored for its own user', async () => {
    await using daemon = await daemonWithBen()
    await using browser = await openBrowser(daemon.url, { expectedStatuses: [401] })
    const { page } = browser
    await typeDraft(browser, daemon)
    await page.goto('about:blank')
    await revokeBrowsers(daemon)
    await openNotes(page, BEN)
    expect(await page.locator('.ace_line').first().textContent()).toBe('one')
    expect(await page.getByText('were restored.').count()).toBe(0)
    // Signing out keeps the drafts of other users.
    await logOut(page)
    await openNotes(page, daemon)
    await page.getByText(/^Your unsaved changes from .* were restored\.$/).waitFor()
    expect(await page.locator('.ace_line').first().textContent()).toBe('mine one')
  })
})

async function daemonWithBen(): Promise<TestServer> {
  const daemon = await startTestServer({ files: { 'notes.txt': 'one' } })
  const data = { ...BEN, scope: '.', perm: { create: true, modify: true, download: true } }
  const body = JSON.stringify({ what: 'user', which: [], data, current_password: daemon.password })
  expect((await daemon.fetch('/api/users', { method: 'POST', body })).status).toBe(201)
  return daemon
}

async function openNotes(page: Page, { username, password }: typeof BEN): Promise<void> {
  await page.goto('/files/notes.txt')
  await signIn(page, username, password)
  await page.getByRole('textbox', { name: /^Content of notes\.txt/ }).waitFor()
}

async function typeDraft({ page }: TestBrowser, daemon: TestServer): Promise<void> {
  page.on('dialog', (dialog) => void dialog.accept())
  await openNotes(page, daemon)
  await page.keyboard.type('mine ')
  await page.getByText('Draft saved in this browser').waitFor()
}

async function logOut(page: Page): Promise<void> {
  await page.goto('/files/')
  await gridOf(page).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('textbox', { name: 'Username' }).waitFor()
}

/** The keys of all drafts, of all users. */
async function draftsIn(page: Page): Promise<unknown[]> {
  return await page.evaluate(
    async () =>
      await new Promise<unknown[]>((resolve, reject) => {
        const opening = indexedDB.open('filemgr-drafts')
        opening.onerror = () => reject(new Error('the drafts cannot be read'))
        opening.onsuccess = () => {
          const keys = opening.result.transaction('drafts').objectStore('drafts').getAllKeys()
          keys.onsuccess = () => {
            opening.result.close()
            resolve(keys.result)
          }
        }
      }),
  )
}
