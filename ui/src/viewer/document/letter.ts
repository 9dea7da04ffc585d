import { type HElement, parseAsync, renderDocument } from 'docx-preview'
import type { Zip } from '../book/zip.ts'

/** Draws a Word document into an element. @throws Error if it is damaged */
export async function drawLetter(zip: Zip, root: HTMLElement): Promise<void> {
  const options = {
    h: (part: HElement | Node | string) => create(root.ownerDocument, part),
    // Fonts would be files of their own, and parts in HTML come from anywhere.
    ignoreFonts: true,
    renderAltChunks: false,
    useBase64URL: true,
  }
  root.append(...(await renderDocument(await parseAsync(zip, options), options)))
  for (const style of root.querySelectorAll('style'))
    style.textContent = style.textContent.replace(SYMBOL, (symbol) => BULLETS[symbol] ?? '•')
}

/** Characters of the fonts Symbol and Wingdings, which few systems have. */
const SYMBOL = /[\uf000-\uf0ff]/g
const BULLETS: Readonly<Record<string, string>> = { '\uf0a7': '▪', '\uf0d8': '➢', '\uf0fc': '✓' }

/** Creates what the package describes, in a document without a window. */
function create(owner: Document, part: HElement | Node | string): Node {
  if (typeof part === 'string') return owner.createTextNode(part)
  if (part instanceof Node) return part
  const { ns, tagName, className, style, children = [], ...properties } = part
  if (tagName === '#comment') return owner.createComment('')
  if (tagName === '#fragment') {
    const fragment = owner.createDocumentFragment()
    fragment.append(...children.map((child) => create(owner, child)))
    return fragment
  }
  const element = owner.createElementNS(ns ?? 'http://www.w3.org/1999/xhtml', tagName) as HTMLElement
  if (className) element.setAttribute('class', className)
  // Not as an attribute, which the policy of this page would report.
  if (typeof style === 'string') element.style.cssText = style
  else if (style) Object.assign(element.style, style)
  for (const [key, value] of Object.entries(properties)) if (value !== undefined) Reflect.set(element, key, value)
  element.append(...children.map((child) => create(owner, child)))
  return element
}
