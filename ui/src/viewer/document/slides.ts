import type { Zip } from '../book/zip.ts'
import { drawTextBody, type TextLook } from './slide-text.ts'
import { openPresentation, relation, type SlidePart, type SlideParts } from './slide-parts.ts'
import { attribute, child, inside, MAX_DEPTH } from './xml.ts'

/** The slides of a presentation (ECMA-376) into an element: texts, tables, pictures and plain shapes. @throws Error if it is damaged */
export async function drawSlides(zip: Zip, root: HTMLElement): Promise<void> {
  const { width, height, slides } = await openPresentation(zip)
  for await (const slide of slides) root.append(new SlideDrawing(slide, { width, height }, root.ownerDocument).draw())
}

interface Size {
  readonly width: number
  readonly height: number
}

/** Where a shape is, in English Metric Units, and how it is turned, in degrees. */
interface Place extends Size {
  readonly x: number
  readonly y: number
  readonly turn: number
}

/** From the measures of a group to those of the slide. */
interface Scale {
  readonly x: number
  readonly y: number
  readonly byX: number
  readonly byY: number
}

const UNSCALED: Scale = { x: 0, y: 0, byX: 1, byY: 1 }
const SHAPES = ['sp', 'pic', 'graphicFrame']
const ROUND: Readonly<Record<string, string>> = { ellipse: '50%', roundRect: '1.5cqw' }

class SlideDrawing {
  readonly #slide: SlideParts
  readonly #size: Size
  readonly #owner: Document

  constructor(slide: SlideParts, size: Size, owner: Document) {
    this.#slide = slide
    this.#size = size
    this.#owner = owner
  }

  draw(): HTMLElement {
    const section = this.#owner.createElement('section')
    section.className = 'slide'
    section.style.aspectRatio = `${this.#size.width} / ${this.#size.height}`
    const { parts } = this.#slide
    const background = parts.map(({ root }) => child(root, 'cSld', 'bg')).find((each) => each !== undefined)
    const colour = this.#colourOf(child(background, 'bgPr') ?? background)
    if (colour !== undefined) section.style.backgroundColor = colour
    for (const [index, part] of [...parts.entries()].toReversed()) {
      const tree = child(part.root, 'cSld', 'spTree')
      if (tree !== undefined) this.#drawShapes(section, part, tree, { isOwn: index === 0, scale: UNSCALED, depth: 0 })
    }
    return section
  }

  #drawShapes(
    into: HTMLElement,
    part: SlidePart,
    tree: Element,
    { isOwn, scale, depth }: { readonly isOwn: boolean; readonly scale: Scale; readonly depth: number },
  ): void {
    if (depth > MAX_DEPTH) return
    for (const shape of tree.children) {
      const holder = inside(shape.firstElementChild, 'ph')[0]
      // The places for texts of a layout are empty.
      if (!isOwn && holder !== undefined) continue
      if (shape.localName === 'grpSp') {
        const place = child(shape, 'grpSpPr', 'xfrm')
        this.#drawShapes(into, part, shape, { isOwn, scale: place ? within(place, scale) : scale, depth: depth + 1 })
        continue
      }
      if (!SHAPES.includes(shape.localName)) continue
      const sources = holder === undefined ? [] : this.#sourcesOf(holder)
      const place = [shape, ...sources].map(placeOf).find((each) => each !== undefined)
      if (place === undefined) continue
      const element = this.#place(into, place, scale)
      if (shape.localName === 'pic') this.#drawPicture(element, part, shape, isOwn)
      else if (shape.localName === 'graphicFrame') this.#drawTable(element, shape)
      else this.#drawShape(element, shape, sources, holder)
    }
  }

  /** The shapes of the layout and the master that a placeholder takes its place and look from. */
  #sourcesOf(holder: Element): Element[] {
    const type = attribute(holder, 'type') ?? 'body'
    const index = attribute(holder, 'idx')
    const kin = (other: Element) => {
      const otherType = attribute(other, 'type') ?? 'body'
      return (
        otherType === type ||
        (type === 'ctrTitle' && otherType === 'title') ||
        (type === 'subTitle' && otherType === 'body')
      )
    }
    return this.#slide.parts.slice(1).flatMap(({ root }) => {
      const holders = inside(child(root, 'cSld', 'spTree'), 'ph')
      const found = holders.find((each) => index !== undefined && attribute(each, 'idx') === index) ?? holders.find(kin)
      const shape = found?.parentElement?.parentElement?.parentElement
      return shape ? [shape] : []
    })
  }

  #place(into: HTMLElement, { x, y, width, height, turn }: Place, scale: Scale): HTMLElement {
    const element = this.#owner.createElement('div')
    const percent = (part: number, whole: number) => `${((part / whole) * 100).toFixed(3)}%`
    element.style.position = 'absolute'
    element.style.left = percent(scale.x + x * scale.byX, this.#size.width)
    element.style.top = percent(scale.y + y * scale.byY, this.#size.height)
    element.style.width = percent(width * scale.byX, this.#size.width)
    element.style.height = percent(height * scale.byY, this.#size.height)
    if (turn !== 0) element.style.transform = `rotate(${turn}deg)`
    into.append(element)
    return element
  }

  #drawPicture(element: HTMLElement, part: SlidePart, shape: Element, isOwn: boolean): void {
    const blip = child(shape, 'blipFill', 'blip')
    const address = blip && part.pictures.get(relation(blip, 'embed') ?? '')
    if (address === undefined) return
    const picture = this.#owner.createElement(isOwn ? 'img' : 'div')
    picture.style.width = '100%'
    picture.style.height = '100%'
    if (isOwn) {
      picture.setAttribute('src', address)
      picture.setAttribute('alt', attribute(child(shape, 'nvPicPr', 'cNvPr'), 'descr') ?? '')
    } else {
      // As a style, a picture of all slides is in the page once.
      picture.style.background = `url("${address}") 0 0 / 100% 100%`
    }
    element.append(picture)
  }

  #drawTable(element: HTMLElement, frame: Element): void {
    const table = this.#owner.createElement('table')
    for (const row of inside(frame, 'tr')) {
      const line = this.#owner.createElement('tr')
      for (const cell of inside(row, 'tc')) {
        if (attribute(cell, 'hMerge') === '1' || attribute(cell, 'vMerge') === '1') continue
        const field = this.#owner.createElement('td')
        for (const [name, written] of [
          ['colspan', 'gridSpan'],
          ['rowspan', 'rowSpan'],
        ] as const) {
          const count = Number(attribute(cell, written))
          if (count > 1) field.setAttribute(name, String(count))
        }
        const colour = this.#colourOf(child(cell, 'tcPr'))
        if (colour !== undefined) field.style.backgroundColor = colour
        const body = child(cell, 'txBody')
        if (body !== undefined) drawTextBody(field, body, this.#lookOf([]))
        line.append(field)
      }
      table.append(line)
    }
    if (table.children.length > 0) element.append(table)
  }

  #drawShape(element: HTMLElement, shape: Element, sources: readonly Element[], holder: Element | undefined): void {
    const properties = child(shape, 'spPr')
    const colour = this.#colourOf(properties)
    const line = this.#colourOf(child(properties, 'ln'))
    if (colour !== undefined) element.style.backgroundColor = colour
    if (line !== undefined) element.style.border = `1px solid ${line}`
    const round = ROUND[attribute(child(properties, 'prstGeom'), 'prst') ?? '']
    if (round !== undefined) element.style.borderRadius = round
    const body = child(shape, 'txBody')
    if (body === undefined) return
    const type = attribute(holder, 'type') ?? (holder === undefined ? '' : 'body')
    const kind = /title$/i.test(type) && type !== 'subTitle' ? 'titleStyle' : type === '' ? 'otherStyle' : 'bodyStyle'
    const general = this.#slide.parts.flatMap(({ root }) => child(root, 'txStyles', kind) ?? [])
    const bodies = [shape, ...sources].flatMap((each) => child(each, 'txBody') ?? [])
    drawTextBody(element, body, this.#lookOf(bodies, general))
  }

  #lookOf(bodies: readonly Element[], general: readonly Element[] = []): TextLook {
    return {
      styles: [...bodies.flatMap((body) => child(body, 'lstStyle') ?? []), ...general],
      bodies: bodies.flatMap((body) => child(body, 'bodyPr') ?? []),
      point: (12_700 / this.#size.width) * 100,
      colourOf: (properties) => this.#colourOf(properties),
    }
  }

  /** The colour of a plain fill. */
  #colourOf(properties: Element | undefined): string | undefined {
    const fill = child(properties, 'solidFill') ?? child(properties, 'bgRef')
    const colour = fill?.firstElementChild
    const value = attribute(colour, 'val') ?? ''
    if (colour?.localName === 'srgbClr') return /^[\da-f]{6}$/i.test(value) ? `#${value}` : undefined
    return colour?.localName === 'schemeClr' ? this.#slide.colours.get(value) : undefined
  }
}

function placeOf(shape: Element): Place | undefined {
  const place = child(shape, 'spPr', 'xfrm') ?? child(shape, 'xfrm')
  const [at, size] = [child(place, 'off'), child(place, 'ext')]
  if (at === undefined || size === undefined) return undefined
  return {
    x: number(at, 'x'),
    y: number(at, 'y'),
    width: number(size, 'cx'),
    height: number(size, 'cy'),
    turn: number(place, 'rot') / 60_000,
  }
}

function within(place: Element, outer: Scale): Scale {
  const [at, size] = [child(place, 'off'), child(place, 'ext')]
  const [innerAt, innerSize] = [child(place, 'chOff'), child(place, 'chExt')]
  const byX = (number(size, 'cx') / (number(innerSize, 'cx') || 1)) * outer.byX || 1
  const byY = (number(size, 'cy') / (number(innerSize, 'cy') || 1)) * outer.byY || 1
  return {
    x: outer.x + number(at, 'x') * outer.byX - number(innerAt, 'x') * byX,
    y: outer.y + number(at, 'y') * outer.byY - number(innerAt, 'y') * byY,
    byX,
    byY,
  }
}

function number(element: Element | undefined, name: string): number {
  return Number(attribute(element, name)) || 0
}
