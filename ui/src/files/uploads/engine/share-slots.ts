import type { UploadEngine } from './simple-upload.ts'

/** Browsers open six connections per server for all windows, and each page needs some for more than its uploads. */
const SLOTS = ['filemgr upload 1', 'filemgr upload 2', 'filemgr upload 3']

/**
 * Limits the engine to three uploads at a time, across all windows of the browser.
 *
 * @param locks undefined in insecure contexts: then each window counts separately
 */
export function shareSlots(engine: UploadEngine, locks: LockManager | undefined): UploadEngine {
  if (locks === undefined) return engine
  return async (request) => {
    const gotSlot = new AbortController()
    const signal = AbortSignal.any([request.signal, gotSlot.signal])
    let sent: Promise<void> | undefined
    const takeSlot = async (): Promise<void> => {
      if (sent !== undefined) return
      sent = engine(request)
      gotSlot.abort()
      await sent.catch(ignore)
    }
    await Promise.all(SLOTS.map((slot) => locks.request(slot, { signal }, takeSlot).catch(ignore)))
    request.signal.throwIfAborted()
    await sent
  }
}

/** Either another slot was free first, or the caller gets the error from the upload itself. */
function ignore(): void {
  return undefined
}
