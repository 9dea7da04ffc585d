import { resolveInBook, type BookLocation } from './book-location.ts'
import { type DecodeText, openZip, type Zip } from './zip.ts'

export interface TocEntry extends BookLocation {
  readonly title: string
  readonly depth: number
}

export interface Book {
  readonly zip: Zip
  readonly title: string
  /** Paths of the chapters in the archive, in reading order. */
  readonly chapters: readonly string[]
  readonly toc: readonly TocEntry[]
}

const MAX_TOC_ENTRIES = 500

/** Reads the package document and table of contents of an EPUB 2 or 3. @throws Error if it is not a valid EPUB */
export async function openBook(archive: Blob, decode: DecodeText): Promise<Book> {
  const zip = await openZip(archive, decode)
  const container = parseXml(await zip.text('META-INF/container.xml'))
  const packagePath = byName(container, 'rootfile')[0]?.getAttribute('full-path')
  const text = packagePath == null ? undefined : await zip.text(packagePath)
  if (packagePath == null || text === undefined) throw new Error('This is not an EPUB book.')
  const document = parseXml(text)
  const items = byName(document, 'item').map((item) => ({
    id: item.getAttribute('id') ?? '',
    path: resolveInBook(packagePath, item.getAttribute('href') ?? '')?.path ?? '',
    type: item.getAttribute('media-type') ?? '',
    isNav: (item.getAttribute('properties') ?? '').split(/\s+/).includes('nav'),
  }))
  const byId = new Map(items.map((item) => [item.id, item]))
  const chapters = byName(document, 'itemref').flatMap((reference) => {
    const item = byId.get(reference.getAttribute('idref') ?? '')
    return item === undefined || item.path === '' ? [] : [item.path]
  })
  if (chapters.length === 0) throw new Error('This book has no chapters.')
  const modern = items.find(({ isNav }) => isNav)?.path
  const old = items.find(({ type }) => type === 'application/x-dtbncx+xml')?.path
  const toc = await (modern === undefined ? tocFromNcx(zip, old) : tocFromNav(zip, modern))
  return { zip, title: byName(document, 'title')[0]?.textContent.trim() ?? '', chapters, toc }
}

async function tocFromNav(zip: Zip, path: string): Promise<TocEntry[]> {
  const document = parseXml(await zip.text(path))
  const lists = byName(document, 'nav')
  const list = lists.find((nav) => [...nav.attributes].some(({ value }) => value === 'toc')) ?? lists[0]
  if (list === undefined) return []
  return byName(list, 'a')
    .slice(0, MAX_TOC_ENTRIES)
    .flatMap((link) => entryOf(path, link.getAttribute('href'), link.textContent, depthOf(link, list, 'ol') - 1))
}

async function tocFromNcx(zip: Zip, path: string | undefined): Promise<TocEntry[]> {
  if (path === undefined) return []
  const document = parseXml(await zip.text(path))
  return byName(document, 'navPoint')
    .slice(0, MAX_TOC_ENTRIES)
    .flatMap((point) => {
      const label = byName(point, 'text')[0]?.textContent ?? ''
      const source = byName(point, 'content')[0]?.getAttribute('src') ?? null
      return entryOf(path, source, label, depthOf(point, document.documentElement, 'navPoint'))
    })
}

function entryOf(from: string, address: string | null, title: string, depth: number): TocEntry[] {
  const location = address === null ? null : resolveInBook(from, address)
  const text = title.replace(/\s+/g, ' ').trim()
  return location === null || text === '' ? [] : [{ ...location, title: text, depth: Math.max(0, depth) }]
}

function depthOf(element: Element, root: Element, name: string): number {
  let depth = 0
  for (let around = element.parentElement; around !== null && around !== root; around = around.parentElement) {
    if (around.localName === name) depth += 1
  }
  return depth
}

/** Elements by local name: namespace prefixes differ between books. */
function byName(root: Document | Element, name: string): Element[] {
  return [...root.getElementsByTagNameNS('*', name)]
}

function parseXml(text: string | undefined): Document {
  const document = new DOMParser().parseFromString(text ?? '', 'application/xml')
  if (document.querySelector('parsererror') !== null) throw new Error('This book is damaged.')
  return document
}
