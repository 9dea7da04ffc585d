import { Marked } from 'marked'

/** GitHub's Markdown as HTML. The answer is as hostile as its source: only `sanitiseHtml` makes it safe to show. */
export function markdownToHtml(markdown: string): string {
  const marked = new Marked({ gfm: true, async: false, renderer: { heading: renderHeading } })
  return marked.parse(withoutFrontMatter(markdown), { async: false })
}

type Heading = Parameters<NonNullable<InstanceType<typeof Marked>['defaults']['renderer']>['heading']>[0]

/** Headings get ids, so that the links of a table of contents lead somewhere. */
function renderHeading(this: { parser: { parseInline(tokens: Heading['tokens']): string } }, heading: Heading): string {
  const { depth, text, tokens } = heading
  return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
}

/** As GitHub makes them: small letters, digits and hyphens. */
export function slugOf(heading: string): string {
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
