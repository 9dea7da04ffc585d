import { resolveInBook } from '../book/book-location.ts'
import type { Zip } from '../book/zip.ts'
import { attribute, child, inside, pictureAddress, readXml } from './xml.ts'

/** A file of a presentation with what it refers to. */
export interface SlidePart {
  readonly root: Element
  /** Paths in the archive by their relationship. */
  readonly targets: ReadonlyMap<string, { readonly path: string; readonly kind: string }>
  /** Addresses of its pictures by their relationship. */
  readonly pictures: ReadonlyMap<string, string>
}

/** A slide, with the layout and the master that it is based on. */
export interface SlideParts {
  /** The slide first. */
  readonly parts: readonly SlidePart[]
  /** Colours of the theme, such as "accent1". */
  readonly colours: ReadonlyMap<string, string>
}

export interface Presentation {
  /** In English Metric Units. */
  readonly width: number
  readonly height: number
  readonly slides: AsyncIterable<SlideParts>
}

const MAX_SLIDES = 300
const DEFAULT_WIDTH = 9_144_000
const DEFAULT_HEIGHT = 6_858_000
/** How slides call the colours of their theme. */
const ALIASES = { bg1: 'lt1', tx1: 'dk1', bg2: 'lt2', tx2: 'dk2' }

/** @throws Error if it is damaged */
export async function openPresentation(zip: Zip): Promise<Presentation> {
  const parts = new Map<string, Promise<SlidePart>>()
  const partAt = async (path: string): Promise<SlidePart> => {
    const known = parts.get(path) ?? readPart(zip, path)
    parts.set(path, known)
    return await known
  }
  const main = await partAt('ppt/presentation.xml')
  const size = child(main.root, 'sldSz')
  const ids = inside(child(main.root, 'sldIdLst'), 'sldId').slice(0, MAX_SLIDES)

  async function* slides(): AsyncGenerator<SlideParts, void, void> {
    for (const id of ids) {
      const path = main.targets.get(relation(id, 'id') ?? '')?.path
      if (path === undefined) continue
      const slide = await partAt(path)
      const layout = await targetOf(slide, 'slideLayout')
      const master = layout && (await targetOf(layout, 'slideMaster'))
      const theme = master && (await targetOf(master, 'theme'))
      yield { parts: [slide, layout, master].filter((part) => part !== undefined), colours: coloursOf(theme?.root) }
      // Its pictures would fill the memory.
      parts.delete(path)
    }
  }

  async function targetOf(part: SlidePart, kind: string): Promise<SlidePart | undefined> {
    const target = [...part.targets.values()].find((each) => each.kind === kind)
    return target && (await partAt(target.path))
  }

  return {
    width: Number(attribute(size, 'cx')) || DEFAULT_WIDTH,
    height: Number(attribute(size, 'cy')) || DEFAULT_HEIGHT,
    slides: slides(),
  }
}

/** An attribute that names a relationship: its namespace tells it from a plain one. */
export function relation(element: Element, name: string): string | undefined {
  return Array.from(element.attributes).find(
    ({ localName, namespaceURI }) => localName === name && namespaceURI?.endsWith('/relationships') === true,
  )?.value
}

async function readPart(zip: Zip, path: string): Promise<SlidePart> {
  const root = await readXml(zip, path)
  if (root === null) throw new Error(`${path} is missing`)
  const slash = path.lastIndexOf('/') + 1
  const relations = await readXml(zip, `${path.slice(0, slash)}_rels/${path.slice(slash)}.rels`)
  const targets = new Map<string, { path: string; kind: string }>()
  for (const each of inside(relations, 'Relationship')) {
    const target =
      attribute(each, 'TargetMode') === 'External' ? null : resolveInBook(path, attribute(each, 'Target') ?? '')
    const kind = attribute(each, 'Type')?.split('/').at(-1) ?? ''
    if (target !== null) targets.set(attribute(each, 'Id') ?? '', { path: target.path, kind })
  }
  const pictures = new Map<string, string>()
  for (const [id, target] of targets) {
    const address = target.kind === 'image' ? await pictureAddress(zip, target.path) : undefined
    if (address !== undefined) pictures.set(id, address)
  }
  return { root, targets, pictures }
}

function coloursOf(theme: Element | undefined): ReadonlyMap<string, string> {
  const colours = new Map<string, string>()
  for (const entry of child(theme, 'themeElements', 'clrScheme')?.children ?? []) {
    const value = attribute(entry.firstElementChild, 'lastClr') ?? attribute(entry.firstElementChild, 'val')
    if (value !== undefined && /^[\da-f]{6}$/i.test(value)) colours.set(entry.localName, `#${value}`)
  }
  for (const [alias, name] of Object.entries(ALIASES)) {
    const colour = colours.get(name)
    if (colour !== undefined) colours.set(alias, colour)
  }
  return colours
}
