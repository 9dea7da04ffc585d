const DAY = 24 * 60 * 60 * 1000

/** Whole days until then, begun ones counted; 0 when it is over. */
export function daysLeft(end: Date, now: Date): number {
  return Math.max(0, Math.ceil((end.getTime() - now.getTime()) / DAY))
}
