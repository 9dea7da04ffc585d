/** Takes a stream in pieces of the wanted size. */
export class ByteReader implements AsyncDisposable {
  readonly #parts: AsyncIterator<Uint8Array>
  #left: Buffer = Buffer.alloc(0)
  #isOver = false

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#parts = stream[Symbol.asyncIterator]()
  }

  /** That many bytes, or fewer when the stream ends before. */
  async take(size: number): Promise<Buffer> {
    const parts = [this.#left]
    let length = this.#left.length
    while (length < size && !this.#isOver) {
      const next = await this.#parts.next()
      this.#isOver = next.done === true
      if (next.done === true) break
      parts.push(Buffer.from(next.value))
      length += next.value.length
    }
    const all = parts.length === 1 ? this.#left : Buffer.concat(parts)
    this.#left = all.subarray(size)
    return all.subarray(0, size)
  }

  /** Reads what is left, and forgets it. */
  async drain(): Promise<void> {
    this.#left = Buffer.alloc(0)
    while (!this.#isOver) this.#isOver = (await this.#parts.next()).done === true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOver) await this.#parts.return?.()
  }
}
