import { Marked } from 'marked'

/** GitHub's Markdown as HTML. The answer is as hostile as its source: only `sanitiseHtml` makes it safe to show. */
export function markdownToHtml(markdown: string): string {
  const marked = new Marked({ gfm: true, async: false, renderer: { heading: renderHeading, html: renderHtml } })
  return marked.parse(withoutFrontMatter(markdown), { async: false })
}

type Heading = Parameters<NonNullable<InstanceType<typeof Marked>['defaults']['renderer']>['heading']>[0]

/** Headings get ids, so that the links of a table of contents lead somewhere. */
function renderHeading(this: { parser: { parseInline(tokens: Heading['tokens']): string } }, heading: Heading): string {
  const { depth, text, tokens } = heading
  return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
}

const UNSEEN = /<(script|style|template)\b[^>]*>[\s\S]*?(<\/\1[^>]*>|$)/gi
/** Tags that GitHub does not allow either: they change how the rest of the document is parsed. */
const DISALLOWED = /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)\b)/gi
const HANDLER = /\s(on\w+|style)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)/gi

/**
 * Keeps what stands around raw HTML readable. This is not a security measure: the sanitiser is. But the browser reports
 * scripts, handlers and styles as a break of the page's policy while it reads them, before they are taken away.
 */
function renderHtml({ text }: { readonly text: string }): string {
  return text.replace(UNSEEN, '').replace(DISALLOWED, '&lt;').replace(HANDLER, '')
}

/** As GitHub makes them: small letters, digits and hyphens. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

/** The facts that site generators keep at the top of a page are not its text. */
function withoutFrontMatter(markdown: string): string {
  return markdown.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(\r?\n|$)/, '')
}
