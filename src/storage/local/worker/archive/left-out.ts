/** Names that are listed; beyond, only their number is told. */
const MOST_LISTED = 1000

/** What should be in an archive and is not: the reader of the archive is told by a file in it, for its beginning is sent already. */
export class LeftOut {
  readonly #lines: string[] = []
  #count = 0

  add(member: string, reason: string): void {
    this.#count += 1
    if (this.#count <= MOST_LISTED) this.#lines.push(`${member}: ${reason}`)
  }

  /** Undefined when nothing was left out. */
  text(): Buffer | undefined {
    if (this.#count === 0) return undefined
    const more = this.#count > MOST_LISTED ? [`and ${this.#count - MOST_LISTED} more`] : []
    return Buffer.from(['Not or not completely in this archive:', '', ...this.#lines, ...more, ''].join('\n'))
  }
}
