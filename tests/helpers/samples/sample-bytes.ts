import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

const BLOCK = 1024 * 1024

/** Bytes that follow from their place, so that a file of any size needs no room: no two blocks are alike. */
export class SampleBytes {
  readonly length: number
  readonly #block = Buffer.from(Array.from({ length: BLOCK }, (_, index) => (index * 7 + (index >> 8) * 13) % 251))

  constructor(length: number) {
    this.length = length
  }

  /** Those from one place up to another, in pieces. */
  *pieces(start: number, end = this.length): Generator<Buffer> {
    for (let place = start; place < end;) {
      const block = Buffer.from(this.#block)
      block.writeUIntBE(Math.floor(place / BLOCK), 0, 6)
      const from = place % BLOCK
      const piece = block.subarray(from, Math.min(BLOCK, from + end - place))
      yield piece
      place += piece.length
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
