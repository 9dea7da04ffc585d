import type { Lease, Leases } from './store.ts'

interface Turn {
  readonly stop: AbortController
  readonly over: Promise<void>
}

/** Leases of the only daemon: one call at a time holds a name. They are never lost. */
export class MemoryLeases implements Leases {
  /** For each name, the latest call that holds it or waits for it. */
  readonly #last = new Map<string, Turn>()
  #fence = 0

  async tryAcquire(name: string): Promise<Lease | undefined> {
    return this.#last.has(name) ? undefined : await this.takeOver(name, {})
  }

  async takeOver(name: string, why: object): Promise<Lease> {
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const before = this.#last.get(name)
    const turn: Turn = { stop: new AbortController(), over }
    this.#last.set(name, turn)
    before?.stop.abort(why)
    await before?.over
    this.#fence += 1
    const release = async () => {
      if (this.#last.get(name) === turn) this.#last.delete(name)
      resolve()
    }
    return {
      fence: this.#fence,
      signal: turn.stop.signal,
      isLost: false,
      renew: async () => undefined,
      abandon: release,
      [Symbol.asyncDispose]: release,
    }
  }

  /** Asks the holder to give up the lease, for another daemon. Does not wait. */
  ask(name: string, why: object): void {
    this.#last.get(name)?.stop.abort(why)
  }

  /** There is nobody else. */
  onDeath(): () => void {
    return () => undefined
  }

  async list(prefix: string) {
    const names = [...this.#last.keys()].filter((name) => name.startsWith(prefix))
    return names.map((name) => ({ name, isHeld: true, until: Infinity }))
  }
}
