import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes between collections. Collecting more often costs time; less often lets buffers reach the old generation. */
const INTERVAL = 12 * 1024 * 1024

/**
 * Frees the buffers of pictures and archives early. They are outside V8's heap, and V8 reacts to their growth with a full
 * collection about every 60 MB; a minor collection before that frees them in a millisecond. Measured for 1 GiB in small buffers:
 * one full collection instead of 15, a third of the time spent collecting, 50 MB less memory.
 *
 * @returns a function to call with the size of each chunk
 */
export function createMinorGc(): (bytes: number) => void {
  const collect = exposedGc()
  let since = 0
  return (bytes) => {
    since += bytes
    if (since < INTERVAL) return
    since = 0
    collect({ type: 'minor' })
  }
}

/**
 * Frees what a thread has used and V8 would keep until the next time it is short of memory, which an idle thread never is. Takes a
 * tenth of a second.
 */
export function createMajorGc(): () => void {
  return () => exposedGc()({ type: 'major' })
}

function exposedGc(): (options: { type: 'minor' | 'major' }) => void {
  // The flag is never reset: all threads share it, and another one may be starting.
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as ReturnType<typeof exposedGc>
}
