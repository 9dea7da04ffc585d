import { FilemgrError, cancelled, throwIfCancelled } from '../../domain/errors.ts'

export interface LimiterOptions {
  /** So many run at once. */
  readonly concurrent: number
  /** So many wait; later ones are refused. */
  readonly waiting: number
}

/** Runs work a few at a time: that of one owner in the order it came, and the owners in turn. */
export interface Limiter {
  /**
   * @param signal takes the work out of the queue; once it runs, it looks after itself
   * @param owner whose work it is; all of it is one owner's unless told
   * @throws BUSY when too many wait already, CANCELLED
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal, owner?: string): Promise<T>
}

interface Waiting {
  enter(): void
  refuse(error: FilemgrError): void
}

/** Lets so many run at once and so many wait; one more is BUSY, or in its place the last of an owner with more that wait. */
export function createLimiter({ concurrent, waiting }: LimiterOptions): Limiter {
  /** By owner; whose turn comes next is first. None is empty. */
  const queues = new Map<string, Waiting[]>()
  let running = 0

  const takeOut = (owner: string, which: (queue: Waiting[]) => Waiting | undefined): Waiting | undefined => {
    const queue = queues.get(owner) ?? []
    const taken = which(queue)
    if (queue.length === 0) queues.delete(owner)
    return taken
  }

  const makeRoom = (owner: string): void => {
    const lengths = [...queues].map(([who, { length }]) => ({ who, length }))
    if (lengths.reduce((sum, { length }) => sum + length, 0) < waiting) return
    const [longest] = lengths.toSorted((a, b) => b.length - a.length)
    if (longest === undefined || longest.length <= (queues.get(owner)?.length ?? 0) + 1) throw busy()
    takeOut(longest.who, (queue) => queue.pop())?.refuse(busy())
  }

  const enter = async (signal: AbortSignal | undefined, owner: string): Promise<void> => {
    throwIfCancelled(signal)
    if (running < concurrent) {
      running += 1
      return
    }
    makeRoom(owner)
    // A finished one hands its slot over, so `running` does not change.
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const hearNoMore = () => signal?.removeEventListener('abort', onAbort)
    const place: Waiting = {
      enter() {
        hearNoMore()
        resolve()
      },
      refuse(error) {
        hearNoMore()
        reject(error)
      },
    }
    const onAbort = () => {
      takeOut(owner, (queue) => queue.splice(queue.indexOf(place), 1)[0])
      reject(cancelled())
    }
    queues.set(owner, [...(queues.get(owner) ?? []), place])
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
    async run(work, signal, owner = '') {
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
  readonly #most: number
  readonly #taken = new Map<Holder, number>()

  constructor(most: number) {
    this.#most = most
  }

  /** Takes a slot until it is disposed of; undefined when the holder has all of theirs. */
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
