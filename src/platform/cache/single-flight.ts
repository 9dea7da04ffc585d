import { cancelled, throwIfCancelled } from '../../domain/errors.ts'

interface Flight<T> {
  readonly result: Promise<T>
  readonly abort: AbortController
  waiting: number
}

/** Shares one run of the same work among concurrent callers, and aborts it when the last of them leaves. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>()

  /**
   * @param work started for the first caller; its signal aborts when no caller waits any more
   * @param signal of this caller
   * @throws CANCELLED, and what the work throws
   */
  async run(key: string, work: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      throwIfCancelled(signal)
      const flight = this.#flights.get(key) ?? this.#start(key, work)
      // A run that is being aborted has no result for new callers: wait for its end and start another.
      if (flight.abort.signal.aborted) await flight.result.catch(() => undefined)
      else return await join(flight, signal)
    }
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const abort = new AbortController()
    const result = work(abort.signal).finally(() => this.#flights.delete(key))
    // Once all callers have left, nobody handles a rejection.
    result.catch(() => undefined)
    const flight = { result, abort, waiting: 0 }
    this.#flights.set(key, flight)
    return flight
  }
}

async function join<T>(flight: Flight<T>, signal: AbortSignal | undefined): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(cancelled())
  signal?.addEventListener('abort', onAbort, { once: true })
  flight.waiting += 1
  try {
    return await Promise.race([flight.result, aborted.promise])
  } finally {
    signal?.removeEventListener('abort', onAbort)
    flight.waiting -= 1
    if (flight.waiting === 0) flight.abort.abort()
  }
}
