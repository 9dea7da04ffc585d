import { throwIfCancelled } from '../../domain/errors.ts'
import { Budget, type Permit } from './budget.ts'
import { MEMORY_PLAN } from './memory-plan.ts'

/** Milliseconds that work waits for memory before it is refused. */
const TIMEOUT = 10_000
/** Milliseconds for which work that needs no more memory lets others go first. */
const PATIENCE = 2_000
/** Milliseconds after the end of the last work. */
const REST = 5_000

export interface HeavyMemoryOptions {
  /** Bytes. Defaults to what the plan leaves for heavy work. */
  readonly max?: number
  readonly timeout?: number
  readonly patience?: number
  /** Called when no heavy work has been done for a while: what it has left in the main thread can be collected. */
  readonly onRest?: () => void
}

/**
 * The memory of all work that takes much of it: threads, image processes, indexes and decoders of archives, slow hashes. Each
 * takes what it may use at most before it begins, so that all together never take more than the machine has. Requests are served
 * in order. What is held only to save work, such as an idle thread, is given up as soon as someone waits.
 */
export class HeavyMemory {
  readonly #budget: Budget
  readonly #patience: number
  readonly #spares = new Set<() => void>()
  readonly #onRest: () => void
  #rest: NodeJS.Timeout | undefined

  constructor({
    max = MEMORY_PLAN.heavy,
    timeout = TIMEOUT,
    patience = PATIENCE,
    onRest = () => undefined,
  }: HeavyMemoryOptions = {}) {
    const refusal = 'this server has too little memory for this at the moment: try again later'
    this.#budget = new Budget({ max, timeout, refusal, onAllFree: () => this.#startRest() })
    this.#patience = patience
    this.#onRest = onRest
  }

  /** Whether someone waits: then nothing should be held only to save work. */
  get isWanted(): boolean {
    return this.#budget.isWanted
  }

  /** @throws BUSY if too little becomes free in time; CANCELLED */
  async acquire(bytes: number, signal?: AbortSignal): Promise<Permit> {
    throwIfCancelled(signal)
    clearTimeout(this.#rest)
    const acquiring = this.#budget.acquire(bytes, signal)
    if (this.isWanted) for (const giveUp of this.#spares) giveUp()
    return await acquiring
  }

  /** Undefined if it would have to wait. */
  tryAcquire(bytes: number): Permit | undefined {
    return this.#budget.tryAcquire(bytes)
  }

  /**
   * Lets those go first who wait already: otherwise a stream of new work for a thread that runs would keep them out forever. Not
   * for long, because such work needs no more memory, and a slow client must not stop what all others do in its thread.
   */
  async letOthersFirst(signal?: AbortSignal): Promise<void> {
    throwIfCancelled(signal)
    if (!this.isWanted) return
    const patience = AbortSignal.timeout(this.#patience)
    const stop = signal === undefined ? patience : AbortSignal.any([signal, patience])
    const turn = await this.#budget.acquire(0, stop).catch(() => undefined)
    turn?.[Symbol.dispose]()
    throwIfCancelled(signal)
  }

  /** @param giveUp called whenever someone begins to wait; gives up what is not in use */
  onWanted(giveUp: () => void): Disposable {
    this.#spares.add(giveUp)
    return { [Symbol.dispose]: () => void this.#spares.delete(giveUp) }
  }

  #startRest(): void {
    clearTimeout(this.#rest)
    this.#rest = setTimeout(this.#onRest, REST).unref()
  }
}
