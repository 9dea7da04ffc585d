import { foldForSearch } from './fold.ts'

/** Whether a text contains each of the typed words, in any order. */
export function createWordFilter(typed: string): (text: string) => boolean {
  const words = foldForSearch(typed).split(/\s+/)
  return (text) => {
    const searched = foldForSearch(text)
    return words.every((word) => searched.includes(word))
  }
}

type Fold = (text: string) => string

/** A folded text that knows which part of the text each of its characters stands for. */
export interface PlacedFold {
  readonly folded: string
  /** Start and end of the letter, with its marks, for each UTF-16 unit of `folded`. */
  readonly places: readonly (readonly [start: number, end: number])[]
}

/** A letter with its marks. In NFD, a syllable of Hangul is two or three letters. */
const LETTER = /[\u1100-\u115f][\u1160-\u11a7]+[\u11a8-\u11ff]*\p{M}*|\P{M}\p{M}*|\p{M}+/gu

export function foldWithPlaces(text: string, fold: Fold): PlacedFold {
  const places: (readonly [number, number])[] = []
  let folded = ''
  for (const { 0: letter, index } of text.matchAll(LETTER)) {
    const place = [index, index + letter.length] as const
    const part = fold(letter)
    places.push(...Array<typeof place>(part.length).fill(place))
    folded += part
  }
  return { folded, places }
}

/** Where a text contains another, as ranges of whole letters, in order and without overlap. `end` is exclusive. */
export function rangesOf(text: string, wanted: string, fold: Fold): [start: number, end: number][] {
  const query = fold(wanted)
  if (query === '') return []
  const { folded, places } = foldWithPlaces(text, fold)
  const ranges: [number, number][] = []
  for (let at = folded.indexOf(query); at !== -1;) {
    const next = at + query.length
    const [first, last] = [places[at], places[next - 1]]
    // Half of a letter is not found: the "s" in "ß", which is "ss".
    const isWhole = first !== places[at - 1] && last !== places[next]
    if (isWhole && first !== undefined && last !== undefined) ranges.push([first[0], last[1]])
    at = folded.indexOf(query, isWhole ? next : at + 1)
  }
  return ranges
}
