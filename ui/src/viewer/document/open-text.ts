import { resolveInBook } from '../book/book-location.ts'
import type { Zip } from '../book/zip.ts'
import { attribute, child, inside, MAX_DEPTH, pictureAddress, readXml } from './xml.ts'

type Styles = ReadonlyMap<string, Element>

/** Properties that mean the same in CSS; others are left out. */
const COPIED = [
  ...['font-weight', 'font-style', 'font-size', 'color', 'background-color', 'text-align', 'text-indent'],
  ...['margin-left', 'margin-right', 'margin-top', 'margin-bottom', 'line-height'],
]
const HARMLESS_VALUE = /^[#\w.%\s-]{1,40}$/
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
/** Spaces in a row that one element may stand for. */
const MAX_SPACES = 200
/** Comments, changes that were deleted, and what is drawn on each page. */
const SKIPPED = ['annotation', 'tracked-changes', 'sequence-decls', 'forms', 'bookmark', 'table-column']

/** Draws an OpenDocument text (ISO/IEC 26300) into an element. @throws Error if it is damaged */
export async function drawText(zip: Zip, root: HTMLElement): Promise<void> {
  const [content, named] = [await readXml(zip, 'content.xml'), await readXml(zip, 'styles.xml')]
  const body = child(content, 'body', 'text')
  if (body === undefined) throw new Error('This is not an OpenDocument text.')
  const styles = new Map(
    [named, content]
      .flatMap((part) => [...inside(part, 'style'), ...inside(part, 'list-style')])
      .map((style) => [`${attribute(style, 'family') ?? 'list'} ${attribute(style, 'name')}`, style]),
  )
  const pictures = new Map<string, string>()
  for (const image of inside(body, 'image')) {
    const path = resolveInBook('content.xml', attribute(image, 'href') ?? '')?.path
    const address = path === undefined || pictures.has(path) ? undefined : await pictureAddress(zip, path)
    if (path !== undefined && address !== undefined) pictures.set(path, address)
  }
  const paper = root.ownerDocument.createElement('div')
  paper.className = 'paper'
  root.append(paper)
  new TextDrawing(styles, pictures, paper).draw(body)
}

class TextDrawing {
  readonly #styles: Styles
  readonly #pictures: ReadonlyMap<string, string>
  readonly #paper: HTMLElement
  readonly #notes: Element[] = []

  constructor(styles: Styles, pictures: ReadonlyMap<string, string>, paper: HTMLElement) {
    this.#styles = styles
    this.#pictures = pictures
    this.#paper = paper
  }

  draw(body: Element): void {
    this.#fill(this.#paper, body, 0)
    if (this.#notes.length === 0) return
    this.#add(this.#paper, 'hr')
    for (const note of this.#notes) this.#fill(this.#add(this.#paper, 'div'), note, 0)
  }

  #fill(into: HTMLElement, from: Element, depth: number): void {
    if (depth > MAX_DEPTH) return
    for (const node of from.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) into.append((node.nodeValue ?? '').replace(/\s+/g, ' '))
      else if (node.nodeType === Node.ELEMENT_NODE) this.#drawElement(into, node as Element, depth + 1)
    }
  }

  #drawElement(into: HTMLElement, element: Element, depth: number): void {
    const add = (tag: string, family?: string): void => {
      const drawn = this.#add(into, tag)
      if (family !== undefined) this.#dress(drawn, family, attribute(element, 'style-name'))
      this.#fill(drawn, element, depth)
    }
    switch (element.localName) {
      case 'h':
        return add(HEADINGS[Number(attribute(element, 'outline-level') ?? 1) - 1] ?? 'h6', 'paragraph')
      case 'p':
        return add('p', 'paragraph')
      case 'span':
        return add('span', 'text')
      case 'list':
        return add(this.#isNumbered(element) ? 'ol' : 'ul')
      case 'list-item':
      case 'list-header':
        return add('li')
      case 'table':
        return add('table')
      case 'table-row':
        return add('tr')
      case 'table-cell':
        return this.#drawCell(into, element, depth)
      case 'a':
        return this.#drawLink(into, element, depth)
      case 'image':
        return this.#drawPicture(into, element)
      case 's':
        return into.append(' '.repeat(Math.min(MAX_SPACES, Number(attribute(element, 'c') ?? 1) || 1)))
      case 'tab':
        return into.append('\t')
      case 'line-break':
        return into.append(into.ownerDocument.createElement('br'))
      case 'note':
        return this.#drawNote(into, element)
    }
    if (!SKIPPED.includes(element.localName)) this.#fill(into, element, depth)
  }

  #drawCell(into: HTMLElement, element: Element, depth: number): void {
    const cell = this.#add(into, 'td')
    for (const [name, written] of [
      ['colspan', 'number-columns-spanned'],
      ['rowspan', 'number-rows-spanned'],
    ] as const) {
      const count = Number(attribute(element, written))
      if (count > 1) cell.setAttribute(name, String(count))
    }
    this.#fill(cell, element, depth)
  }

  #drawLink(into: HTMLElement, element: Element, depth: number): void {
    const link = this.#add(into, 'a')
    link.setAttribute('href', attribute(element, 'href') ?? '')
    this.#fill(link, element, depth)
  }

  #drawPicture(into: HTMLElement, element: Element): void {
    const path = resolveInBook('content.xml', attribute(element, 'href') ?? '')?.path ?? ''
    const address = this.#pictures.get(path)
    if (address === undefined) return
    const picture = this.#add(into, 'img')
    const frame = element.parentElement
    picture.setAttribute('src', address)
    picture.setAttribute('alt', child(frame, 'title')?.textContent ?? child(frame, 'desc')?.textContent ?? '')
    const width = attribute(frame, 'width') ?? ''
    if (HARMLESS_VALUE.test(width)) picture.style.width = width
  }

  #drawNote(into: HTMLElement, element: Element): void {
    this.#add(into, 'sup').append(child(element, 'note-citation')?.textContent ?? '*')
    this.#notes.push(element)
  }

  #isNumbered(list: Element): boolean {
    const style = this.#styles.get(`list ${attribute(list, 'style-name')}`)
    return style?.firstElementChild?.localName === 'list-level-style-number'
  }

  /** Gives an element the looks of a style and of those that it is based on. */
  #dress(element: HTMLElement, family: string, name: string | undefined): void {
    const chain: Element[] = []
    for (let next = name; next !== undefined && chain.length < MAX_DEPTH;) {
      const style = this.#styles.get(`${family} ${next}`)
      if (style === undefined) break
      chain.unshift(style)
      next = attribute(style, 'parent-style-name')
    }
    for (const style of chain)
      for (const kind of ['paragraph-properties', 'text-properties']) this.#copy(element, child(style, kind))
  }

  #copy(element: HTMLElement, properties: Element | undefined): void {
    if (properties === undefined) return
    for (const name of COPIED) {
      const value = attribute(properties, name)
      if (value !== undefined && HARMLESS_VALUE.test(value)) element.style.setProperty(name, value)
    }
    const [under, through] = ['text-underline-style', 'text-line-through-style'].map((name) =>
      attribute(properties, name),
    )
    if (under !== undefined && under !== 'none') element.style.textDecoration = 'underline'
    if (through !== undefined && through !== 'none') element.style.textDecoration = 'line-through'
    const [position] = attribute(properties, 'text-position')?.split(' ') ?? []
    if (position === 'super' || position === 'sub') element.style.verticalAlign = position
    if (attribute(properties, 'break-before') === 'page') element.style.borderTop = '1px dashed #999'
  }

  #add(into: HTMLElement, tag: string): HTMLElement {
    const element = into.ownerDocument.createElement(tag)
    into.append(element)
    return element
  }
}
