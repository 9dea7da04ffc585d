import type { FoundEntry } from './search-run.ts'
import type { SearchRequest, SearchSize, SearchTime } from './search-request.ts'

const DAY = 24 * 60 * 60 * 1000
const DAYS: Readonly<Record<SearchTime, number>> = { day: 1, week: 7, month: 30, year: 365 }

const MEBIBYTE = 1024 * 1024
const SIZES: Readonly<Record<SearchSize, readonly [from: number, below: number]>> = {
  small: [0, MEBIBYTE],
  medium: [MEBIBYTE, 100 * MEBIBYTE],
  large: [100 * MEBIBYTE, Infinity],
}

/** Leaves what was changed lately enough and is of the right size. Folders have no size. */
export function filterHits(
  hits: readonly FoundEntry[],
  { time, size }: Pick<SearchRequest, 'time' | 'size'>,
  now: number,
): readonly FoundEntry[] {
  if (time === undefined && size === undefined) return hits
  const since = time && now - DAYS[time] * DAY
  const [from, below] = size ? SIZES[size] : [0, Infinity]
  return hits.filter(({ isDir, details }) => {
    if (details === undefined) return false
    if (since !== undefined && Date.parse(details.modified) < since) return false
    return size === undefined || (!isDir && details.size >= from && details.size < below)
  })
}
