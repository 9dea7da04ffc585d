import { attribute, child } from './xml.ts'

/** What a text of a slide looks like where its runs do not say it. */
export interface TextLook {
  /** Lists of styles by level; the first that has a property wins. */
  readonly styles: readonly Element[]
  /** Properties of the whole text, in the same order. */
  readonly bodies: readonly Element[]
  /** A point in percent of the width of the slide. */
  readonly point: number
  colourOf(properties: Element | undefined): string | undefined
}

const DEFAULT_SIZE = 1800
const ALIGNMENTS: Readonly<Record<string, string>> = { l: 'left', ctr: 'center', r: 'right', just: 'justify' }
const ANCHORS: Readonly<Record<string, string>> = { ctr: 'center', b: 'flex-end' }

/** Draws the paragraphs of a text into an element. */
export function drawTextBody(into: HTMLElement, body: Element, look: TextLook): void {
  const own = child(body, 'bodyPr')
  const bodies = own === undefined ? look.bodies : [own, ...look.bodies]
  const anchor = ANCHORS[bodies.map((each) => attribute(each, 'anchor')).find((value) => value !== undefined) ?? '']
  if (into.localName === 'div') {
    into.style.display = 'flex'
    into.style.flexDirection = 'column'
    into.style.padding = '0.4cqw 0.8cqw'
    if (anchor !== undefined) into.style.justifyContent = anchor
  }
  const scale = (Number(attribute(child(bodies[0], 'normAutofit'), 'fontScale')) || 100_000) / 100_000
  for (const paragraph of body.children)
    if (paragraph.localName === 'p') drawParagraph(into, paragraph, { ...look, point: look.point * scale })
}

function drawParagraph(into: HTMLElement, paragraph: Element, look: TextLook): void {
  const properties = child(paragraph, 'pPr')
  const level = Number(attribute(properties, 'lvl')) || 0
  const styles = look.styles.flatMap((list) => child(list, `lvl${level + 1}pPr`) ?? [])
  const levels = [...(properties === undefined ? [] : [properties]), ...styles]
  const element = into.ownerDocument.createElement('p')
  into.append(element)
  const align = levels.map((each) => attribute(each, 'algn')).find((value) => value !== undefined)
  const direction = levels.map((each) => attribute(each, 'rtl')).find((value) => value !== undefined)
  if (direction === '1') element.setAttribute('dir', 'rtl')
  const alignment = ALIGNMENTS[align ?? '']
  if (alignment !== undefined) element.style.textAlign = alignment
  const runs = styles.flatMap((style) => child(style, 'defRPr') ?? [])
  const own = { ...look, runs }
  dress(element, child(paragraph, 'endParaRPr'), own)
  const bullet = bulletOf(levels)
  if (bullet !== undefined && child(paragraph, 'r') !== undefined) element.append(`${bullet} `)
  if (level > 0 || bullet !== undefined) element.style.marginInlineStart = `${level * 2.5}cqw`
  for (const part of paragraph.children) {
    if (part.localName === 'br') element.append(into.ownerDocument.createElement('br'))
    if (part.localName !== 'r' && part.localName !== 'fld') continue
    const span = into.ownerDocument.createElement('span')
    span.append(child(part, 't')?.textContent ?? '')
    dress(span, child(part, 'rPr'), own)
    element.append(span)
  }
  if (element.childNodes.length === 0) element.append('\u00a0')
}

/** Undefined where a level has none. */
function bulletOf(levels: readonly Element[]): string | undefined {
  for (const level of levels) {
    if (child(level, 'buNone') !== undefined) return undefined
    if (child(level, 'buAutoNum') !== undefined || child(level, 'buChar') !== undefined) return '•'
  }
  return undefined
}

function dress(
  element: HTMLElement,
  properties: Element | undefined,
  { runs, point, colourOf }: TextLook & { readonly runs: readonly Element[] },
): void {
  const all = [...(properties === undefined ? [] : [properties]), ...runs]
  const value = (name: string) => all.map((each) => attribute(each, name)).find((each) => each !== undefined)
  const size = Number(value('sz')) || DEFAULT_SIZE
  element.style.fontSize = `${((size / 100) * point).toFixed(3)}cqw`
  if (value('b') === '1') element.style.fontWeight = 'bold'
  if (value('i') === '1') element.style.fontStyle = 'italic'
  if (value('u') !== undefined && value('u') !== 'none') element.style.textDecoration = 'underline'
  const colour = all.map((each) => colourOf(each)).find((each) => each !== undefined)
  if (colour !== undefined) element.style.color = colour
}
