/** Milliseconds. */
export interface Paces {
  /** Between the first word of something and telling of it. */
  readonly delay: number
  /** Between telling of it and telling again. */
  readonly pause: number
}

/** Gathers many words of the same thing: tells soon after the first one, then no more often than the pace allows. */
export class Pace implements Disposable {
  readonly #tell: () => void
  #last = -Infinity
  #due = Infinity
  #timer: NodeJS.Timeout | undefined

  constructor(tell: () => void) {
    this.#tell = tell
  }

  /** Whether it will tell anyway. */
  get isDue(): boolean {
    return this.#timer !== undefined
  }

  /** Something happened. A faster pace brings forward what is due. */
  word({ delay, pause }: Paces): void {
    const now = performance.now()
    const due = Math.max(now + delay, this.#last + pause)
    if (due >= this.#due) return
    this[Symbol.dispose]()
    if (due <= now) return this.#now()
    this.#due = due
    this.#timer = setTimeout(() => this.#now(), due - now).unref()
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#due = Infinity
  }

  #now(): void {
    this[Symbol.dispose]()
    this.#last = performance.now()
    this.#tell()
  }
}
