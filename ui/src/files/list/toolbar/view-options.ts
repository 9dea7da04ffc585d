import { SORT_KEYS, type Sorting } from '../../../../../src/domain/files/sorting.ts'
import type { MessageId, Translate } from '../../../i18n/use-text.tsx'
import type { IconName } from '../../../kit/icon/icon.tsx'
import type { MenuEntry } from '../../../kit/menu/menu.tsx'
import type { ViewMode } from '../grid/grid-metrics.ts'

export const SORT_LABELS: Readonly<Record<SortColumn, MessageId>> = {
  name: 'files.name',
  size: 'files.size',
  modified: 'files.modified',
}

const ORDERS: Readonly<Record<SortColumn, readonly [ascending: MessageId, descending: MessageId]>> = {
  name: ['files.sortAToZ', 'files.sortZToA'],
  size: ['files.sortSmallest', 'files.sortLargest'],
  modified: ['files.sortOldest', 'files.sortNewest'],
}

/** Menu entries for the column to sort by and its direction. */
export function sortMenu(t: Translate, current: Sorting, onSort: (sorting: Sorting) => void): MenuEntry[] {
  const column: SortColumn = current.by || 'name'
  const columns = SORT_KEYS.map((key): MenuEntry => {
    const run = (): void => (key === column ? undefined : onSort(nextSorting(current, key)))
    return { kind: 'choice', label: t(SORT_LABELS[key]), checked: key === column, run }
  })
  const both: Sorting[] = [current, nextSorting(current, column)]
  const [ascending, descending] = both.sort((a) => (ariaSort(a, column) === 'ascending' ? -1 : 1))
  const orders = [ascending, descending].map((order, index): MenuEntry => {
    const sorting = order ?? current
    const label = t(ORDERS[column][index === 0 ? 0 : 1])
    return { kind: 'choice', label, checked: sameSorting(sorting, current), run: () => onSort(sorting) }
  })
  return [...columns, { kind: 'separator' }, ...orders]
}

export const VIEW_MODES: readonly { value: ViewMode; icon: IconName; label: MessageId }[] = [
  { value: 'list', icon: 'list', label: 'files.viewList' },
  { value: 'mosaic', icon: 'grid', label: 'files.viewMosaic' },
  { value: 'mosaic gallery', icon: 'gallery', label: 'files.viewGallery' },
]

export type SortColumn = 'name' | 'size' | 'modified'

/** The sort order after a click on a column header. A new column starts with A, the smallest or the newest. */
export function nextSorting(current: Sorting, column: SortColumn): Sorting {
  if ((current.by || 'name') === column) return { by: column, asc: !current.asc }
  return { by: column, asc: column === 'size' }
}

export function ariaSort(current: Sorting, column: SortColumn): 'ascending' | 'descending' | 'none' {
  if ((current.by || 'name') !== column) return 'none'
  return (column === 'name') !== current.asc ? 'ascending' : 'descending'
}

function sameSorting(a: Sorting, b: Sorting): boolean {
  return (a.by || 'name') === (b.by || 'name') && a.asc === b.asc
}
