import createDOMPurify from 'dompurify'
import type { DocumentLinks } from './document-links.ts'

const TAGS = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'code', 'kbd', 'samp', 'var'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...['a', 'img', 'em', 'strong', 'b', 'i', 's', 'u', 'del', 'ins', 'mark', 'sub', 'sup', 'small', 'q', 'abbr', 'time'],
  ...['details', 'summary', 'figure', 'figcaption', 'div', 'span', 'bdi', 'ruby', 'rt', 'rp', 'input', 'center'],
]

const ATTRIBUTES = [
  ...['href', 'src', 'alt', 'title', 'align', 'width', 'height', 'colspan', 'rowspan', 'start', 'open', 'dir', 'lang'],
  ...['id', 'type', 'checked', 'disabled', 'datetime', 'reversed', 'value'],
]

/** Additional tags for books, which have style sheets of their own. */
const PARTS = 'section article aside header footer nav main cite dfn wbr address tt big'.split(' ')

interface SanitiseOptions {
  /** Keeps classes. For documents in a frame of their own, where classes cannot match our styles. */
  readonly styled?: boolean
}

/**
 * Makes HTML from a document safe to insert: no scripts, no forms, no requests to other hosts (CVE-2025-52902: raw HTML
 * in a Markdown file acted on behalf of its reader). Ids and names get the prefix "user-content-", so that they cannot
 * shadow variables of the page (DOM clobbering).
 */
export function sanitiseHtml(html: string, links: DocumentLinks, { styled = false }: SanitiseOptions = {}): string {
  const purify = createDOMPurify(window)
  purify.addHook('afterSanitizeAttributes', (element) => {
    if (element instanceof HTMLImageElement) rewriteImage(element, links)
    else if (element instanceof HTMLAnchorElement) rewriteLink(element, links)
    else if (element instanceof HTMLInputElement) restrictInput(element)
  })
  return purify.sanitize(html, {
    ALLOWED_TAGS: styled ? [...TAGS, ...PARTS] : TAGS,
    ALLOWED_ATTR: styled ? [...ATTRIBUTES, 'class'] : ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    SANITIZE_NAMED_PROPS: true,
  })
}

function rewriteImage(image: HTMLImageElement, links: DocumentLinks): void {
  const address = links.picture(image.getAttribute('src') ?? '')
  if (address === null) image.replaceWith(image.alt)
  else {
    image.setAttribute('src', address)
    image.setAttribute('loading', 'lazy')
  }
}

function rewriteLink(anchor: HTMLAnchorElement, links: DocumentLinks): void {
  const written = anchor.getAttribute('href')
  if (written === null) return
  const address = links.link(written)
  if (address === null) anchor.removeAttribute('href')
  else if (address.startsWith('#')) anchor.setAttribute('href', `#user-content-${address.slice(1)}`)
  else {
    anchor.setAttribute('href', address)
    if (!/^(https?:|mailto:)/i.test(address)) return
    anchor.setAttribute('target', '_blank')
    anchor.setAttribute('rel', 'noopener noreferrer')
  }
}

/** Keeps only the check boxes of task lists, disabled. */
function restrictInput(input: HTMLInputElement): void {
  if (input.type !== 'checkbox') return input.remove()
  input.setAttribute('disabled', '')
  input.setAttribute('aria-label', input.closest('li')?.textContent.trim() ?? '')
}
