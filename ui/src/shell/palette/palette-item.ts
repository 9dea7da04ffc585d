import { foldWithPlaces, type PlacedFold } from '../../../../src/domain/text/find-in-text.ts'
import { foldForSearch } from '../../../../src/domain/text/fold.ts'
import type { FileGlyphName, IconName } from '../../kit/icon/icon.tsx'

/** Something that the palette offers. */
export interface PaletteItem {
  readonly id: string
  readonly label: string
  readonly icon?: IconName
  /** Of a file or folder, instead of an icon. */
  readonly glyph?: FileGlyphName | undefined
  readonly kind: 'action' | 'folder' | 'file' | 'setting'
  /** The heading of its section. */
  readonly section: string
  /** The location of a file or folder. */
  readonly detail?: string | undefined
  /** The shortcut, as shown to users. */
  readonly keys?: string | undefined
  readonly run: () => void
  /** Shows a file or folder in the folder that has it. */
  readonly openFolder?: (() => void) | undefined
}

export interface FoundItem {
  readonly item: PaletteItem
  readonly match: FuzzyMatch
}

export interface FoundSection {
  readonly heading: string
  readonly items: readonly FoundItem[]
}

/** The prefixes that limit the palette to one kind of item. */
const KIND_PREFIXES: Readonly<Record<string, PaletteItem['kind']>> = { '>': 'action', '/': 'folder' }

const MAX_PER_SECTION = 8

/** The typed text without the prefix that narrows the results. */
export function readPaletteQuery(typed: string): { text: string; kind: PaletteItem['kind'] | undefined } {
  const kind = KIND_PREFIXES[typed.trimStart().charAt(0)]
  return { text: kind === undefined ? typed.trim() : typed.trimStart().slice(1).trim(), kind }
}

/**
 * The matching items by section, the section with the best match first; without a query everything keeps its order.
 * Each section is limited, so that many folders or actions do not hide the rest.
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
    items: (text === '' ? found : found.toSorted(byScore)).slice(0, kind === undefined ? MAX_PER_SECTION : 50),
  }))
  return text === '' ? ranked : ranked.sort((a, b) => bestOf(b) - bestOf(a))
}

function byScore(a: FoundItem, b: FoundItem): number {
  return b.match.score - a.match.score
}

function bestOf({ items }: FoundSection): number {
  return items[0]?.match.score ?? 0
}

/** Positions of the matched letters, and a score: higher is better. */
interface FuzzyMatch {
  readonly score: number
  /** The matched parts of the text, in order and without overlap. `end` is exclusive. */
  readonly ranges: readonly (readonly [start: number, end: number])[]
}

const WHOLE = 100
const PREFIX = 80
const WORD = 60
const PART = 40
const SPREAD = 20

/** Each word of the query must occur in the text, as a whole or letter by letter. Case and accents are ignored. */
export function fuzzyMatch(query: string, text: string): FuzzyMatch | undefined {
  const words = foldForSearch(query).split(/\s+/).filter(Boolean)
  const { folded: searched, places } = foldWithPlaces(text, foldForSearch)
  let score = 0
  const marked = new Set<number>()
  for (const word of words) {
    const found = matchWord(word, searched)
    if (found === undefined) return undefined
    score += found.score
    for (const position of found.positions) marked.add(position)
  }
  // Of equally good matches, the shorter text wins.
  return { score: score - searched.length / 1000, ranges: rangesOf(marked, places) }
}

interface WordMatch {
  readonly score: number
  readonly positions: readonly number[]
}

function matchWord(word: string, text: string): WordMatch | undefined {
  const together = positionOfWord(word, text)
  if (together === undefined) return matchSpread(word, text)
  const { start, score } = together
  return { score, positions: Array.from(word, (_, step) => start + step) }
}

function positionOfWord(word: string, text: string): { start: number; score: number } | undefined {
  const first = text.indexOf(word)
  if (first === -1) return undefined
  if (first === 0) return { start: 0, score: word.length === text.length ? WHOLE : PREFIX }
  for (let at = first; at !== -1; at = text.indexOf(word, at + 1)) {
    if (startsWord(text, at)) return { start: at, score: WORD }
  }
  return { start: first, score: PART }
}

/** Matches letter by letter, each as close to the previous one as possible. The first letter begins a word. */
function matchSpread(word: string, text: string): WordMatch | undefined {
  let best: WordMatch | undefined
  for (let at = text.indexOf(word.charAt(0)); at !== -1; at = text.indexOf(word.charAt(0), at + 1)) {
    if (!startsWord(text, at)) continue
    const positions = spreadFrom(word, text, at)
    if (positions === undefined) break
    const gaps = (positions.at(-1) ?? at) - at - word.length + 1
    const score = SPREAD - gaps
    if (best === undefined || score > best.score) best = { score, positions }
  }
  return best
}

function spreadFrom(word: string, text: string, start: number): number[] | undefined {
  const positions: number[] = []
  let at = start
  for (const letter of word) {
    at = text.indexOf(letter, at)
    if (at === -1) return undefined
    positions.push(at)
    at += letter.length
  }
  return positions
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))
}

function rangesOf(positions: ReadonlySet<number>, places: PlacedFold['places']): [number, number][] {
  const ranges: [number, number][] = []
  for (const position of [...positions].sort((a, b) => a - b)) {
    const [start = 0, end = 0] = places[position] ?? []
    const last = ranges.at(-1)
    if (last !== undefined && last[1] >= start) last[1] = end
    else ranges.push([start, end])
  }
  return ranges
}
