/** The right to work on an upload, until it is disposed of. */
export interface UploadTurn extends Disposable {
  /** Aborted when somebody else asks for this upload; the reason is what he said. */
  readonly signal: AbortSignal
}

/**
 * One request at a time for each upload. A new one stops the one that is at work: it comes from a client that lost its
 * connection, while the server still waits for bytes on the old one.
 */
export class UploadTurns {
  readonly #last = new Map<string, { stop: AbortController; over: Promise<void> }>()

  /** @param reason what the request that is at work is told */
  async take(key: string, reason: unknown): Promise<UploadTurn> {
    const stop = new AbortController()
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const before = this.#last.get(key)
    const mine = { stop, over }
    this.#last.set(key, mine)
    before?.stop.abort(reason)
    await before?.over
    return {
      signal: stop.signal,
      [Symbol.dispose]: () => {
        if (this.#last.get(key) === mine) this.#last.delete(key)
        resolve()
      },
    }
  }

  isBusy(key: string): boolean {
    return this.#last.has(key)
  }
}
