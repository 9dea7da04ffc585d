import type { Glance } from './bucket.ts'

/** Milliseconds. */
const TTL = 1000

/**
 * What a request has just seen. A service looks whether something exists and then calls an operation, whose own first look would
 * see the same. Each look serves once, never for a judgement, and none after a change.
 */
export class JustSeen {
  readonly #seen = new Map<string, { readonly glance: Glance; readonly until: number }>()

  put(key: string, glance: Glance): void {
    this.#seen.set(key, { glance, until: performance.now() + TTL })
  }

  take(key: string): Glance | undefined {
    const seen = this.#seen.get(key)
    this.#seen.delete(key)
    return seen !== undefined && performance.now() < seen.until ? seen.glance : undefined
  }

  forget(): void {
    this.#seen.clear()
  }
}
