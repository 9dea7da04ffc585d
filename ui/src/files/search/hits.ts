import type { FoundEntry } from './search-run.ts'
import type { SearchRequest, SearchSize, SearchTime } from './search-request.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { FileItem } from '../actions/model.ts'

/** The selected hits, by index: new hits are always appended. */
export interface HitSelection {
  /** The hit that keys act on; -1 if there is none. */
  readonly active: number
  /** The selected hits; when empty, actions apply to the active one. */
  readonly selected: ReadonlySet<number>
  moveTo(index: number): HitSelection
  /** Selects the range that starts where the last selection began. */
  extendTo(index: number): HitSelection
  toggle(index: number): HitSelection
  /** The hits that an action applies to, in the order of the list. */
  targets(): number[]
}

export function createHitSelection(
  active: number,
  selected: ReadonlySet<number> = new Set(),
  anchor: number = active,
): HitSelection {
  return {
    active,
    selected,
    moveTo: (index) => createHitSelection(index),
    extendTo(index) {
      const [first, last] = anchor < index ? [anchor, index] : [index, anchor]
      const range = Array.from({ length: last - first + 1 }, (_, step) => first + step)
      return createHitSelection(index, new Set(range), anchor)
    },
    toggle(index) {
      const next = new Set(selected)
      if (!next.delete(index)) next.add(index)
      return createHitSelection(index, next)
    },
    targets: () => (selected.size > 0 ? [...selected].sort((a, b) => a - b) : active < 0 ? [] : [active]),
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

/** Converts a hit for the file actions. */
export function toFileItem({ path, isDir, details }: FoundEntry): FileItem {
  const { size = 0, modified = '', type = '' } = details ?? {}
  return { path: path as VirtualPath, isDir, size, modified, type }
}
