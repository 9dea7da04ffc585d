/** One lock for each key, for servers that do not know conditions: there, only writers in other processes can collide. */
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
