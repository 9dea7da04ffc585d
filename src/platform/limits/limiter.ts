import { FilemgrError, cancelled, throwIfCancelled } from '../../domain/errors.ts'

export interface LimiterOptions {
  /** Most calls that run at the same time. */
  readonly concurrent: number
  /** Most calls that wait; further ones are refused. */
  readonly waiting: number
}

interface Waiting {
  enter(): void
  refuse(error: FilemgrError): void
}

/** Runs a limited number of tasks at a time. Tasks of one owner start in order, and the owners take turns. */
export function createLimiter({ concurrent, waiting }: LimiterOptions) {
  /** Queues that are not empty, by owner. The owner whose turn is next comes first. */
  const queues = new Map<string, Waiting[]>()
  let running = 0

  const removeFrom = (owner: string, remove: (queue: Waiting[]) => Waiting | undefined): Waiting | undefined => {
    const queue = queues.get(owner) ?? []
    const removed = remove(queue)
    if (queue.length === 0) queues.delete(owner)
    return removed
  }

  /** When too many wait, refuses the last one of the owner with the longest queue: one owner must not lock out the others. */
  const makeRoom = (owner: string): void => {
    const lengths = [...queues].map(([name, { length }]) => ({ name, length }))
    if (lengths.reduce((sum, { length }) => sum + length, 0) < waiting) return
    const [longest] = lengths.toSorted((a, b) => b.length - a.length)
    if (longest === undefined || longest.length <= (queues.get(owner)?.length ?? 0) + 1) throw busy()
    removeFrom(longest.name, (queue) => queue.pop())?.refuse(busy())
  }

  const enter = async (signal: AbortSignal | undefined, owner: string): Promise<void> => {
    throwIfCancelled(signal)
    if (running < concurrent) {
      running += 1
      return
    }
    makeRoom(owner)
    // A finished call hands its slot to the next one, so `running` does not change.
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const removeListener = () => signal?.removeEventListener('abort', onAbort)
    const entry: Waiting = {
      enter() {
        removeListener()
        resolve()
      },
      refuse(error) {
        removeListener()
        reject(error)
      },
    }
    const onAbort = () => {
      removeFrom(owner, (queue) => queue.splice(queue.indexOf(entry), 1)[0])
      reject(cancelled())
    }
    queues.set(owner, [...(queues.get(owner) ?? []), entry])
    signal?.addEventListener('abort', onAbort, { once: true })
    await promise
  }

  const leave = (): void => {
    const [[owner, queue] = []] = queues
    if (owner === undefined || queue === undefined) {
      running -= 1
      return
    }
    queues.delete(owner)
    const [next, ...later] = queue
    if (later.length > 0) queues.set(owner, later)
    next?.enter()
  }

  return {
    /**
     * @param signal removes waiting work from the queue; work that runs must handle it itself
     * @param owner by default, all work has the same owner
     * @throws BUSY if too many wait; CANCELLED
     */
    async run<T>(work: () => Promise<T>, signal?: AbortSignal, owner = ''): Promise<T> {
      await enter(signal, owner)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

function busy(): FilemgrError {
  return new FilemgrError('BUSY', 'too many requests at once; try again in a moment', { retryAfter: 2 })
}

/** A number of slots for each holder, such as downloads of one user. */
export class Slots<Holder> {
  readonly #max: number
  readonly #taken = new Map<Holder, number>()

  constructor(max: number) {
    this.#max = max
  }

  /** Takes a slot until it is disposed of; undefined if the holder has no slot left. */
  tryAcquire(holder: Holder): Disposable | undefined {
    const count = this.#taken.get(holder) ?? 0
    if (count >= this.#max) return undefined
    this.#taken.set(holder, count + 1)
    let isHeld = true
    return {
      [Symbol.dispose]: () => {
        if (isHeld) this.#release(holder)
        isHeld = false
      },
    }
  }

  #release(holder: Holder): void {
    const remaining = (this.#taken.get(holder) ?? 1) - 1
    if (remaining === 0) this.#taken.delete(holder)
    else this.#taken.set(holder, remaining)
  }
}
