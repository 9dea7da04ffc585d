/** One lock for each key. Needed for servers without conditional requests, where only other processes can then interfere. */
export class KeyLocks {
  readonly #last = new Map<string, Promise<void>>()

  /** Dispose the result to release it. */
  async acquire(key: string): Promise<Disposable> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#last.get(key)
    this.#last.set(key, promise)
    await before
    return {
      [Symbol.dispose]: () => {
        if (this.#last.get(key) === promise) this.#last.delete(key)
        resolve()
      },
    }
  }
}
