import type { Sorting } from '../../../../../src/domain/sorting.ts'

export type SortColumn = 'name' | 'size' | 'modified'

/** What a click on the head of a column asks for. A new column starts with A, the smallest or the newest. */
export function nextSorting(current: Sorting, column: SortColumn): Sorting {
  if ((current.by || 'name') === column) return { by: column, asc: !current.asc }
  return { by: column, asc: column === 'size' }
}

export function ariaSort(current: Sorting, column: SortColumn): 'ascending' | 'descending' | 'none' {
  if ((current.by || 'name') !== column) return 'none'
  return (column === 'name') !== current.asc ? 'ascending' : 'descending'
}

export function sameSorting(a: Sorting, b: Sorting): boolean {
  return (a.by || 'name') === (b.by || 'name') && a.asc === b.asc
}
