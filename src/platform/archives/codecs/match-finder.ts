const HASH_BITS = 16
const SHORT_HASH_BITS = 14
/** Earlier positions to compare with. */
const DEPTH = 8
const MAX_MATCH = 273
/** A match of three bytes at a larger distance needs as many bits as the bytes. */
const MAX_SHORT_DISTANCE = 0x4000
const NONE = -1

/** Finds repeated bytes in a block. */
export class MatchFinder {
  /** Length of the match that `find` found last; 0 for none. */
  length = 0
  /** Distance of that match; 1 for the previous byte. */
  distance = 0
  readonly #heads = new Int32Array(1 << HASH_BITS)
  readonly #shortHeads = new Int32Array(1 << SHORT_HASH_BITS)
  /** For each position, the previous one with the same hash. */
  readonly #chain: Int32Array
  #block: Uint8Array = new Uint8Array()

  /** @param max maximum bytes of a block */
  constructor(max: number) {
    this.#chain = new Int32Array(max)
  }

  start(block: Uint8Array): void {
    this.#block = block
    this.#heads.fill(NONE)
    this.#shortHeads.fill(NONE)
  }

  /** Call `find` or `skip` once for each position, in order. */
  find(position: number): void {
    const block = this.#block
    this.length = 0
    this.distance = 0
    if (position + 4 > block.length) return
    const short = this.#shortHeads[shortHash(block, position)] ?? NONE
    const first = this.#heads[hash(block, position)] ?? NONE
    this.skip(position)
    if (short !== NONE && position - short <= MAX_SHORT_DISTANCE) {
      const length = lengthOf(block, short, position)
      if (length >= 3) this.#keep(length, position - short)
    }
    let candidate = first
    for (let depth = DEPTH; depth > 0 && candidate !== NONE && this.length < MAX_MATCH; depth -= 1) {
      if (block[candidate + this.length] === block[position + this.length]) {
        const length = lengthOf(block, candidate, position)
        if (length > this.length && length >= 4 && !isWorse(length, position - candidate, this))
          this.#keep(length, position - candidate)
      }
      candidate = this.#chain[candidate] ?? NONE
    }
  }

  skip(position: number): void {
    const block = this.#block
    if (position + 4 > block.length) return
    const key = hash(block, position)
    this.#chain[position] = this.#heads[key] ?? NONE
    this.#heads[key] = position
    this.#shortHeads[shortHash(block, position)] = position
  }

  #keep(length: number, distance: number): void {
    this.length = length
    this.distance = distance
  }
}

/** How many bytes are equal at two positions, up to the maximum of one match. */
export function lengthOf(block: Uint8Array, earlier: number, position: number): number {
  const max = Math.min(MAX_MATCH, block.length - position)
  let length = 0
  while (length < max && block[earlier + length] === block[position + length]) length += 1
  return length
}

/** One more byte is not worth a much larger distance. */
function isWorse(length: number, distance: number, known: { length: number; distance: number }): boolean {
  return length === known.length + 1 && distance >> 7 > known.distance
}

function hash(block: Uint8Array, position: number): number {
  const word =
    (block[position] ?? 0) |
    ((block[position + 1] ?? 0) << 8) |
    ((block[position + 2] ?? 0) << 16) |
    ((block[position + 3] ?? 0) << 24)
  return Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS)
}

function shortHash(block: Uint8Array, position: number): number {
  const word = (block[position] ?? 0) | ((block[position + 1] ?? 0) << 8) | ((block[position + 2] ?? 0) << 16)
  return Math.imul(word, 0x9e3779b1) >>> (32 - SHORT_HASH_BITS)
}
