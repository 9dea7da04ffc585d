import type { FoundEntry } from './search-run.ts'
import type { SearchRequest, SearchSize, SearchTime } from './search-request.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { FileItem } from '../actions/model.ts'

/** Which hits are selected, by index: new hits only come after the others. */
export interface HitSelection {
  /** The one that keys act on; -1 where there is none. */
  readonly active: number
  /** The selected hits; when empty, actions apply to the active one. */
  readonly chosen: ReadonlySet<number>
  moveTo(index: number): HitSelection
  /** Chooses everything from where the last choice began. */
  extendTo(index: number): HitSelection
  toggle(index: number): HitSelection
  /** What an action is about, in the order of the list. */
  targets(): number[]
}

export function createHitSelection(
  active: number,
  chosen: ReadonlySet<number> = new Set(),
  anchor: number = active,
): HitSelection {
  return {
    active,
    chosen,
    moveTo: (index) => createHitSelection(index),
    extendTo(index) {
      const [first, last] = anchor < index ? [anchor, index] : [index, anchor]
      const range = Array.from({ length: last - first + 1 }, (_, step) => first + step)
      return createHitSelection(index, new Set(range), anchor)
    },
    toggle(index) {
      const next = new Set(chosen)
      if (!next.delete(index)) next.add(index)
      return createHitSelection(index, next)
    },
    targets: () => (chosen.size > 0 ? [...chosen].sort((a, b) => a - b) : active < 0 ? [] : [active]),
  }
}

const DAY = 24 * 60 * 60 * 1000
const DAYS: Readonly<Record<SearchTime, number>> = { day: 1, week: 7, month: 30, year: 365 }

const MEBIBYTE = 1024 * 1024
const SIZES: Readonly<Record<SearchSize, readonly [from: number, below: number]>> = {
  small: [0, MEBIBYTE],
  medium: [MEBIBYTE, 100 * MEBIBYTE],
  large: [100 * MEBIBYTE, Infinity],
}

/** Keeps hits in the given range of time and size. Folders have no size. */
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

/** A hit, as the file actions take it. */
export function toFileItem({ path, isDir, details }: FoundEntry): FileItem {
  const { size = 0, modified = '', type = '' } = details ?? {}
  return { path: path as VirtualPath, isDir, size, modified, type }
}
