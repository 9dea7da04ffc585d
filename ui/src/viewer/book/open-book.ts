import { placeInBook, type BookPlace } from './book-path.ts'
import { openZip, type Zip } from './zip.ts'

export interface Contents extends BookPlace {
  readonly title: string
  readonly depth: number
}

export interface Book {
  readonly zip: Zip
  readonly title: string
  /** Paths of the chapters in the archive, in the order of reading. */
  readonly chapters: readonly string[]
  readonly contents: readonly Contents[]
}

const MOST_CONTENTS = 500

/** Reads what an EPUB says of itself (EPUB 2 and 3). @throws Error for what is none */
export async function openBook(archive: Blob): Promise<Book> {
  const zip = await openZip(archive)
  const container = parseXml(await zip.text('META-INF/container.xml'))
  const packagePath = byName(container, 'rootfile')[0]?.getAttribute('full-path')
  const text = packagePath == null ? undefined : await zip.text(packagePath)
  if (packagePath == null || text === undefined) throw new Error('This is no book.')
  const document = parseXml(text)
  const items = byName(document, 'item').map((item) => ({
    id: item.getAttribute('id') ?? '',
    path: placeInBook(packagePath, item.getAttribute('href') ?? '')?.path ?? '',
    type: item.getAttribute('media-type') ?? '',
    isContents: (item.getAttribute('properties') ?? '').split(/\s+/).includes('nav'),
  }))
  const byId = new Map(items.map((item) => [item.id, item]))
  const chapters = byName(document, 'itemref').flatMap((reference) => {
    const item = byId.get(reference.getAttribute('idref') ?? '')
    return item === undefined || item.path === '' ? [] : [item.path]
  })
  if (chapters.length === 0) throw new Error('This book has no chapters.')
  const modern = items.find(({ isContents }) => isContents)?.path
  const old = items.find(({ type }) => type === 'application/x-dtbncx+xml')?.path
  const contents = await (modern === undefined ? contentsOfNcx(zip, old) : contentsOfNav(zip, modern))
  return { zip, title: byName(document, 'title')[0]?.textContent.trim() ?? '', chapters, contents }
}

async function contentsOfNav(zip: Zip, path: string): Promise<Contents[]> {
  const document = parseXml(await zip.text(path))
  const lists = byName(document, 'nav')
  const list = lists.find((nav) => [...nav.attributes].some(({ value }) => value === 'toc')) ?? lists[0]
  if (list === undefined) return []
  return byName(list, 'a')
    .slice(0, MOST_CONTENTS)
    .flatMap((link) => entryOf(path, link.getAttribute('href'), link.textContent, depthOf(link, list, 'ol') - 1))
}

async function contentsOfNcx(zip: Zip, path: string | undefined): Promise<Contents[]> {
  if (path === undefined) return []
  const document = parseXml(await zip.text(path))
  return byName(document, 'navPoint')
    .slice(0, MOST_CONTENTS)
    .flatMap((point) => {
      const label = byName(point, 'text')[0]?.textContent ?? ''
      const source = byName(point, 'content')[0]?.getAttribute('src') ?? null
      return entryOf(path, source, label, depthOf(point, document.documentElement, 'navPoint'))
    })
}

function entryOf(from: string, address: string | null, title: string, depth: number): Contents[] {
  const place = address === null ? null : placeInBook(from, address)
  const text = title.replace(/\s+/g, ' ').trim()
  return place === null || text === '' ? [] : [{ ...place, title: text, depth: Math.max(0, depth) }]
}

function depthOf(element: Element, root: Element, name: string): number {
  let depth = 0
  for (let around = element.parentElement; around !== null && around !== root; around = around.parentElement) {
    if (around.localName === name) depth += 1
  }
  return depth
}

/** Whatever prefixes its names carry. */
function byName(root: Document | Element, name: string): Element[] {
  return [...root.getElementsByTagNameNS('*', name)]
}

function parseXml(text: string | undefined): Document {
  const document = new DOMParser().parseFromString(text ?? '', 'application/xml')
  if (document.querySelector('parsererror') !== null) throw new Error('This book is damaged.')
  return document
}
