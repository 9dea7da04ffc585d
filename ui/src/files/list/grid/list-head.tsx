import type { Sorting } from '../../../../../src/domain/sorting.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Checkbox } from '../../../kit/fields/checkbox.tsx'
import { Icon } from '../../../kit/icon/icon.tsx'
import { ariaSort, type SortColumn } from '../model/sort-column.ts'
import styles from './list.module.css'

interface ListHeadProps {
  readonly sorting: Sorting
  readonly allSelected: boolean | 'mixed'
  readonly onSort: (column: SortColumn) => void
  readonly onSelectAll: (selected: boolean) => void
}

export function ListHead({ sorting, allSelected, onSort, onSelectAll }: ListHeadProps) {
  const t = useText()
  return (
    <div role="rowgroup" className={styles['heads']}>
      <div role="row" className={styles['head']} aria-rowindex={1}>
        <div role="columnheader" className={styles['check']}>
          <Checkbox checked={allSelected} onChange={onSelectAll} aria-label={t('files.selectAll')} />
        </div>
        <ColumnHead column="name" label={t('files.name')} sorting={sorting} onSort={onSort} />
        <ColumnHead
          column="size"
          label={t('files.size')}
          sorting={sorting}
          onSort={onSort}
          className={styles['size']}
        />
        <ColumnHead column="modified" label={t('files.modified')} sorting={sorting} onSort={onSort} />
        <div role="columnheader">
          <span className="visually-hidden">{t('files.actions')}</span>
        </div>
      </div>
    </div>
  )
}

interface ColumnHeadProps {
  readonly column: SortColumn
  readonly label: string
  readonly sorting: Sorting
  readonly onSort: (column: SortColumn) => void
  readonly className?: string | undefined
}

function ColumnHead({ column, label, sorting, onSort, className }: ColumnHeadProps) {
  const order = ariaSort(sorting, column)
  return (
    <div role="columnheader" aria-sort={order} className={className}>
      <button type="button" className="touch" onClick={() => onSort(column)}>
        {label}
        {order !== 'none' && <Icon name={order === 'ascending' ? 'arrow-up' : 'arrow-down'} size={14} />}
      </button>
    </div>
  )
}
