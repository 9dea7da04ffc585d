import { setTimeout as pause } from 'node:timers/promises'
import { isFilemgrError } from '../../domain/errors.ts'
import { interrupted, type JobControl } from './job-queue.ts'

/** Milliseconds between two tries: at first, and at most. */
const FIRST_PAUSE = 200
const LONGEST_PAUSE = 10_000

/**
 * Does part of a job again for as long as a server does not answer: what the job has begun must be ended, or undone, and neither is
 * possible now.
 *
 * @throws CANCELLED as `interrupted`, if the job must be left as it is
 */
export async function untilAvailable<T>(
  { stopping }: Pick<JobControl, 'stopping'>,
  work: () => Promise<T>,
): Promise<T> {
  for (let wait = FIRST_PAUSE; ; wait = Math.min(2 * wait, LONGEST_PAUSE)) {
    try {
      return await work()
    } catch (error) {
      if (!isAway(error)) throw error
      await pause(wait, undefined, { signal: stopping }).catch(() => undefined)
      requireRunning({ stopping })
    }
  }
}

/** True if a server does not answer: that of the files, or that of the store, without which several daemons cannot lock a name. */
export function isAway(error: unknown): boolean {
  return isFilemgrError(error, 'UNAVAILABLE') || isFilemgrError(error, 'STORE_BUSY')
}

/** @throws CANCELLED as `interrupted` */
export function requireRunning({ stopping }: Pick<JobControl, 'stopping'>): void {
  if (stopping.aborted) throw interrupted()
}
