/** Below this much range another byte can be written. */
const TOP = 0x1000000
const WORD = 0x100000000
/** Probabilities are of 2048, and half of that to begin with. */
const PROBABILITY_BITS = 11
const EVEN = 1 << (PROBABILITY_BITS - 1)
const SHIFT = 5

/** The arithmetic coder of LZMA, with the probabilities that it learns. */
export class RangeEncoder {
  readonly #bytes: Uint8Array
  readonly #probabilities: Uint16Array
  #length = 0
  #low = 0
  #range = 0
  #cache = 0
  #cached = 0

  /**
   * @param probabilities how many
   * @param room bytes that are written at most between `start` and `finish`
   */
  constructor(probabilities: number, room: number) {
    this.#probabilities = new Uint16Array(probabilities)
    this.#bytes = new Uint8Array(room)
  }

  /** Forgets what it has learned. */
  reset(): void {
    this.#probabilities.fill(EVEN)
  }

  start(): void {
    this.#length = 0
    this.#low = 0
    this.#range = WORD - 1
    this.#cache = 0
    this.#cached = 1
  }

  /** Bytes that there are, without those of the end. */
  get size(): number {
    return this.#length + this.#cached
  }

  /** @returns all that was written since `start` */
  finish(): Uint8Array {
    for (let byte = 0; byte < 5; byte += 1) this.#shift()
    return this.#bytes.slice(0, this.#length)
  }

  bit(index: number, bit: number): void {
    const probability = this.#probabilities[index] ?? EVEN
    const bound = (this.#range >>> PROBABILITY_BITS) * probability
    if (bit === 0) {
      this.#range = bound
      this.#probabilities[index] = probability + (((1 << PROBABILITY_BITS) - probability) >> SHIFT)
    } else {
      this.#low += bound
      this.#range -= bound
      this.#probabilities[index] = probability - (probability >> SHIFT)
    }
    if (this.#range < TOP) this.#widen()
  }

  /** From the highest bit to the lowest, each with a probability for what came before. */
  tree(base: number, bits: number, value: number): void {
    let node = 1
    for (let bit = bits - 1; bit >= 0; bit -= 1) {
      const next = (value >>> bit) & 1
      this.bit(base + node, next)
      node = (node << 1) | next
    }
  }

  /** The same from the lowest bit to the highest. */
  reverseTree(base: number, bits: number, value: number): void {
    let node = 1
    for (let bit = 0; bit < bits; bit += 1) {
      const next = (value >>> bit) & 1
      this.bit(base + node, next)
      node = (node << 1) | next
    }
  }

  /** Bits without probabilities. */
  direct(bits: number, value: number): void {
    for (let bit = bits - 1; bit >= 0; bit -= 1) {
      this.#range >>>= 1
      if (((value >>> bit) & 1) === 1) this.#low += this.#range
      if (this.#range < TOP) this.#widen()
    }
  }

  #widen(): void {
    this.#range *= 256
    this.#shift()
  }

  /** A byte is held back until no carry can reach it any more. */
  #shift(): void {
    if (this.#low < 0xff000000 || this.#low >= WORD) {
      const carry = this.#low >= WORD ? 1 : 0
      for (let byte = this.#cache; this.#cached > 0; this.#cached -= 1, byte = 0xff)
        this.#bytes[this.#length++] = byte + carry
      this.#cache = this.#low >>> 24
    }
    this.#cached += 1
    this.#low = (this.#low & 0xffffff) * 256
  }
}
