import type { IconName } from '../../kit/icon/icon.tsx'
import { fuzzyMatch, type FuzzyMatch } from './fuzzy-match.ts'

/** Something that the palette offers. */
export interface PaletteItem {
  readonly id: string
  readonly label: string
  /** "folder" is drawn as the glyph of folders. */
  readonly icon: IconName
  readonly kind: 'action' | 'folder' | 'setting'
  /** Heads the items that belong together. */
  readonly section: string
  /** Where a folder is, to which page a setting belongs. */
  readonly detail?: string | undefined
  /** The shortcut, as people read it. */
  readonly keys?: string | undefined
  readonly run: () => void
}

export interface FoundItem {
  readonly item: PaletteItem
  readonly match: FuzzyMatch
}

export interface FoundSection {
  readonly heading: string
  readonly items: readonly FoundItem[]
}

/** The signs that narrow the palette to one kind. */
const NARROWING: Readonly<Record<string, PaletteItem['kind']>> = { '>': 'action', '/': 'folder' }

const MOST_OF_A_SECTION = 8

/** What was typed, without the sign that narrows the palette. */
export function readPaletteQuery(typed: string): { text: string; kind: PaletteItem['kind'] | undefined } {
  const kind = NARROWING[typed.trimStart().charAt(0)]
  return { text: kind === undefined ? typed.trim() : typed.trimStart().slice(1).trim(), kind }
}

/**
 * What fits, by section: the section with the best match first; without a query all stay in their order. Many folders or
 * actions do not hide the rest: each section shows its best.
 */
export function findItems(items: readonly PaletteItem[], typed: string): FoundSection[] {
  const { text, kind } = readPaletteQuery(typed)
  const sections = new Map<string, FoundItem[]>()
  for (const item of items) {
    if (kind !== undefined && item.kind !== kind) continue
    const match = fuzzyMatch(text, item.label)
    if (match === undefined) continue
    const found = sections.get(item.section)
    if (found) found.push({ item, match })
    else sections.set(item.section, [{ item, match }])
  }
  const ranked = [...sections].map(([heading, found]) => ({
    heading,
    items: (text === '' ? found : found.toSorted(byScore)).slice(0, kind === undefined ? MOST_OF_A_SECTION : 50),
  }))
  return text === '' ? ranked : ranked.sort((a, b) => bestOf(b) - bestOf(a))
}

function byScore(a: FoundItem, b: FoundItem): number {
  return b.match.score - a.match.score
}

function bestOf({ items }: FoundSection): number {
  return items[0]?.match.score ?? 0
}
