/** How many names are listed; the rest is only counted. */
const MAX_LISTED = 1000

/** What the name of the note begins with, so that members that might have it can be told from all others. */
export const NOTE_BEGIN = 'not in this archive'
export const NOTE = `${NOTE_BEGIN}.txt`

/** What could not be read. A file in the archive lists it, because the response status has already been sent. */
export class Notes {
  readonly #lines: string[] = []
  #count = 0

  add(member: string, reason: string): void {
    this.#count += 1
    if (this.#count <= MAX_LISTED) this.#lines.push(`${member}: ${reason}`)
  }

  /** Undefined if nothing was left out. */
  text(): string | undefined {
    if (this.#count === 0) return undefined
    const more = this.#count > MAX_LISTED ? [`and ${this.#count - MAX_LISTED} more`] : []
    return ['Not or not completely in this archive:', '', ...this.#lines, ...more, ''].join('\n')
  }
}
