/** So many for each holder. */
export class Places<Holder> {
  readonly #most: number
  readonly #taken = new Map<Holder, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** One of them until it is disposed of; undefined when all are taken. */
  take(holder: Holder): Disposable | undefined {
    const count = this.#taken.get(holder) ?? 0
    if (count >= this.#most) return undefined
    this.#taken.set(holder, count + 1)
    let isHeld = true
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#giveBack(holder)
        isHeld = false
      },
    }
  }

  #giveBack(holder: Holder): void {
    const left = (this.#taken.get(holder) ?? 1) - 1
    if (left === 0) this.#taken.delete(holder)
    else this.#taken.set(holder, left)
  }
}
