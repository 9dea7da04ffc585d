import { describe, expect, it } from 'vitest'
import { pageOfFile } from '../../helpers/browser/page-of-file.ts'
import { showFile, showForReading, viewerOf } from '../../helpers/browser/pages/viewer-page.ts'

const SET_FLAG = 'top.document.documentElement.dataset.stolen=1'

const MARKDOWN = `# Hello

<script>${SET_FLAG}</script>
<img src="missing-one.png" onerror="${SET_FLAG}">
<a href="javascript:${SET_FLAG}">first</a> [second](javascript:${SET_FLAG})
<svg><script>${SET_FLAG}</script><a xlink:href="javascript:${SET_FLAG}"><text y="9">x</text></a></svg>
<iframe srcdoc="<script>${SET_FLAG}</script>"></iframe>
<form action="/api/logout" method="post"><input type="password" name="cookie"><button>Sign in</button></form>
<style>body { display: none }</style>
![spy](https://example.org/spy.png)

[safe](other.markdown) [part](#hello) last words

${'<div>'.repeat(600)}<svg><style><a title="</style><img src=x onerror=${SET_FLAG}>">${'</div>'.repeat(600)}

<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=${SET_FLAG}></style></mglyph></form></mtext></math></form>

<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${SET_FLAG}&gt;"></table></mtext></math>

<noscript><p title="</noscript><img src=x onerror=${SET_FLAG}>"></noscript><template><script>${SET_FLAG}</script></template>
`

const open = pageOfFile()

describe('a malicious file', () => {
  it('CVE-2025-52902, CVE-2024-45801, CVE-2024-47875: runs no raw HTML of Markdown, and sends no request to other hosts', async () => {
    const files = { 'evil.markdown': MARKDOWN, 'other.markdown': '# Other one' }
    await using shown = await open(files, { expectedStatuses: [404] })
    const { page } = shown
    await showForReading(page, 'evil.markdown')
    const text = viewerOf(page).getByRole('article', { name: 'evil.markdown' })
    await text.getByText('last words').waitFor()
    const found = await text.evaluate((article) => ({
      active: article.querySelectorAll('script, iframe, form, style, svg, math, template, object, embed, input, button')
        .length,
      handlers: [...article.querySelectorAll('*')].flatMap((element) =>
        element.getAttributeNames().filter((name) => name.startsWith('on') || name === 'style'),
      ),
      addresses: [...article.querySelectorAll('a, img')].map(
        (element) => element.getAttribute('href') ?? element.getAttribute('src'),
      ),
    }))
    expect(found).toMatchObject({ active: 0, handlers: [] })
    expect(found.addresses.filter((address) => /script:|example\.org/.test(address ?? ''))).toEqual([])
    for (const name of ['first', 'second']) await text.getByText(name).click()
    expect(await page.locator('html').getAttribute('data-stolen')).toBeNull()
    await text.getByRole('link', { name: 'safe' }).click()
    await viewerOf(page).getByRole('article', { name: 'other.markdown' }).getByText('Other one').waitFor()
  })

  it('runs no script of an SVG, neither in the viewer nor in its own tab', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20" onload="${SET_FLAG}"><script>${SET_FLAG}</script><rect width="40" height="20"/></svg>`
    await using shown = await open({ 'evil.svg': svg })
    const { page, daemon } = shown
    await showFile(page, 'evil.svg')
    await viewerOf(page).getByRole('img', { name: 'evil.svg' }).waitFor()
    expect(await page.locator('html').getAttribute('data-stolen')).toBeNull()
    const answer = await daemon.fetch('/api/raw/evil.svg?inline=true')
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
  })

  it('cannot inject HTML by its name', async () => {
    const name = `<img src=x onerror=${SET_FLAG.replace(/\./g, '&#46;')}>&lt;b&gt;"'.txt`
    await using shown = await open({ [name]: '<h1>only text</h1>' })
    const { page } = shown
    await showForReading(page, name)
    await viewerOf(page).getByText('<h1>only text</h1>').waitFor()
    expect(await viewerOf(page).locator('img').count()).toBe(0)
    expect(await page.title()).toBe(`${name} · filemgr`)
    await page.keyboard.press('i')
    await viewerOf(page).getByRole('complementary').getByText(name).waitFor()
    expect(await page.locator('html').getAttribute('data-stolen')).toBeNull()
  })
})
