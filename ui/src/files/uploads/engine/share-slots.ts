import type { GroupEngine } from './group-upload.ts'

/** Browsers open six connections per server for all windows, and the pages need some of them for other requests. */
const SLOTS = ['filemgr upload 1', 'filemgr upload 2', 'filemgr upload 3']

/**
 * Limits the engine to three groups at a time, across all windows of the browser.
 *
 * @param locks undefined in insecure contexts: then each window counts separately
 */
export function shareSlots(engine: GroupEngine, locks: LockManager | undefined): GroupEngine {
  if (locks === undefined) return engine
  return (requests) => {
    const allAborted = abortedWithAll(requests.map((request) => request.signal))
    const gotSlot = new AbortController()
    const started = Promise.withResolvers<void>()
    let sent: readonly Promise<void>[] = []
    const takeSlot = async (): Promise<void> => {
      if (gotSlot.signal.aborted) return
      gotSlot.abort()
      sent = engine(requests)
      started.resolve()
      await Promise.allSettled(sent)
    }
    const signal = AbortSignal.any([allAborted, gotSlot.signal])
    // A request for a slot is rejected when another slot was free first, or when nothing remains to be sent.
    const waiting = SLOTS.map((slot) => locks.request(slot, { signal }, takeSlot).catch(() => undefined))
    return requests.map(async (request, index) => {
      await Promise.race([started.promise, Promise.all(waiting)])
      request.signal.throwIfAborted()
      await (sent[index] ?? Promise.reject(new Error('the browser gave no lock')))
    })
  }
}

/** Aborted once all of the signals are. */
function abortedWithAll(signals: readonly AbortSignal[]): AbortSignal {
  const all = new AbortController()
  const check = (): void => {
    if (signals.every(({ aborted }) => aborted)) all.abort()
  }
  for (const signal of signals) signal.addEventListener('abort', check, { once: true })
  check()
  return all.signal
}
