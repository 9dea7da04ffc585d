import ar from '../../ui/src/i18n/ar.json' with { type: 'json' }
import { openBrowser, type TestBrowser } from './browser.ts'
import { pageIsWhole, signIn } from './files-page.ts'
import type { TestDaemon } from './test-daemon.ts'

/** A browser whose whole page runs from right to left: a folder of the daemon, shown to its administrator in Arabic. */
export async function openInArabic(
  daemon: TestDaemon,
  { folder = '/', favourites = [] as readonly string[] } = {},
): Promise<TestBrowser> {
  const body = JSON.stringify({
    what: 'user',
    which: ['locale', 'favourites'],
    data: { id: 1, locale: 'ar', favourites },
  })
  const answer = await daemon.fetch('/api/users/1', { method: 'PUT', body })
  if (!answer.ok) throw new Error(`the language was refused: ${answer.status} ${await answer.text()}`)
  const browser = await openBrowser(daemon.url)
  const { page } = browser
  await page.goto(`/files${folder}`)
  await signIn(page, daemon.username, daemon.password)
  await page.getByRole('grid', { name: ar['files.grid'] }).waitFor()
  await page.locator('html[dir=rtl]').waitFor()
  await pageIsWhole(page, ar)
  return browser
}
