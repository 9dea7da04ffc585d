import type { DocumentLinks } from '../../lib/markdown/document-links.ts'
import { sanitiseHtml } from '../../lib/markdown/sanitise-html.ts'
import { placeInBook, type BookPlace } from './book-path.ts'
import type { Zip } from './zip.ts'

export interface Chapter {
  /** In the archive. */
  readonly path: string
  /** Safe to be put into a page. */
  readonly html: string
  /** The style sheets of the book, without anything that is fetched. */
  readonly styles: string
  readonly language: string
  readonly direction: string
  /** Addresses of pictures, which are given back when the chapter is closed. */
  readonly addresses: readonly string[]
}

/** Links to another place of the book start like this, once the sanitiser has put its prefix before them. */
const MARK = '#user-content-book:'

const PICTURE_TYPES: Readonly<Record<string, string>> = {
  ...{ jpg: 'image/jpeg', jpeg: 'image/jpeg', png: 'image/png', gif: 'image/gif', webp: 'image/webp' },
  ...{ svg: 'image/svg+xml', avif: 'image/avif' },
}

/**
 * A chapter ready to be shown. Scripts of a book never run (CVE-2026-34529): they are taken out here, the frame it is
 * shown in lets none run, and the policy of the page allows no others than its own.
 */
export async function openChapter(zip: Zip, path: string): Promise<Chapter> {
  const document = parse((await zip.text(path)) ?? '')
  const styles = await stylesOf(zip, path, document)
  showDrawnCovers(document)
  const pictures = await picturesOf(zip, path, document)
  const links: DocumentLinks = {
    picture: (address) => pictures.get(address) ?? null,
    link(address) {
      if (/^(https?:|mailto:)/i.test(address)) return address
      const place = placeInBook(path, address)
      return place === null ? null : `#book:${encodeURIComponent(JSON.stringify([place.path, place.part]))}`
    },
  }
  const root = document.documentElement
  return {
    path,
    html: sanitiseHtml(document.body.innerHTML, links, { styled: true }),
    styles,
    language: root.getAttribute('lang') ?? root.getAttribute('xml:lang') ?? '',
    direction: document.body.getAttribute('dir') ?? root.getAttribute('dir') ?? '',
    addresses: [...pictures.values()],
  }
}

/** Where a link in a chapter leads; null for one that leads out of the book. */
export function placeOfLink(address: string): BookPlace | null {
  if (!address.startsWith(MARK)) return null
  try {
    const [path, part] = JSON.parse(decodeURIComponent(address.slice(MARK.length))) as [string, string]
    return { path, part: part && `user-content-${part}` }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof URIError) return null
    throw error
  }
}

/** Books are XHTML, but many only nearly so: read as HTML, each shows what it has. Nothing runs or is fetched here. */
function parse(text: string): Document {
  // Handlers and inline styles would be reported as a break of the page's policy before the sanitiser takes them.
  const quiet = text
    .replace(/\s(on\w+|style)\s*=\s*("[^"]*"|'[^']*')/gi, '')
    .replace(/<script\b[\s\S]*?<\/script>/gi, '')
  return new DOMParser().parseFromString(quiet.replace(/<([\w:]+)([^<>]*)\/>/g, selfClosed), 'text/html')
}

const VOID = /^(area|br|col|embed|hr|img|input|link|meta|source|track|wbr|image)$/i

/** `<a id="x"/>` is an open tag in HTML, and everything after it would be a link. */
function selfClosed(whole: string, name: string, rest: string): string {
  return VOID.test(name) ? whole : `<${name}${rest}></${name}>`
}

async function stylesOf(zip: Zip, path: string, document: Document): Promise<string> {
  const sheets: string[] = []
  for (const element of document.querySelectorAll('link[rel~="stylesheet"], style')) {
    if (element.localName === 'style') sheets.push(element.textContent)
    else {
      const place = placeInBook(path, element.getAttribute('href') ?? '')
      sheets.push((place && (await zip.text(place.path))) ?? '')
    }
    element.remove()
  }
  // Nothing that a sheet names is fetched: neither from this server nor from another.
  return sheets
    .join('\n')
    .replace(/@import[^;]*;?|@font-face\s*\{[^}]*\}/gi, '')
    .replace(/url\([^)]*\)/gi, 'none')
}

/** Covers are often a picture inside of a drawing, which the sanitiser would take away as a whole. */
function showDrawnCovers(document: Document): void {
  for (const drawing of document.querySelectorAll('svg')) {
    const inside = drawing.querySelector('image')
    const address = inside?.getAttribute('xlink:href') ?? inside?.getAttribute('href')
    if (address == null) continue
    const image = document.createElement('img')
    image.setAttribute('src', address)
    image.setAttribute('alt', '')
    drawing.replaceWith(image)
  }
}

async function picturesOf(zip: Zip, path: string, document: Document): Promise<Map<string, string>> {
  const pictures = new Map<string, string>()
  for (const image of document.querySelectorAll('img')) {
    const written = image.getAttribute('src') ?? ''
    const place = placeInBook(path, written)
    const type = PICTURE_TYPES[place?.path.split('.').at(-1)?.toLowerCase() ?? '']
    if (place === null || type === undefined || pictures.has(written)) continue
    const bytes = await zip.read(place.path)
    if (bytes !== undefined) pictures.set(written, URL.createObjectURL(new Blob([bytes], { type })))
  }
  return pictures
}
