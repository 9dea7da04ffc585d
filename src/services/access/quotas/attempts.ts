import { setTimeout as sleep } from 'node:timers/promises'

/** How often files are counted at least before a write is refused. More than once, because files may be moved during a count. */
const MIN_COUNTS = 2
/** Milliseconds for which others may make counts inexact, by writing meanwhile, before a write is refused all the same. */
const PATIENCE = 5000
/** Milliseconds between two counts that others made inexact. */
const PAUSE = 50

/**
 * Attempts to reserve room. After each that fails, the files must be counted. Nobody is refused by an inexact count unless it
 * stays inexact for long: when the last bytes of a quota are written at several daemons at once, each of their counts finds files
 * that it also knows to have been added.
 *
 * @returns what to call before each attempt: it says whether that is the last one, and must not fail for an inexact count
 */
export function attempts(): () => Promise<boolean> {
  const end = performance.now() + PATIENCE
  let made = 0
  return async () => {
    const counts = made++
    if (counts > MIN_COUNTS) await sleep(PAUSE)
    return counts >= MIN_COUNTS && performance.now() >= end
  }
}
