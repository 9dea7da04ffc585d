import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** More often costs time, much later lets the old generation grow. */
const EVERY = 12 * 1024 * 1024

/**
 * Tells the engine about buffers that came and went. The chunks of a large body lie outside of its heap, and it answers their
 * pressure with a full collection each 60 MB or so; a collection of the young generation in time frees them in a millisecond.
 * Measured for 1 GiB: one full collection instead of 15, a third of the time spent collecting, 50 MB less memory.
 *
 * @returns to be called with the size of each chunk
 */
export function createYoungCollection(): (bytes: number) => void {
  // Stays set: all threads share the flag, and one that took it back would take it from another that is just starting.
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void
  let since = 0
  return (bytes) => {
    since += bytes
    if (since < EVERY) return
    since = 0
    collect({ type: 'minor' })
  }
}
