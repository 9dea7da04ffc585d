import { describe, expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { entryOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

const FILES = { 'letter.txt': 'hello', 'picture.png': '', '.hidden': '', 'folder/inside.txt': '' }

describe.each(['light', 'dark'] as const)('no accessibility violations in %s colours', (colorScheme) => {
  it('on the login page', async () => {
    await using daemon = await startTestServer()
    await using browser = await openBrowser(daemon.url, { colorScheme })
    await browser.page.goto('/')
    await browser.page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await accessibilityProblems(browser.page)).toEqual([])
  })

  it.each(['List', 'Mosaic', 'Gallery'])('on a folder as %s, with and without a selection', async (view) => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon, { colorScheme })
    const { page } = browser
    await page.getByRole('group', { name: 'View' }).getByRole('button', { name: view }).click()
    await page.getByRole('group', { name: 'View' }).getByRole('button', { name: view, pressed: true }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await entryOf(page, 'letter.txt').click()
    await page.getByRole('toolbar', { name: 'Selection actions' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  })

  it('on a narrow screen', async () => {
    await using daemon = await startTestServer({ files: FILES })
    await using browser = await openFiles(daemon, { colorScheme, viewport: { width: 400, height: 800 } })
    expect(await accessibilityProblems(browser.page)).toEqual([])
  })
})
