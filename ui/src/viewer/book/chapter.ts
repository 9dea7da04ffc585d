import { useEffect, useState } from 'react'
import type { DocumentLinks } from '../../lib/markdown/document-links.ts'
import { sanitiseHtml } from '../../lib/markdown/sanitise-html.ts'
import { type BookLocation, resolveInBook } from './book-location.ts'
import type { Zip } from './zip.ts'

export interface Chapter {
  /** Path in the archive. */
  readonly path: string
  /** Sanitised: safe to insert into a page. */
  readonly html: string
  /** The style sheets of the book, without anything that would be fetched. */
  readonly styles: string
  readonly language: string
  readonly direction: string
  /** Object URLs of its pictures, revoked when the chapter is closed. */
  readonly addresses: readonly string[]
}

/** Links within the book start like this after the sanitiser has added its prefix. */
const INTERNAL_LINK = '#user-content-book:'

const PICTURE_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  avif: 'image/avif',
}

/**
 * Prepares a chapter for display. Scripts in a book never run (CVE-2026-34529): they are removed here, the sandboxed
 * frame forbids them, and the content security policy allows only the page's own.
 */
async function openChapter(zip: Zip, path: string): Promise<Chapter> {
  const document = parse((await zip.text(path)) ?? '')
  const styles = await stylesOf(zip, path, document)
  unwrapSvgCovers(document)
  const pictures = await picturesOf(zip, path, document)
  const links: DocumentLinks = {
    picture: (address) => pictures.get(address) ?? null,
    link(address) {
      if (/^(https?:|mailto:)/i.test(address)) return address
      const target = resolveInBook(path, address)
      return target === null ? null : `#book:${encodeURIComponent(JSON.stringify([target.path, target.fragment]))}`
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

/** The target of a link in a chapter; null for one that leads out of the book. */
export function locationOfLink(address: string): BookLocation | null {
  if (!address.startsWith(INTERNAL_LINK)) return null
  try {
    const [path, fragment] = JSON.parse(decodeURIComponent(address.slice(INTERNAL_LINK.length))) as [string, string]
    return { path, fragment: fragment && `user-content-${fragment}` }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof URIError) return null
    throw error
  }
}

/** Parses a chapter as HTML, since many books are not well-formed XHTML. Nothing runs or is fetched here. */
function parse(text: string): Document {
  // Event handlers and inline styles would be reported as policy violations before the sanitiser removes them.
  const quiet = text
    .replace(/\s(on\w+|style)\s*=\s*("[^"]*"|'[^']*')/gi, '')
    .replace(/<script\b[\s\S]*?<\/script>/gi, '')
  return new DOMParser().parseFromString(quiet.replace(/<([\w:]+)([^<>]*)\/>/g, selfClosed), 'text/html')
}

const VOID = /^(area|br|col|embed|hr|img|input|link|meta|source|track|wbr|image)$/i

/** In HTML `<a id="x"/>` is an open tag, and everything after it would become a link. */
function selfClosed(whole: string, name: string, rest: string): string {
  return VOID.test(name) ? whole : `<${name}${rest}></${name}>`
}

async function stylesOf(zip: Zip, path: string, document: Document): Promise<string> {
  const sheets: string[] = []
  for (const element of document.querySelectorAll('link[rel~="stylesheet"], style')) {
    if (element.localName === 'style') sheets.push(element.textContent)
    else {
      const target = resolveInBook(path, element.getAttribute('href') ?? '')
      sheets.push((target && (await zip.text(target.path))) ?? '')
    }
    element.remove()
  }
  // Style sheets must not fetch anything: a book could track its readers or send requests to this server.
  return sheets
    .join('\n')
    .replace(/@import[^;]*;?|@font-face\s*\{[^}]*\}/gi, '')
    .replace(/url\([^)]*\)/gi, 'none')
}

/** Covers are often an image inside an SVG, which the sanitiser would remove as a whole. */
function unwrapSvgCovers(document: Document): void {
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
    const target = resolveInBook(path, written)
    const type = PICTURE_TYPES[target?.path.split('.').at(-1)?.toLowerCase() ?? '']
    if (target === null || type === undefined || pictures.has(written)) continue
    const bytes = await zip.read(target.path)
    if (bytes !== undefined) pictures.set(written, URL.createObjectURL(new Blob([bytes], { type })))
  }
  return pictures
}

/** A chapter of a book; the previous one stays until it is loaded. @throws while rendering if it cannot be read */
export function useChapter(zip: Zip, path: string): Chapter | undefined {
  const [chapter, setChapter] = useState<Chapter>()
  const [problem, setProblem] = useState<Error>()
  useEffect(() => {
    let current = true
    let opened: Chapter | undefined
    openChapter(zip, path).then(
      (made) => {
        opened = made
        if (current) setChapter(made)
        else revokePictures(made)
      },
      (error: unknown) => current && setProblem(error instanceof Error ? error : new Error(String(error))),
    )
    return () => {
      current = false
      if (opened) revokePictures(opened)
    }
  }, [zip, path])
  if (problem !== undefined) throw problem
  return chapter
}

function revokePictures(chapter: Chapter): void {
  for (const address of chapter.addresses) URL.revokeObjectURL(address)
}
