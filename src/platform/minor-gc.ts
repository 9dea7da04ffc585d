import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes between collections: more often costs time, much later lets the old generation grow. */
const INTERVAL = 12 * 1024 * 1024

/**
 * Frees the buffers of large bodies early. They lie outside of the heap of V8, which answers their pressure with a full
 * collection each 60 MB or so; a minor collection in time frees them in a millisecond.
 * Measured for 1 GiB: one full collection instead of 15, a third of the time spent collecting, 50 MB less memory.
 *
 * @returns to be called with the size of each chunk
 */
export function createMinorGc(): (bytes: number) => void {
  // Never unset: all threads share the flag, and another may be starting.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void
  let since = 0
  return (bytes) => {
    since += bytes
    if (since < INTERVAL) return
    since = 0
    collect({ type: 'minor' })
  }
}
