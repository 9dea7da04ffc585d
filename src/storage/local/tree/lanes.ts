/** Runs tasks side by side, so many at most. Waiting for the disk takes most of the time of a copy. */
export class Lanes implements AsyncDisposable {
  readonly #most: number
  readonly #running = new Set<Promise<void>>()
  #failure: { readonly error: unknown } | undefined

  constructor(most: number) {
    this.#most = most
  }

  /** Starts a task as soon as there is room. @throws what an earlier one has thrown */
  async add(task: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#most) await Promise.race(this.#running)
    this.#requireSuccess()
    const run = task()
      .catch((error: unknown) => {
        this.#failure ??= { error }
      })
      .finally(() => this.#running.delete(run))
    this.#running.add(run)
  }

  /** Waits for all. @throws what one of them has thrown */
  async settle(): Promise<void> {
    await Promise.all(this.#running)
    this.#requireSuccess()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running)
  }

  #requireSuccess(): void {
    if (this.#failure !== undefined) throw this.#failure.error
  }
}
