import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { entryOf, gridOf, signIn } from '../../helpers/browser/pages/files-page.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const FILES = { 'letter.txt': 'the words of the letter', 'folder/inside.txt': 'deep', 'other/x.txt': '' }

/** Waits until the worker controls this page and has cached its files. */
async function waitForWorker(page: Page): Promise<void> {
  await page.waitForFunction(
    async () => {
      await navigator.serviceWorker.ready
      const names = await caches.keys()
      const kept = names.find((name) => name.includes(':assets:'))
      const texts = kept === undefined ? [] : await (await caches.open(kept)).keys()
      return navigator.serviceWorker.controller !== null && texts.some(({ url }) => url.includes('/texts/en.tools'))
    },
    undefined,
    { timeout: 30_000 },
  )
}

/** The addresses of all cached responses, without their origin. */
async function keptAddresses(page: Page): Promise<string[]> {
  return await page.evaluate(async () => {
    const names = await caches.keys()
    const lists = await Promise.all(names.map(async (name) => await (await caches.open(name)).keys()))
    return lists.flat().map(({ url }) => new URL(url).pathname)
  })
}

describe('without the server', () => {
  it.each(['', '/fb'])(
    'the page and recent folders work offline below "%s", until the user signs out',
    async (base) => {
      await using daemon = await startTestDaemon({ files: FILES, args: base === '' ? [] : ['--baseURL', base] })
      await using browser = await openBrowser(daemon.url, { serviceWorkers: 'allow', cutsConnections: true })
      const { page } = browser
      await page.goto(daemon.url)
      await signIn(page, daemon.username, daemon.password)
      await gridOf(page).waitFor()
      await waitForWorker(page)
      await page.reload()
      await entryOf(page, 'folder').dblclick()
      await entryOf(page, 'inside.txt').waitFor()
      await expect.poll(async () => await keptAddresses(page)).toContain(`${base}/api/resources/folder`)
      const kept = await keptAddresses(page)
      expect(kept.filter((path) => !/^\/(static\/.*|api\/resources\/.*)?$/.test(path.slice(base.length)))).toEqual([])
      await daemon.stop('SIGKILL')

      await page.reload()
      await entryOf(page, 'inside.txt').waitFor()
      const banner = page.getByRole('status').filter({ hasText: 'The server cannot be reached.' })
      await banner.waitFor()
      expect(await accessibilityProblems(page)).toEqual([])
      await page.goto(`${daemon.url}files/`)
      await entryOf(page, 'letter.txt').waitFor()

      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
      await page.waitForFunction(async () => !(await caches.keys()).some((name) => name.includes(':listings:')))
    },
  )
})

describe('files shared by another app', () => {
  it.each(['', '/fb'])('below "%s" wait for the sign-in, ask for a folder and are uploaded there', async (base) => {
    await using daemon = await startTestServer({ files: FILES, args: base === '' ? [] : ['--baseURL', base] })
    // 401 is the answer to requests sent just before signing out.
    await using browser = await openBrowser(daemon.url, { serviceWorkers: 'allow', expectedStatuses: [401] })
    const { page } = browser
    await page.goto(daemon.url)
    await signIn(page, daemon.username, daemon.password)
    await waitForWorker(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: /^Sign in/ }).waitFor()
    expect(await shareByManifest(page)).toBe(`${base}/receive`)
    await page.waitForURL(`**${base}/login**`)
    await signIn(page, daemon.username, daemon.password)
    const prompt = page.getByRole('dialog', { name: 'Upload files' })
    await prompt.waitFor()
    expect(new URL(page.url()).pathname).toBe(`${base}/files/`)
    await prompt.getByRole('treeitem', { name: 'folder' }).click()
    await prompt.getByRole('button', { name: 'Upload', exact: true }).click()
    const arrived = async () =>
      await (await daemon.fetch(`/api/raw/folder/${encodeURIComponent('photo ü.txt')}`)).text()
    await expect.poll(arrived).toBe('from the phone')
    expect(await page.evaluate(async () => (await caches.keys()).filter((name) => name.includes('received')))).toEqual(
      [],
    )
  })
})

/** Shares files with the installed app, as a phone does. @returns the path that they are posted to */
async function shareByManifest(page: Page): Promise<string> {
  return await page.evaluate(async () => {
    interface Target {
      readonly action: string
      readonly method: string
      readonly enctype: string
      readonly params: { readonly files: readonly { readonly name: string }[] }
    }
    const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]')?.href ?? ''
    const { share_target: target } = (await (await fetch(link)).json()) as { share_target: Target }
    const { action, method, enctype } = target
    const form = Object.assign(document.createElement('form'), { action: new URL(action, link).href, method, enctype })
    const [name = ''] = target.params.files.map((field) => field.name)
    const input = Object.assign(document.createElement('input'), { type: 'file', name, multiple: true })
    const sent = new DataTransfer()
    sent.items.add(new File(['from the phone'], 'photo ü.txt', { type: 'text/plain' }))
    sent.items.add(new File(['second'], 'second.txt'))
    input.files = sent.files
    form.append(input)
    document.body.append(form)
    form.submit()
    return new URL(form.action).pathname
  })
}
