/** Milliseconds. */
export interface DebounceTimes {
  /** From the first trigger to the call. */
  readonly delay: number
  /** Between two calls. */
  readonly pause: number
}

/** Combines repeated triggers: calls back soon after the first one, then no more often than `pause` allows. */
export class Debounce implements Disposable {
  readonly #callback: () => void
  #last = -Infinity
  #due = Infinity
  #timer: NodeJS.Timeout | undefined

  constructor(callback: () => void) {
    this.#callback = callback
  }

  /** Whether a call is scheduled. */
  get isDue(): boolean {
    return this.#timer !== undefined
  }

  /** Shorter times bring a scheduled call forward. */
  trigger({ delay, pause }: DebounceTimes): void {
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
    this.#callback()
  }
}
