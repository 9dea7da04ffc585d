/** The Burrows-Wheeler transform of a block: the last byte of each of its rotations, in the order of the rotations. */
export class LastColumn {
  /** Valid until the next block. */
  bytes: Uint8Array = new Uint8Array()
  /** The place of the block itself among its rotations. */
  row = 0
  readonly #text: Uint8Array
  readonly #column: Uint8Array
  readonly #sorted: Int32Array

  /** @param max maximum bytes of a block */
  constructor(max: number) {
    this.#text = new Uint8Array(max)
    this.#column = new Uint8Array(max)
    this.#sorted = new Int32Array(max)
  }

  find(block: Uint8Array): void {
    const { length } = block
    const text = this.#text.subarray(0, length)
    const column = this.#column.subarray(0, length)
    const sorted = this.#sorted.subarray(0, length)
    // Suffixes of the smallest rotation are in the same order as the rotations that begin with them.
    const least = leastRotation(block)
    text.set(block.subarray(least))
    text.set(block.subarray(0, least), length - least)
    sortSuffixes(text, 256, sorted)
    const origin = least === 0 ? 0 : length - least
    for (let place = 0; place < length; place += 1) {
      const at = sorted[place] ?? 0
      if (at === origin) this.row = place
      column[place] = text[at === 0 ? length - 1 : at - 1] ?? 0
    }
    this.bytes = column
  }
}

/** Where the smallest rotation begins. Of two candidates, the one that loses excludes all those that it was compared by. */
function leastRotation(block: Uint8Array): number {
  const { length } = block
  let [one, other, same] = [0, 1, 0]
  while (one < length && other < length && same < length) {
    const left = block[one + same < length ? one + same : one + same - length] ?? 0
    const right = block[other + same < length ? other + same : other + same - length] ?? 0
    if (left === right) {
      same += 1
      continue
    }
    if (left > right) one += same + 1
    else other += same + 1
    if (one === other) other += 1
    same = 0
  }
  return Math.min(one, other)
}

/**
 * Sorts all suffixes of a text in linear time, whatever it contains. Of two suffixes of which one begins with the other, the
 * shorter one is first. The algorithm is SA-IS (Nong, Zhang and Chan, 2009): it sorts the suffixes that begin a rise, by sorting
 * a shorter text that has a symbol for each stretch between them; all others follow from these in two passes.
 *
 * @param symbols number of different symbols; each is smaller
 * @param sorted room for the result: where the suffixes begin, in their order
 */
export function sortSuffixes(text: Uint8Array | Int32Array, symbols: number, sorted: Int32Array): void {
  const starts = startsOf(text, symbols)
  const rises = risesOf(text)
  const rising = induce(text, starts, rises, sorted)
  if (rises.length < 2) return
  const { names, count } = nameStretches(text, rises, sorted, { from: rising, starts })
  const order = sorted.subarray(0, rises.length)
  if (count < rises.length) sortSuffixes(names, count, order)
  else for (let index = 0; index < names.length; index += 1) order[names[index] ?? 0] = index
  const inOrder = names
  for (let place = 0; place < order.length; place += 1) inOrder[place] = rises[order[place] ?? 0] ?? 0
  induce(text, starts, inOrder, sorted)
}

/** For each symbol, where the suffixes that begin with it start among the sorted ones; and where all end. */
function startsOf(text: Uint8Array | Int32Array, symbols: number): Int32Array {
  const starts = new Int32Array(symbols + 1)
  for (const symbol of text) starts[symbol + 1] = (starts[symbol + 1] ?? 0) + 1
  for (let symbol = 0; symbol < symbols; symbol += 1)
    starts[symbol + 1] = (starts[symbol + 1] ?? 0) + (starts[symbol] ?? 0)
  return starts
}

/** The suffixes that are smaller than both the one that begins a symbol earlier and the one that begins a symbol later. */
function risesOf(text: Uint8Array | Int32Array): Int32Array {
  const found = new Int32Array(text.length >> 1)
  let first = found.length
  // The last suffix is larger than the empty one after it.
  let isRising = false
  for (let at = text.length - 2, next = text[at + 1] ?? 0; at >= 0; at -= 1) {
    const symbol = text[at] ?? 0
    if (symbol > next) {
      if (isRising) found[--first] = at + 1
      isRising = false
    } else if (symbol < next) isRising = true
    next = symbol
  }
  return found.subarray(first)
}

/**
 * Sorts all suffixes, given the order of those that begin a rise; if they are in no order, sorts them up to the beginning of
 * the next rise.
 *
 * @returns for each symbol, the place from which on the suffixes that begin with it are smaller than those one symbol later
 */
function induce(text: Uint8Array | Int32Array, starts: Int32Array, rises: Int32Array, sorted: Int32Array): Int32Array {
  sorted.fill(-1)
  const ends = starts.slice(1)
  for (let index = rises.length - 1; index >= 0; index -= 1) {
    const at = rises[index] ?? 0
    const symbol = text[at] ?? 0
    const place = (ends[symbol] ?? 0) - 1
    ends[symbol] = place
    sorted[place] = at
  }
  const heads = starts.slice()
  // From the smallest suffix on: each that a larger or equal symbol precedes gives that longer suffix its place.
  const last = text[text.length - 1] ?? 0
  sorted[heads[last] ?? 0] = text.length - 1
  heads[last] = (heads[last] ?? 0) + 1
  for (let symbol = 0; symbol < ends.length; symbol += 1) {
    const end = starts[symbol + 1] ?? 0
    for (let place = starts[symbol] ?? 0; place < end; place += 1) {
      const at = sorted[place] ?? 0
      if (at <= 0) continue
      const before = text[at - 1] ?? 0
      if (before < symbol) continue
      const free = heads[before] ?? 0
      heads[before] = free + 1
      sorted[free] = at - 1
    }
  }
  // From the largest on: the same for smaller symbols, and for equal ones before a suffix that itself has its place from here.
  ends.set(starts.subarray(1))
  for (let symbol = ends.length - 1; symbol >= 0; symbol -= 1) {
    const start = starts[symbol] ?? 0
    for (let place = (starts[symbol + 1] ?? 0) - 1; place >= start; place -= 1) {
      const at = sorted[place] ?? 0
      if (at <= 0) continue
      const before = text[at - 1] ?? 0
      if (before > symbol) continue
      const end = ends[before] ?? 0
      if (before === symbol && place < end) continue
      ends[before] = end - 1
      sorted[end - 1] = at - 1
    }
  }
  return ends
}

/** Numbers the stretches from each rise to the next, equal ones alike, in their order. */
function nameStretches(
  text: Uint8Array | Int32Array,
  rises: Int32Array,
  sorted: Int32Array,
  rising: { readonly from: Int32Array; readonly starts: Int32Array },
): { readonly names: Int32Array; readonly count: number } {
  // Lengths, and later names, of the stretches. Rises are at least two symbols apart; the last stretch ends after the text.
  const known = new Int32Array((text.length >> 1) + 1)
  for (let index = 0, at = rises[0] ?? 0; index < rises.length; index += 1) {
    const next = index + 1 < rises.length ? (rises[index + 1] ?? 0) : text.length
    known[at >> 1] = next - at
    at = next
  }
  let [count, earlier, earlierLength] = [0, 0, 0]
  for (let symbol = 0; symbol < rising.from.length; symbol += 1) {
    const end = rising.starts[symbol + 1] ?? 0
    for (let place = rising.from[symbol] ?? 0; place < end; place += 1) {
      const at = sorted[place] ?? 0
      if (at === 0 || (text[at - 1] ?? 0) <= symbol) continue
      const length = known[at >> 1] ?? 0
      if (length !== earlierLength || !isSameStretch(text, earlier, at, length)) count += 1
      known[at >> 1] = count - 1
      earlier = at
      earlierLength = length
    }
  }
  return { names: rises.map((at) => known[at >> 1] ?? 0), count }
}

/** Both the symbols of the stretches and the one after them, which the last stretch lacks. */
function isSameStretch(text: Uint8Array | Int32Array, one: number, other: number, length: number): boolean {
  if (Math.max(one, other) + length === text.length) return false
  for (let at = 0; at <= length; at += 1) if (text[one + at] !== text[other + at]) return false
  return true
}
