const LITERAL_CONTEXT_BITS = 3
/** How many low bits of the position select a context. */
const POSITION_BITS = 2
const POSITION_STATES = 1 << POSITION_BITS
const STATES = 12
/** From this state on, the last symbol was a match. */
const AFTER_MATCH = 7

/** The properties byte of the format, made of the two numbers of bits. */
export const LZMA_PROPERTIES = POSITION_BITS * 45 + LITERAL_CONTEXT_BITS

/** Offsets of each kind of probability. */
const IS_MATCH = 0
const IS_REPEAT = IS_MATCH + STATES * POSITION_STATES
const IS_NOT_FIRST = IS_REPEAT + STATES
const IS_NOT_SECOND = IS_NOT_FIRST + STATES
const IS_NOT_THIRD = IS_NOT_SECOND + STATES
const IS_LONG = IS_NOT_THIRD + STATES
const SLOT = IS_LONG + STATES * POSITION_STATES
const NEAR = SLOT + 4 * 64
const LOW_BITS = NEAR + 115
const MATCH_LENGTH = LOW_BITS + 16
const LENGTH_SIZE = 2 + POSITION_STATES * 16 + 256
const REPEAT_LENGTH = MATCH_LENGTH + LENGTH_SIZE
const LITERAL = REPEAT_LENGTH + LENGTH_SIZE
const LITERAL_SIZE = 0x300
const PROBABILITIES = LITERAL + (LITERAL_SIZE << LITERAL_CONTEXT_BITS)

/** Writes the symbols of LZMA: literals, matches, and matches at one of the last four distances. */
export class LzmaSymbols {
  readonly coder: RangeEncoder
  /** The last four distances, most recent first. */
  readonly repeats = new Int32Array(4)
  #state = 0

  /** @param room maximum bytes of a chunk */
  constructor(room: number) {
    this.coder = new RangeEncoder(PROBABILITIES, room)
  }

  reset(): void {
    this.coder.reset()
    this.repeats.fill(1)
    this.#state = 0
  }

  literal(block: Uint8Array, position: number): void {
    const byte = block[position] ?? 0
    this.coder.bit(this.#atPosition(IS_MATCH, position), 0)
    const before = position === 0 ? 0 : (block[position - 1] ?? 0)
    const base = LITERAL + LITERAL_SIZE * (before >> (8 - LITERAL_CONTEXT_BITS))
    if (this.#state < AFTER_MATCH) this.coder.tree(base, 8, byte)
    else this.#literalAfterMatch(base, byte, block[position - (this.repeats[0] ?? 1)] ?? 0)
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6
  }

  match(position: number, length: number, distance: number): void {
    const { coder, repeats } = this
    coder.bit(this.#atPosition(IS_MATCH, position), 1)
    coder.bit(IS_REPEAT + this.#state, 0)
    this.#length(MATCH_LENGTH, position, length)
    this.#distance(distance - 1, Math.min(length - 2, 3))
    repeats.copyWithin(1, 0, 3)
    repeats[0] = distance
    this.#state = this.#state < AFTER_MATCH ? 7 : 10
  }

  /** @param index of the distance in `repeats` */
  repeat(position: number, length: number, index: number): void {
    const { coder, repeats } = this
    coder.bit(this.#atPosition(IS_MATCH, position), 1)
    coder.bit(IS_REPEAT + this.#state, 1)
    coder.bit(IS_NOT_FIRST + this.#state, index === 0 ? 0 : 1)
    if (index === 0) coder.bit(this.#atPosition(IS_LONG, position), length === 1 ? 0 : 1)
    else {
      coder.bit(IS_NOT_SECOND + this.#state, index === 1 ? 0 : 1)
      if (index > 1) coder.bit(IS_NOT_THIRD + this.#state, index - 2)
      const distance = repeats[index] ?? 1
      repeats.copyWithin(1, 0, index)
      repeats[0] = distance
    }
    if (length === 1) this.#state = this.#state < AFTER_MATCH ? 9 : 11
    else {
      this.#length(REPEAT_LENGTH, position, length)
      this.#state = this.#state < AFTER_MATCH ? 8 : 11
    }
  }

  #atPosition(base: number, position: number): number {
    return base + this.#state * POSITION_STATES + (position & (POSITION_STATES - 1))
  }

  /** The byte that would have continued the match is a good predictor for the one that did not. */
  #literalAfterMatch(base: number, byte: number, expected: number): void {
    let offset = 0x100
    let rest = expected
    for (let symbol = byte | 0x100; symbol < 0x10000; symbol <<= 1) {
      rest <<= 1
      this.coder.bit(base + offset + (rest & offset) + (symbol >> 8), (symbol >> 7) & 1)
      offset &= ~(rest ^ (symbol << 1))
    }
  }

  #length(base: number, position: number, length: number): void {
    const { coder } = this
    const value = length - 2
    const ofPosition = base + 2 + (position & (POSITION_STATES - 1)) * 8
    coder.bit(base, value < 8 ? 0 : 1)
    if (value < 8) {
      coder.tree(ofPosition, 3, value)
      return
    }
    coder.bit(base + 1, value < 16 ? 0 : 1)
    if (value < 16) coder.tree(ofPosition + POSITION_STATES * 8, 3, value - 8)
    else coder.tree(base + 2 + POSITION_STATES * 16, 8, value - 16)
  }

  /** @param distance 0 for the previous byte */
  #distance(distance: number, lengthClass: number): void {
    const { coder } = this
    const top = 31 - Math.clz32(distance)
    const slot = distance < 4 ? distance : top * 2 + ((distance >>> (top - 1)) & 1)
    coder.tree(SLOT + lengthClass * 64, 6, slot)
    if (slot < 4) return
    const bits = (slot >> 1) - 1
    const base = (2 | (slot & 1)) << bits
    const rest = distance - base
    if (slot < 14) coder.reverseTree(NEAR + base - slot - 1, bits, rest)
    else {
      coder.direct(bits - 4, rest >>> 4)
      coder.reverseTree(LOW_BITS, 4, rest & 15)
    }
  }
}

/** When the range falls below this, another byte can be written. */
const TOP = 0x1000000
const WORD = 0x100000000
/** Probabilities are fractions of 2048 and start at one half. */
const PROBABILITY_BITS = 11
const HALF_PROBABILITY = 1 << (PROBABILITY_BITS - 1)
const SHIFT = 5

/** The arithmetic coder of LZMA, with its adaptive probabilities. */
class RangeEncoder {
  readonly #bytes: Uint8Array
  readonly #probabilities: Uint16Array
  #length = 0
  #low = 0
  #range = 0
  #cache = 0
  #cached = 0

  /**
   * @param probabilities their number
   * @param room maximum bytes between `start` and `finish`
   */
  constructor(probabilities: number, room: number) {
    this.#probabilities = new Uint16Array(probabilities)
    this.#bytes = new Uint8Array(room)
  }

  /** Resets the probabilities. */
  reset(): void {
    this.#probabilities.fill(HALF_PROBABILITY)
  }

  start(): void {
    this.#length = 0
    this.#low = 0
    this.#range = WORD - 1
    this.#cache = 0
    this.#cached = 1
  }

  /** Bytes so far, without those that `finish` adds. */
  get size(): number {
    return this.#length + this.#cached
  }

  /** @returns all bytes since `start` */
  finish(): Uint8Array {
    for (let byte = 0; byte < 5; byte += 1) this.#shift()
    return this.#bytes.slice(0, this.#length)
  }

  bit(index: number, bit: number): void {
    const probability = this.#probabilities[index] ?? HALF_PROBABILITY
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

  /** Highest bit first, each with a probability that depends on the bits before it. */
  tree(base: number, bits: number, value: number): void {
    let node = 1
    for (let bit = bits - 1; bit >= 0; bit -= 1) {
      const next = (value >>> bit) & 1
      this.bit(base + node, next)
      node = (node << 1) | next
    }
  }

  /** The same, lowest bit first. */
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

  /** Delays each byte until no carry can change it. */
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
