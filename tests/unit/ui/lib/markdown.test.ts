import { describe, expect, it } from 'vitest'
import { linksOf } from '../../../../ui/src/lib/markdown/document-links.ts'
import { markdownToHtml } from '../../../../ui/src/lib/markdown/markdown-to-html.ts'
import {
  MarkdownRenderer,
  MarkdownTooLongError,
  type MarkdownResponse,
  type MarkdownRequest,
  type MarkdownWorker,
} from '../../../../ui/src/lib/markdown/markdown-renderer.ts'

describe('Markdown as HTML', () => {
  it('supports tables and task lists, and gives headings ids', () => {
    const html = markdownToHtml('# Two words: *yes*\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n- [x] done\n')
    expect(html).toContain('<h1 id="two-words-yes">Two words: <em>yes</em></h1>')
    expect(html).toContain('<td>2</td>')
    expect(html).toMatch(/<input[^>]*type="checkbox"/)
  })

  it('gives every heading an id of its own, from its text', () => {
    const ids = (markdown: string) =>
      [...markdownToHtml(markdown).matchAll(/<h\d(?: id="([^"]*)")?>/g)].map(([, id]) => id)
    expect(ids('# Usage\n\n# Usage\n\n## Usage 1\n\n# Usage\n\n# usage-1\n')).toEqual([
      ...['usage', 'usage-1', 'usage-1-1', 'usage-2', 'usage-1-2'],
    ])
    expect(ids('# A `code` & [a link](http://x.org/y) <b>!</b>\n\n# 日本語\n\n# !!!\n\n# !!!')).toEqual([
      ...['a-code--a-link', '日本語', undefined, undefined],
    ])
    expect(ids('# constructor\n\n# __proto__\n\n# constructor')).toEqual(['constructor', 'proto', 'constructor-1'])
    expect(new Set(ids('# a\n\n'.repeat(20_000))).size).toBe(20_000)
  })

  it('omits front matter', () => {
    expect(markdownToHtml('---\ntitle: x\n---\ntext')).toBe('<p>text</p>\n')
  })
})

describe('addresses in a document', () => {
  const links = linksOf({ folder: '/a/b/', raw: (path) => `raw:${path}`, hrefOf: (path) => `place:${path}` })

  it.each([
    ['c.txt', 'place:/a/b/c.txt'],
    ['./c%20d.txt#part', 'place:/a/b/c d.txt'],
    ['../up/', 'place:/a/up/'],
    ['/top.txt', 'place:/top.txt'],
    ['../../../far.txt', 'place:/far.txt'],
    ['#part', '#part'],
    ['https://example.org/', 'https://example.org/'],
  ])('are resolved relative to the document: %s', (address, href) => {
    expect(links.link(address)).toBe(href)
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//host/x',
    '\\\\host/x',
    '/\\host',
    'java\nscript:x',
    'a%2f..%2fb',
    '',
  ])('outside the files are removed: %j', (address) => {
    expect(links.link(address)).toBeNull()
  })

  it('of pictures never lead to another host', () => {
    expect(links.picture('pic.png')).toBe('raw:/a/b/pic.png')
    expect(links.picture('https://example.org/spy.png')).toBeNull()
    expect(links.picture('//example.org/spy.png')).toBeNull()
  })
})

class StubbornWorker implements MarkdownWorker {
  onmessage: ((event: MessageEvent<MarkdownResponse>) => void) | null = null
  onerror: ((event: ErrorEvent) => void) | null = null
  ended = false

  postMessage({ id, markdown }: MarkdownRequest): void {
    if (markdown !== 'endless') this.onmessage?.({ data: { id, html: markdown } } as MessageEvent<MarkdownResponse>)
  }

  terminate(): void {
    this.ended = true
  }
}

describe('the renderer', () => {
  it('rejects a document that is too long without starting a worker', async () => {
    const renderer = new MarkdownRenderer(() => new StubbornWorker(), { maxLength: 3, timeout: 60_000 })
    await expect(renderer.render('long')).rejects.toThrow(MarkdownTooLongError)
  })

  it('CVE-2022-21680, CVE-2022-21681: ends the worker if a document takes too long, and continues with a new one', async () => {
    const workers: StubbornWorker[] = []
    const start = () => {
      const worker = new StubbornWorker()
      workers.push(worker)
      return worker
    }
    const renderer = new MarkdownRenderer(start, { maxLength: 100, timeout: 1 })
    await expect(renderer.render('endless')).rejects.toThrow(MarkdownTooLongError)
    expect(workers.map(({ ended }) => ended)).toEqual([true])
    expect(await renderer.render('fine')).toBe('fine')
    expect(workers).toHaveLength(2)
  })
})
