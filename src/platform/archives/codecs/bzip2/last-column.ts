import { sortSuffixes } from './sort-suffixes.ts'

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
