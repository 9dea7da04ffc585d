const SHORTEST_SPLIT = 16
const LETTERS_KEPT = 4

/**
 * Cuts a name where an ellipsis may stand: before its last four letters and the extension, which always stay readable.
 * A short name comes back whole, with an empty tail. Never cuts inside what people see as one letter.
 */
export function splitFileName(name: string): { stem: string; tail: string } {
  const letters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment)
  if (letters.length < SHORTEST_SPLIT) return { stem: name, tail: '' }
  const dot = letters.lastIndexOf('.')
  const extension = dot > 0 && letters.length - dot <= 10 ? letters.length - dot : 0
  const cut = letters.length - extension - LETTERS_KEPT
  if (cut <= 0) return { stem: name, tail: '' }
  return { stem: letters.slice(0, cut).join(''), tail: letters.slice(cut).join('') }
}
