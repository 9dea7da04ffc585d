const SHORTEST_TO_SPLIT = 12
const LONGEST_EXTENSION = 12
const KEPT_BEFORE_EXTENSION = 4

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export interface NameParts {
  /** Gives way in the middle, with an ellipsis. */
  readonly head: string
  /** The last letters with the extension: always visible. Empty when the name is too short to be cut. */
  readonly tail: string
}

/** Cuts a name so that its end stays readable in a narrow column. Never inside a letter made of several code points. */
export function splitName(name: string): NameParts {
  if (name.length < SHORTEST_TO_SPLIT) return { head: name, tail: '' }
  const stem = name.length - extensionLength(name)
  const starts = [...letters.segment(name)].map((segment) => segment.index).filter((index) => index < stem)
  const cut = starts.at(-KEPT_BEFORE_EXTENSION) ?? 0
  return cut === 0 ? { head: name, tail: '' } : { head: name.slice(0, cut), tail: name.slice(cut) }
}

/** Characters from the extension's dot on: ".tar.zst" counts as one. 0 without an extension worth keeping. */
function extensionLength(name: string): number {
  const found = /(?:\.tar)?\.[^./\s]{1,10}$/iu.exec(name)
  if (found === null || found.index === 0 || found[0].length > LONGEST_EXTENSION) return 0
  return found[0].length
}
