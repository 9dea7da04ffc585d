import { Marked } from 'marked'

/** Converts GitHub-flavoured Markdown to HTML. The output is untrusted: only `sanitiseHtml` makes it safe. */
export function markdownToHtml(markdown: string): string {
  const marked = new Marked({ gfm: true, async: false, renderer: { heading: renderHeading, html: renderHtml } })
  return marked.parse(withoutFrontMatter(markdown), { async: false })
}

type Heading = Parameters<NonNullable<InstanceType<typeof Marked>['defaults']['renderer']>['heading']>[0]

/** Headings get ids, so that links in a table of contents work. */
function renderHeading(this: { parser: { parseInline(tokens: Heading['tokens']): string } }, heading: Heading): string {
  const { depth, text, tokens } = heading
  return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
}

const INVISIBLE_ELEMENTS = /<(script|style|template)\b[^>]*>[\s\S]*?(<\/\1[^>]*>|$)/gi
/** Tags that GitHub filters too: they change how the rest of the document is parsed. */
const DISALLOWED = /<(?=\/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)\b)/gi
const HANDLER = /\s(on\w+|style)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)/gi

/**
 * Removes noise around raw HTML. Not a security measure (the sanitiser is), but browsers report scripts, handlers and
 * styles as policy violations while parsing, before the sanitiser removes them.
 */
function renderHtml({ text }: { readonly text: string }): string {
  return text.replace(INVISIBLE_ELEMENTS, '').replace(DISALLOWED, '&lt;').replace(HANDLER, '')
}

/** Heading ids as on GitHub: lower case, digits and hyphens. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

/** Removes YAML front matter. */
function withoutFrontMatter(markdown: string): string {
  return markdown.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(\r?\n|$)/, '')
}
