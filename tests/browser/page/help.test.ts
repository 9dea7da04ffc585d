import { expect, it } from 'vitest'
import { accessibilityProblems } from '../../helpers/browser/accessibility.ts'
import { openBrowser } from '../../helpers/browser/browser.ts'
import { goWithin } from '../../helpers/browser/go-within.ts'
import { signedIn } from '../../helpers/browser/sessions.ts'
import { serverOfFile } from '../../helpers/browser/test-server.ts'

const server = serverOfFile({ files: { 'a.txt': 'a' }, args: ['--base-url', '/fm'] })

const openPage = async (width: number) =>
  await openBrowser(server().url, {
    storageState: signedIn(server()),
    viewport: { width, height: 800 },
    expectedStatuses: [404],
  })

it.each([1280, 400])('the documentation can be read, and has no accessibility violations at %i px', async (width) => {
  await using browser = await openPage(width)
  const { page } = browser
  const heading = (name: string) => page.getByRole('article').getByRole('heading', { name, exact: true })
  await page.goto('help')
  for (const [address, title] of [
    ['help', 'filemgr documentation'],
    ['help/docs/guide/permissions-and-rules.md', 'Permissions and rules'],
    ['help/docs/reference/api.md', 'API reference'],
    ['help/docs/deploy/nginx.conf', 'nginx.conf'],
  ] as const) {
    await goWithin(page, `/fm/${address}`)
    await heading(title).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    expect(await accessibilityProblems(page)).toEqual([])
    // The longest page by far, with no colours of its own.
    if (title === 'API reference') continue
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await accessibilityProblems(page, { rules: ['color-contrast'] })).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
  }
})

it('the sidebar leads to the documentation, whose links lead to pages, to their sections and back', async () => {
  await using browser = await openPage(1280)
  const { page } = browser
  const article = page.getByRole('article')
  await page.goto('files/')
  await page.getByRole('link', { name: 'Help', exact: true }).press('Enter')
  await article.getByRole('link', { name: 'Troubleshooting' }).press('Enter')
  await article.getByRole('heading', { name: 'Troubleshooting' }).waitFor()
  await article.getByRole('link', { name: 'Public links' }).press('Enter')
  await expect.poll(async () => await page.evaluate('location.hash')).toBe('#when-the-file-moves')
  const part = article.getByRole('heading', { name: 'When the file moves' })
  await expect.poll(async () => (await part.boundingBox())?.y ?? 0).toBeLessThan(200)
  await page.goBack()
  await article.getByRole('heading', { name: 'Troubleshooting' }).waitFor()
  const contents = page.getByRole('navigation', { name: 'Contents' })
  await contents.getByRole('link', { name: 'API reference' }).press('Enter')
  await article.getByRole('link', { name: 'OpenAPI document' }).click()
  expect(await page.locator('body').innerText()).toContain('"openapi":"3.1.0"')
})

it('keys scroll a documentation page, and an unknown address says so', async () => {
  await using browser = await openPage(1280)
  const { page } = browser
  await page.goto('help')
  await page.getByRole('article').getByRole('link', { name: 'Operations' }).click()
  await page.getByRole('article').getByRole('heading', { name: 'Operations' }).waitFor()
  await page.keyboard.press('End')
  await expect.poll(async () => await page.getByRole('heading', { name: 'Sizing' }).isVisible()).toBe(true)
  await goWithin(page, '/fm/help/docs/nothing')
  await page.getByRole('alert').waitFor()
})

it('the keyboard shortcuts and the documentation lead to each other', async () => {
  await using browser = await openPage(1280)
  const { page } = browser
  await page.goto('files/')
  await page.getByRole('link', { name: 'Help', exact: true }).waitFor()
  await page.keyboard.press('F1')
  const prompt = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await prompt.getByRole('link', { name: 'Documentation' }).click()
  await page.getByRole('article').getByRole('heading', { name: 'filemgr documentation' }).waitFor()
  await prompt.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: /^Keyboard shortcuts/ }).click()
  await prompt.waitFor()
})
