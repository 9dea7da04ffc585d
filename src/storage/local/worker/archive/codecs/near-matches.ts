const HASH_BITS = 14
/** The largest distance that two bytes can express. */
const FURTHEST = 0xffff
const SHORTEST = 4
/** The end of a block of lz4 has to be literals: a match begins so many bytes before it at the latest … */
const LAST_START = 12
/** … and leaves so many. */
const LAST_BYTES = 5

/** The bytes from `start` to `end` as they are, and then `length` bytes that repeat those of `distance` before. */
type TakeSequence = (start: number, end: number, length: number, distance: number) => void

/** Finds repeated bytes that lie near, always the first that come: what lz4 and snappy are made of. */
export class NearMatches {
  readonly #heads = new Int32Array(1 << HASH_BITS)

  /** @returns where the bytes behind the last match begin */
  run(block: Uint8Array, take: TakeSequence): number {
    const heads = this.#heads.fill(-FURTHEST - 1)
    const lastStart = block.length - LAST_START
    let taken = 0
    for (let place = 0, misses = 0; place <= lastStart;) {
      const word = wordAt(block, place)
      const key = Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS)
      const earlier = heads[key] ?? 0
      heads[key] = place
      if (place - earlier > FURTHEST || wordAt(block, earlier) !== word) {
        // What does not shrink is gone through faster and faster.
        place += 1 + (misses >> 6)
        misses += 1
        continue
      }
      const length = lengthOf(block, earlier, place)
      take(taken, place, length, place - earlier)
      place += length
      taken = place
      misses = 0
    }
    return taken
  }
}

function lengthOf(block: Uint8Array, earlier: number, place: number): number {
  const most = block.length - LAST_BYTES - place
  let length = SHORTEST
  while (length < most && block[earlier + length] === block[place + length]) length += 1
  return length
}

function wordAt(block: Uint8Array, place: number): number {
  return (
    (block[place] ?? 0) |
    ((block[place + 1] ?? 0) << 8) |
    ((block[place + 2] ?? 0) << 16) |
    ((block[place + 3] ?? 0) << 24)
  )
}

/** Quicker than `set` for the few bytes that most literals are. @returns where it ended */
export function copyBytes(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  if (end - start > 32) to.set(from.subarray(start, end), at)
  else for (let place = start; place < end; place += 1) to[at + place - start] = from[place] ?? 0
  return at + end - start
}
