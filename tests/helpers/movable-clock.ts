import type { Clock } from '../../src/platform/clock.ts'

export interface MovableClock extends Clock {
  /** By so many milliseconds; backwards with a negative number. */
  move(milliseconds: number): void
}

/** Stands still until it is moved. */
export function movableClock(start = Date.parse('2026-05-04T12:00:00.250Z')): MovableClock {
  let now = start
  return {
    now: () => now,
    move: (milliseconds) => {
      now += milliseconds
    },
  }
}
