import ar from '../../../../ui/src/i18n/catalogues/ar.json' with { type: 'json' }
import { openBrowser, type TestBrowser } from '../browser.ts'
import { waitForWholePage } from './files-page.ts'
import { signedIn } from '../sessions.ts'
import type { TestServer } from '../test-server.ts'

/** Opens a folder in Arabic, and so in a right-to-left page, as the administrator. */
export async function openInArabic(
  daemon: TestServer,
  { folder = '/', favourites = [] as readonly string[] } = {},
): Promise<TestBrowser> {
  const body = JSON.stringify({
    what: 'user',
    which: ['locale', 'favourites'],
    data: { id: 1, locale: 'ar', favourites },
  })
  const answer = await daemon.fetch('/api/users/1', { method: 'PUT', body })
  if (!answer.ok) throw new Error(`the language was refused: ${answer.status} ${await answer.text()}`)
  const browser = await openBrowser(daemon.url, { storageState: signedIn(daemon) })
  const { page } = browser
  await page.goto(`/files${folder}`)
  await page.getByRole('grid', { name: ar['files.files'] }).waitFor()
  await page.locator('html[dir=rtl]').waitFor()
  await waitForWholePage(page, ar)
  return browser
}
