import type { Clock } from '../../src/platform/clock.ts'

export interface MovableClock extends Clock {
  /** Moves the clock by this many milliseconds, or back with a negative number. */
  move(milliseconds: number): void
}

/** A clock that stands still until a test moves it. */
export function movableClock(start = Date.parse('2026-05-04T12:00:00.250Z')): MovableClock {
  let now = start
  return {
    now: () => now,
    move: (milliseconds) => {
      now += milliseconds
    },
  }
}
