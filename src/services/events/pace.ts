/** Milliseconds. */
export interface Paces {
  /** Milliseconds between the first notice of a change and the event. */
  readonly delay: number
  /** Between telling of it and telling again. */
  readonly pause: number
}

/** Debounces repeated notices: reports soon after the first one, then no more often than the pace allows. */
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

  /** Notes a change. A faster pace brings forward the next report. */
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
