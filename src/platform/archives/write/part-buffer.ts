import { crc32 } from 'node:zlib'
import { fail } from '../../../domain/errors.ts'

/** Returns a buffer for the next part. */
type Lend = (bytes: number) => Buffer

/** Collects the bytes of an archive into parts of equal size, in buffers that are lent. */
export class PartBuffer {
  readonly #size: number
  readonly #lend: Lend
  readonly #isSummed: boolean
  #part: Buffer
  #used = 0
  #full: Buffer[] = []
  #written = 0
  #crc = 0

  constructor(size: number, lend: Lend, isSummed = false) {
    this.#size = size
    this.#lend = lend
    this.#isSummed = isSummed
    this.#part = lend(size)
  }

  /** Bytes added so far. */
  get written(): number {
    return this.#written
  }

  /** CRC-32 of the parts taken so far, if `isSummed`. */
  get crc(): number {
    return this.#crc
  }

  /** Free space of the current part, to read into; never empty. */
  get room(): Buffer {
    return this.#part.subarray(this.#used)
  }

  /** Free space for at least `count` bytes, at most a part. Ends the current part early if it has too little. */
  reserve(count: number): Buffer {
    if (this.room.length < count) this.#finishPart()
    return this.room
  }

  /** Call after writing `count` bytes to `room`. */
  advance(count: number): void {
    this.#used += count
    this.#written += count
    if (this.#used === this.#size) this.#finishPart()
  }

  #finishPart(): void {
    this.#full.push(this.#part.subarray(0, this.#used))
    this.#part = this.#lend(this.#size)
    this.#used = 0
  }

  put(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length;) {
      const piece = bytes.subarray(from, from + this.room.length)
      this.room.set(piece)
      this.advance(piece.length)
      from += piece.length
    }
  }

  putZeros(count: number): void {
    for (let remaining = count; remaining > 0;) {
      const piece = Math.min(remaining, this.room.length)
      this.room.fill(0, 0, piece)
      this.advance(piece)
      remaining -= piece
    }
  }

  /** Yields the full parts. @param isLast also yields the last, partly filled one */
  *take(isLast = false): Generator<Uint8Array, void, void> {
    const full = this.#full.splice(0)
    if (isLast && this.#used > 0) full.push(this.#part.subarray(0, this.#used))
    for (const part of full) {
      if (this.#isSummed) this.#crc = crc32(part, this.#crc)
      yield part
    }
  }
}

/** Lends buffers of shared memory again and again. */
export function inTurn(memory: readonly SharedArrayBuffer[]): () => Buffer {
  let count = 0
  return () => Buffer.from(memory[count++ % memory.length] ?? fail('INTERNAL', 'there is no memory for parts'))
}
