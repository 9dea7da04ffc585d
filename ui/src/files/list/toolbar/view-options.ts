import { SORT_KEYS, type Sorting } from '../../../../../src/domain/files/sorting.ts'
import type { MessageId, Translate } from '../../../i18n/use-text.tsx'
import type { IconName } from '../../../kit/icon/icon.tsx'
import type { MenuEntry } from '../../../kit/menu/menu.tsx'
import type { ViewMode } from '../grid/grid-metrics.ts'
import type { FolderLook } from '../listing/use-look.ts'
import { ariaSort, GROUPINGS, nextSorting, sameSorting, type SortColumn } from '../sort/sort-order.ts'

export const SORT_LABELS: Readonly<Record<SortColumn, MessageId>> = {
  name: 'files.name',
  size: 'files.size',
  modified: 'files.modified',
  type: 'files.type',
}

const ORDERS: Readonly<Record<SortColumn, readonly [ascending: MessageId, descending: MessageId]>> = {
  name: ['files.sortAToZ', 'files.sortZToA'],
  size: ['files.sortSmallest', 'files.sortLargest'],
  modified: ['files.sortOldest', 'files.sortNewest'],
  type: ['files.sortAToZ', 'files.sortZToA'],
}

/** Menu entries for the order of the entries and their groups, and for what applies to other folders. */
export function orderMenu(t: Translate, look: FolderLook): MenuEntry[] {
  const groupings = GROUPINGS.map((grouping): MenuEntry => {
    const run = (): void => look.change({ grouping })
    return {
      kind: 'choice',
      label: t(grouping === 'none' ? 'files.noGroups' : SORT_LABELS[grouping]),
      checked: grouping === look.grouping,
      run,
    }
  })
  return [
    ...sortMenu(t, look),
    { kind: 'separator' },
    { kind: 'heading', label: t('files.groupBy') },
    ...groupings,
    ...reachMenu(t, look),
  ]
}

/** Menu entries that make this the look of all folders, or give the folder that of the others. */
export function reachMenu(t: Translate, { own, applyToAll, followOthers }: FolderLook): MenuEntry[] {
  if (!own) return []
  return [
    { kind: 'separator' },
    { label: t('files.useForAll'), run: applyToAll },
    { label: t('files.followOthers'), run: followOthers },
  ]
}

/** The column to sort by and its direction. */
function sortMenu(t: Translate, { sorting: current, change }: FolderLook): MenuEntry[] {
  const onSort = (sorting: Sorting): void => change({ sorting })
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
