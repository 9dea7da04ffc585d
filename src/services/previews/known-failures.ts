import { FilemgrError, isFilemgrError, type ErrorCode } from '../../domain/errors.ts'
import type { Clock } from '../../platform/clock.ts'

const MOST = 2000
/** It may have been the machine that was too slow. */
const LIFE = 10 * 60 * 1000

/** Faults of the file. What is busy or was cancelled may come out well the next time. */
const REMEMBERED: ReadonlySet<ErrorCode> = new Set(['UNSUPPORTED', 'TOO_LARGE', 'NOT_IMPLEMENTED'])

/** Remembers for a while what could not be decoded: a folder of bombs costs its seconds once, not at each view. */
export class KnownFailures {
  readonly #clock: Clock
  readonly #failures = new Map<string, { readonly error: FilemgrError; readonly until: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @throws what came of it the last time */
  check(name: string): void {
    const known = this.#failures.get(name)
    if (known === undefined) return
    if (known.until < this.#clock.now()) this.#failures.delete(name)
    else throw new FilemgrError(known.error.code, known.error.message)
  }

  note(name: string, error: unknown): void {
    if (!isFilemgrError(error) || !REMEMBERED.has(error.code)) return
    this.#failures.set(name, { error, until: this.#clock.now() + LIFE })
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > MOST && oldest !== undefined) this.#failures.delete(oldest)
  }
}
