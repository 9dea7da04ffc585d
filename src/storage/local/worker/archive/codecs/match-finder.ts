const HASH_BITS = 16
const SHORT_HASH_BITS = 14
/** Earlier positions to compare with. */
const DEPTH = 8
const LONGEST = 273
/** A match of three bytes from further away costs as much as the bytes. */
const FURTHEST_SHORT = 0x4000
const NONE = -1

/** Finds what a block repeats of itself. */
export class MatchFinder {
  /** Of the match that `find` has found last; no length: none. */
  length = 0
  /** 1 for the byte before. */
  distance = 0
  readonly #heads = new Int32Array(1 << HASH_BITS)
  readonly #shortHeads = new Int32Array(1 << SHORT_HASH_BITS)
  /** For each place the last one before of the same hash. */
  readonly #chain: Int32Array
  #block: Uint8Array = new Uint8Array()

  /** @param most bytes of a block */
  constructor(most: number) {
    this.#chain = new Int32Array(most)
  }

  start(block: Uint8Array): void {
    this.#block = block
    this.#heads.fill(NONE)
    this.#shortHeads.fill(NONE)
  }

  /** Each place is found or skipped once, in order. */
  find(place: number): void {
    const block = this.#block
    this.length = 0
    this.distance = 0
    if (place + 4 > block.length) return
    const short = this.#shortHeads[shortHash(block, place)] ?? NONE
    const first = this.#heads[hash(block, place)] ?? NONE
    this.skip(place)
    if (short !== NONE && place - short <= FURTHEST_SHORT) {
      const length = lengthOf(block, short, place)
      if (length >= 3) this.#keep(length, place - short)
    }
    let candidate = first
    for (let depth = DEPTH; depth > 0 && candidate !== NONE && this.length < LONGEST; depth -= 1) {
      if (block[candidate + this.length] === block[place + this.length]) {
        const length = lengthOf(block, candidate, place)
        if (length > this.length && length >= 4 && !isWorse(length, place - candidate, this))
          this.#keep(length, place - candidate)
      }
      candidate = this.#chain[candidate] ?? NONE
    }
  }

  skip(place: number): void {
    const block = this.#block
    if (place + 4 > block.length) return
    const key = hash(block, place)
    this.#chain[place] = this.#heads[key] ?? NONE
    this.#heads[key] = place
    this.#shortHeads[shortHash(block, place)] = place
  }

  #keep(length: number, distance: number): void {
    this.length = length
    this.distance = distance
  }
}

/** How many bytes are the same at two places, as far as one match can tell. */
export function lengthOf(block: Uint8Array, earlier: number, place: number): number {
  const most = Math.min(LONGEST, block.length - place)
  let length = 0
  while (length < most && block[earlier + length] === block[place + length]) length += 1
  return length
}

/** One byte more does not pay for a distance that is much larger. */
function isWorse(length: number, distance: number, known: { length: number; distance: number }): boolean {
  return length === known.length + 1 && distance >> 7 > known.distance
}

function hash(block: Uint8Array, place: number): number {
  const word =
    (block[place] ?? 0) |
    ((block[place + 1] ?? 0) << 8) |
    ((block[place + 2] ?? 0) << 16) |
    ((block[place + 3] ?? 0) << 24)
  return Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS)
}

function shortHash(block: Uint8Array, place: number): number {
  const word = (block[place] ?? 0) | ((block[place + 1] ?? 0) << 8) | ((block[place + 2] ?? 0) << 16)
  return Math.imul(word, 0x9e3779b1) >>> (32 - SHORT_HASH_BITS)
}
