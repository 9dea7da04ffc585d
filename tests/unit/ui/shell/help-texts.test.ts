import { describe, expect, it } from 'vitest'
import { helpGroups, helpHref, helpPageAt, helpPages, helpText } from '../../../../ui/src/shell/help/help-texts.ts'
import { markdownToHtml } from '../../../../ui/src/lib/markdown/markdown-to-html.ts'

const anchorsOf = (page: string): string[] =>
  [...markdownToHtml(helpText(page)).matchAll(/<h\d id="([^"]*)"/g)].map(([, id = '']) => id)

const linksOf = (page: string): string[] =>
  [...markdownToHtml(helpText(page)).matchAll(/<a href="([^"]*)"/g)]
    .map(([, href = '']) => href)
    .filter((href) => !href.startsWith('http') && !isSource(page, href))

/** Whether a link leads to source code or a decision, which only readers of the repository can follow. */
function isSource(page: string, href: string): boolean {
  const { pathname } = new URL(href, `file:///${page}`)
  return /^\/(src|docs\/decisions)\//.test(pathname) && pathname !== '/src/README.md'
}

describe('the documentation in the page', () => {
  it('is found at its addresses', () => {
    expect(helpPageAt('/help')).toBe('docs/README.md')
    expect(helpPageAt('/help/')).toBe('docs/README.md')
    expect(helpPageAt('/help/docs/guide/links.md')).toBe('docs/guide/links.md')
    expect(helpPageAt('/help/docs/nothing')).toBeUndefined()
  })

  it('shows configurations to copy as they are', () => {
    expect(helpText('docs/deploy/Caddyfile')).toMatch(/^# Caddyfile\n\n````\n[^]*````$/)
  })

  it('has links that lead to its pages, to their headings and to the OpenAPI document', () => {
    expect(helpHref('docs/guide/troubleshooting.md', 'links.md#when-the-file-moves')).toBe(
      '/help/docs/guide/links.md#when-the-file-moves',
    )
    expect(helpHref('docs/reference/api.md', 'openapi.json')).toBe('/api/openapi.json')
    expect(helpHref('docs/guide/api.md', '../src/daemon.ts')).toBeNull()
  })

  it.each(helpPages())('has no dead link in %s', (page) => {
    const dead = linksOf(page).filter((link) => {
      const [target = '', anchor] = link.split('#')
      const href = target === '' ? `/help/${page}` : helpHref(page, target)
      if (href === '/api/openapi.json') return false
      const targetPage = href === null ? undefined : helpPageAt(href)
      return targetPage === undefined || (anchor !== undefined && !anchorsOf(targetPage).includes(anchor))
    })
    expect(dead).toEqual([])
  })

  it('lists every page', () => {
    const listed = helpGroups().flatMap(({ pages }) => pages.map(({ href }) => helpPageAt(href)))
    expect(helpPages().filter((page) => page.endsWith('.md') && !listed.includes(page))).toEqual(['docs/README.md'])
    expect(listed).not.toContain('docs/README.md')
  })
})
