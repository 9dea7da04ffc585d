import { join } from 'node:path'
import { expect, it } from 'vitest'
import { builtFiles } from '../../../tools/build-ui/built-files.ts'
import { FILE_SCREEN, SHARED_FILE, SHARED_FOLDER, SIGN_IN } from '../../../tools/build-ui/pages.ts'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { serverOfFile } from '../../helpers/browser/test-server.ts'
import { entryOf } from '../../helpers/browser/pages/files-page.ts'
import { linkTo } from '../../helpers/browser/pages/public-page.ts'
import { signedIn } from '../../helpers/browser/sessions.ts'

const BUILD = join(import.meta.dirname, '../../../dist/ui')

const server = serverOfFile({ files: { 'docs/plan.txt': 'plan', 'picture.bin': 'bytes' } })

/** A page with the scripts that its browser has fetched so far. */
async function openCounted(storageState?: Awaited<ReturnType<typeof signedIn>>) {
  const browser = await openBrowser(server().url, { serviceWorkers: 'allow', ...(storageState && { storageState }) })
  const fetched = new Set<string>()
  browser.context.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (path.endsWith('.js')) fetched.add(path.slice(1))
  })
  return { ...browser, scripts: () => [...fetched].toSorted() }
}

function expected(sources: readonly string[], ...others: string[]): string[] {
  return [...builtFiles(BUILD, sources).scripts, ...others].toSorted()
}

it('a browser fetches exactly the scripts of the sign-in budget', async () => {
  await using browser = await openCounted()
  await browser.page.goto('/login')
  await expect.poll(browser.scripts).toEqual(expected(SIGN_IN))
})

it('a browser fetches exactly the scripts of the file screen budget', async () => {
  await using browser = await openCounted(signedIn(server()))
  await browser.page.goto('/files/docs/')
  await expect.poll(browser.scripts).toEqual(expected(FILE_SCREEN, 'static/sw.js'))
})

it('asks for the folder while the session is renewed', async () => {
  await using browser = await openCounted(signedIn(server()))
  const { page } = browser
  const asked = page.waitForRequest('**/api/resources/docs')
  await page.route('**/api/renew', async (route) => {
    await asked
    await route.continue()
  })
  await page.goto('/files/docs/')
  await entryOf(page, 'plan.txt').waitFor()
})

it.each([
  ['folder', '/docs/', SHARED_FOLDER],
  ['file', '/picture.bin', SHARED_FILE],
])('a browser fetches exactly the scripts of the shared %s budget', async (_kind, path, sources) => {
  const hash = await linkTo(server(), path)
  await using browser = await openCounted()
  await browser.page.goto(`/share/${hash}`)
  await expect.poll(browser.scripts).toEqual(expected(sources))
})
