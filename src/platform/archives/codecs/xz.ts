import { crc32 } from 'node:zlib'
import { isWorthIt } from './deflate-block.ts'
import { LZMA_PROPERTIES, LzmaSymbols } from './lzma-symbols.ts'
import { lengthOf, MatchFinder } from './match-finder.ts'

/** Maximum compressed bytes that a chunk header can express. */
const CHUNK = 64 * 1024
/** Bytes: more than one symbol and the end of a chunk can need. */
const MARGIN = 64
/** A match of this length is used without looking for a better one. */
const NICE = 128
const LAST_CHUNK = Uint8Array.of(0)

/** Maximum bytes of a block. */
const BLOCK = 1024 * 1024
/** The same size in the format's encoding of dictionary sizes. */
const DICTIONARY = 16

const MAGIC = Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0)
const END = Uint8Array.of(0x59, 0x5a)
/** Each block has a CRC-32. */
const FLAGS = Uint8Array.of(0, 1)
const SUM_SIZE = 4
/** The size of the header, and LZMA2 as the only filter. */
const BLOCK_HEAD = withSum(Uint8Array.of(2, 0, 0x21, 1, DICTIONARY, 0, 0, 0))

/** Makes each block a complete xz stream; a file may contain many streams. */
export function createXz(): (block: Uint8Array) => Uint8Array {
  const encoder = new Lzma2Encoder(BLOCK)
  return (block) => {
    const packed = Buffer.concat([...(isWorthIt(block) ? encoder.encode(block) : storedChunks(block))])
    const size = BLOCK_HEAD.length + packed.length + SUM_SIZE
    const index = withSum(padded(Uint8Array.of(0, 1, ...number(size), ...number(block.length))))
    const foot = Buffer.concat([littleEndian(index.length / 4 - 1), FLAGS])
    return Buffer.concat([
      ...[MAGIC, FLAGS, sumOf(FLAGS)],
      ...[BLOCK_HEAD, padded(packed), sumOf(block)],
      ...[index, sumOf(foot), foot, END],
    ])
  }
}

function withSum(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([bytes, sumOf(bytes)])
}

function sumOf(bytes: Uint8Array): Uint8Array {
  return littleEndian(crc32(bytes))
}

function littleEndian(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function padded(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([bytes, new Uint8Array(-bytes.length & 3)])
}

/** Seven bits per byte, lowest first. */
function number(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...number(value >>> 7)]
}

/**
 * Makes LZMA2, similar to the fast presets of `xz`: uses the longest of a few matches, unless the next position has a better
 * one. In JavaScript, so that the thread can be terminated at any time.
 */
class Lzma2Encoder {
  readonly #symbols = new LzmaSymbols(CHUNK)
  readonly #finder: MatchFinder
  #block: Uint8Array = new Uint8Array()
  /** Position of the next symbol. */
  #position = 0
  /** How many positions the finder has processed; it holds the match of the last one. */
  #known = 0

  /** @param max maximum bytes of a block */
  constructor(max: number) {
    this.#finder = new MatchFinder(max)
  }

  /** Yields chunks that are independent of earlier blocks, and the end marker. */
  *encode(block: Uint8Array): Generator<Uint8Array, void, void> {
    this.#block = block
    this.#position = 0
    this.#known = 0
    this.#finder.start(block)
    this.#symbols.reset()
    // The control bits of the chunk header: which state the decoder must reset.
    let reset = 0xe0
    while (this.#position < block.length) {
      const start = this.#position
      const packed = this.#encodeChunk()
      const size = this.#position - start
      if (packed.length < size) {
        yield chunkHead(reset, size, packed.length)
        yield packed
        reset = 0x80
      } else {
        yield storedHead(start, size)
        yield block.subarray(start, this.#position)
        this.#symbols.reset()
        reset = reset >= 0xc0 ? 0xc0 : 0xa0
      }
    }
    yield LAST_CHUNK
  }

  #encodeChunk(): Uint8Array {
    const { coder } = this.#symbols
    coder.start()
    while (this.#position < this.#block.length && coder.size < CHUNK - MARGIN) this.#encodeNext()
    return coder.finish()
  }

  #encodeNext(): void {
    const position = this.#position
    this.#find(position)
    const { length, distance } = this.#finder
    const index = this.#bestRepeat(position)
    const repeated = this.#repeatLength(position, index)
    if (repeated >= 2 && (repeated >= NICE || repeated + advantage(distance) >= length)) {
      this.#symbols.repeat(position, repeated, index)
      this.#advance(repeated)
    } else if (length >= NICE || (length >= 3 && !this.#isNextBetter(position, length, distance))) {
      this.#symbols.match(position, length, distance)
      this.#advance(length)
    } else {
      if (this.#repeatLength(position, 0) > 0) this.#symbols.repeat(position, 1, 0)
      else this.#symbols.literal(this.#block, position)
      this.#advance(1)
    }
  }

  #advance(count: number): void {
    this.#position += count
    for (; this.#known < this.#position; this.#known += 1) this.#finder.skip(this.#known)
  }

  #find(position: number): void {
    if (position < this.#known) return
    this.#finder.find(position)
    this.#known = position + 1
  }

  /** Whether a literal and the match of the next position need fewer bits. */
  #isNextBetter(position: number, length: number, distance: number): boolean {
    if (position + 1 >= this.#block.length) return false
    this.#find(position + 1)
    const next = this.#finder
    if (next.length > length + 1 || (next.length >= length && next.distance < distance)) return true
    if (next.length === length + 1 && next.distance >> 7 <= distance) return true
    if (next.length + 1 === length && distance >> 7 > next.distance) return true
    return this.#repeatLength(position + 1, this.#bestRepeat(position + 1)) >= Math.max(2, length - 1)
  }

  /** Index of the recent distance with the longest match. */
  #bestRepeat(position: number): number {
    let best = 0
    let longest = 0
    for (let index = 0; index < 4; index += 1) {
      const length = this.#repeatLength(position, index)
      if (length > longest) [best, longest] = [index, length]
    }
    return best
  }

  #repeatLength(position: number, index: number): number {
    return lengthOf(this.#block, position - (this.#symbols.repeats[index] ?? 1), position)
  }
}

/** How many bytes longer a match at a new distance must be than one at a recent distance to need fewer bits. */
function advantage(distance: number): number {
  if (distance > 0x8000) return 3
  return distance > 0x200 ? 2 : 1
}

function chunkHead(reset: number, size: number, packed: number): Uint8Array {
  const head = [reset | ((size - 1) >> 16), (size - 1) >> 8, size - 1, (packed - 1) >> 8, packed - 1]
  return Uint8Array.from(reset >= 0xc0 ? [...head, LZMA_PROPERTIES] : head)
}

/** For incompressible data. */
function* storedChunks(block: Uint8Array): Generator<Uint8Array, void, void> {
  for (let start = 0; start < block.length; start += CHUNK) {
    const part = block.subarray(start, start + CHUNK)
    yield storedHead(start, part.length)
    yield part
  }
  yield LAST_CHUNK
}

function storedHead(start: number, size: number): Uint8Array {
  return Uint8Array.of(start === 0 ? 1 : 2, (size - 1) >> 8, size - 1)
}
