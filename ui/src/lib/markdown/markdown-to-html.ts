import { Marked, type Parser, type Tokens } from 'marked'

/** Converts GitHub-flavoured Markdown to HTML. The output is untrusted: only `sanitiseHtml` makes it safe. */
export function markdownToHtml(markdown: string): string {
  const renderer = { heading: createHeadings(), html: renderHtml }
  const marked = new Marked({ gfm: true, async: false, renderer })
  return marked.parse(withoutFrontMatter(markdown), { async: false })
}

type RenderHeading = (this: { readonly parser: Parser }, heading: Tokens.Heading) => string

/** Headings get ids, so that links in a table of contents work. Equal ones are numbered, as on GitHub. */
function createHeadings(): RenderHeading {
  const used = new Set<string>()
  /** The last number of each id, so that many equal headings take no longer than different ones. */
  const numbers = new Map<string, number>()
  const freeId = (slug: string): string => {
    let id = slug
    for (let number = numbers.get(slug) ?? 0; used.has(id); id = `${slug}-${number}`) numbers.set(slug, (number += 1))
    used.add(id)
    return id
  }
  return function ({ depth, tokens }) {
    const slug = slugOf(this.parser.parseInline(tokens, this.parser.textRenderer))
    const id = slug === '' ? '' : ` id="${freeId(slug)}"`
    return `<h${depth}${id}>${this.parser.parseInline(tokens)}</h${depth}>\n`
  }
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

/** Heading ids as on GitHub: lower case, digits and hyphens. @param heading escaped for HTML */
function slugOf(heading: string): string {
  return heading
    .replace(/<\/?[a-z][^<>]*>|&#?\w+;/gi, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

/** Removes YAML front matter. */
function withoutFrontMatter(markdown: string): string {
  return markdown.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(\r?\n|$)/, '')
}
