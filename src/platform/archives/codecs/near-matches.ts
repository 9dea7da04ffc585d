const HASH_BITS = 14
/** The largest distance that two bytes can express. */
const MAX_DISTANCE = 0xffff
const MIN_MATCH = 4
/** The last bytes of an lz4 block must be literals: a match must begin at least this many bytes before the end … */
const LAST_START = 12
/** … and end at least this many before it. */
const LAST_BYTES = 5

/** Literals from `start` to `end`, then `length` bytes that repeat those `distance` bytes earlier. */
type EmitSequence = (start: number, end: number, length: number, distance: number) => void

/** Finds repeated bytes within 64 KiB for lz4 and snappy. Greedy: takes the first match. */
export class NearMatches {
  readonly #heads = new Int32Array(1 << HASH_BITS)

  /** @returns position after the last match */
  run(block: Uint8Array, emit: EmitSequence): number {
    const heads = this.#heads.fill(-MAX_DISTANCE - 1)
    const lastStart = block.length - LAST_START
    let taken = 0
    for (let position = 0, misses = 0; position <= lastStart;) {
      const word = wordAt(block, position)
      const key = Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS)
      const earlier = heads[key] ?? 0
      heads[key] = position
      if (position - earlier > MAX_DISTANCE || wordAt(block, earlier) !== word) {
        // Skips faster and faster through incompressible data.
        position += 1 + (misses >> 6)
        misses += 1
        continue
      }
      const length = lengthOf(block, earlier, position)
      emit(taken, position, length, position - earlier)
      position += length
      taken = position
      misses = 0
    }
    return taken
  }
}

function lengthOf(block: Uint8Array, earlier: number, position: number): number {
  const max = block.length - LAST_BYTES - position
  let length = MIN_MATCH
  while (length < max && block[earlier + length] === block[position + length]) length += 1
  return length
}

function wordAt(block: Uint8Array, position: number): number {
  return (
    (block[position] ?? 0) |
    ((block[position + 1] ?? 0) << 8) |
    ((block[position + 2] ?? 0) << 16) |
    ((block[position + 3] ?? 0) << 24)
  )
}

/** Faster than `set` for short literals, which are the most common. @returns position after the copied bytes */
export function copyBytes(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  if (end - start > 32) to.set(from.subarray(start, end), at)
  else for (let position = start; position < end; position += 1) to[at + position - start] = from[position] ?? 0
  return at + end - start
}
