/** Between these positions two lists differ; `end` is the number of items after them. */
export interface ChangedSpan {
  readonly start: number
  readonly end: number
}

/**
 * What two lists have in common at their start and at their end. Most changes leave all records but one in their places, so
 * whatever takes long has to look at one record instead of a hundred thousand.
 *
 * @param areSame whether items count as unchanged that are not the same object
 */
export function changedSpan(
  before: readonly unknown[],
  now: readonly unknown[],
  areSame: (one: unknown, other: unknown) => boolean = Object.is,
): ChangedSpan {
  const shorter = Math.min(before.length, now.length)
  // `Object.is` before `areSame`, and not `===`, which would read each of the objects from memory: that takes four times as long.
  let start = 0
  while (start < shorter && (Object.is(before[start], now[start]) || areSame(before[start], now[start]))) start += 1
  let [last, lastNow] = [before.length - 1, now.length - 1]
  const first = start + before.length - shorter
  while (last >= first && (Object.is(before[last], now[lastNow]) || areSame(before[last], now[lastNow]))) {
    last -= 1
    lastNow -= 1
  }
  return { start, end: before.length - 1 - last }
}
