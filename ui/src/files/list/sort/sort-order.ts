import type { SORT_KEYS, Sorting } from '../../../../../src/domain/files/sorting.ts'

export type SortColumn = (typeof SORT_KEYS)[number]

export const GROUPINGS = ['none', 'type', 'modified'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** The sort order after a click on a column header. A new column starts with A, the smallest or the newest. */
export function nextSorting(current: Sorting, column: SortColumn): Sorting {
  if ((current.by || 'name') === column) return { by: column, asc: !current.asc }
  return { by: column, asc: column === 'size' || column === 'type' }
}

export function ariaSort(current: Sorting, column: SortColumn): 'ascending' | 'descending' | 'none' {
  if ((current.by || 'name') !== column) return 'none'
  return (column === 'name') !== current.asc ? 'ascending' : 'descending'
}

export function sameSorting(a: Sorting, b: Sorting): boolean {
  return (a.by || 'name') === (b.by || 'name') && a.asc === b.asc
}
