/** Writes values of a few bits each, highest bit first. */
export class BitWriter {
  readonly #bytes: Uint8Array
  #length = 0
  /** Its lowest `#waiting` bits do not make a byte yet. */
  #word = 0
  #waiting = 0

  /** @param room maximum bytes between `start` and `finish` */
  constructor(room: number) {
    this.#bytes = new Uint8Array(room)
  }

  start(): void {
    this.#length = 0
    this.#waiting = 0
  }

  /** @param bits at most 24 */
  put(bits: number, value: number): void {
    this.#word = (this.#word << bits) | value
    this.#waiting += bits
    while (this.#waiting >= 8) {
      this.#waiting -= 8
      this.#bytes[this.#length++] = this.#word >>> this.#waiting
    }
  }

  /** @returns all bytes since `start`, the last one filled with zeros */
  finish(): Uint8Array {
    if (this.#waiting > 0) this.put(8 - this.#waiting, 0)
    return this.#bytes.subarray(0, this.#length)
  }
}
