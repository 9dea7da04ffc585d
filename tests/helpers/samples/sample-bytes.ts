import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

const BLOCK = 1024 * 1024

/** Bytes computed from their offset, so that files of any size need no memory. No two blocks are equal. */
export class SampleBytes {
  readonly length: number
  readonly #block = Buffer.from(Array.from({ length: BLOCK }, (_, index) => (index * 7 + (index >> 8) * 13) % 251))

  constructor(length: number) {
    this.length = length
  }

  /** The bytes from one offset to another, in chunks. */
  *pieces(start: number, end = this.length): Generator<Buffer> {
    for (let offset = start; offset < end;) {
      const block = Buffer.from(this.#block)
      block.writeUIntBE(Math.floor(offset / BLOCK), 0, 6)
      const from = offset % BLOCK
      const piece = block.subarray(from, Math.min(BLOCK, from + end - offset))
      yield piece
      offset += piece.length
    }
  }

  sha256(): string {
    const hash = createHash('sha256')
    for (const piece of this.pieces(0)) hash.update(piece)
    return hash.digest('hex')
  }
}

export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
