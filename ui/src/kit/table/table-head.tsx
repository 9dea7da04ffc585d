import { Checkbox } from '../checkbox.tsx'
import { Icon } from '../icon.tsx'
import { IconButton } from '../icon-button.tsx'
import { Select } from '../select.tsx'
import type { TableColumn } from './data-table.tsx'
import styles from './data-table.module.css'
import type { TableSort } from './table-rows.ts'
import { classNames } from '../../lib/class-names.ts'

interface CheckAll {
  readonly label: string
  readonly checked: boolean | 'mixed'
  readonly onChange: (on: boolean) => void
}

interface TableHeadProps<Row> {
  columns: readonly TableColumn<Row>[]
  sort: TableSort
  onSort: (column: string) => void
  all: CheckAll | undefined
  actions: string | undefined
}

export function TableHead<Row>({ columns, sort, onSort, all, actions }: TableHeadProps<Row>) {
  return (
    <thead className={styles['head']} role="rowgroup">
      <tr role="row">
        {all && (
          <th scope="col" role="columnheader" className={styles['check']}>
            <Checkbox checked={all.checked} onChange={all.onChange} aria-label={all.label} />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            role="columnheader"
            className={classNames(column.spare && styles['spare'], column.isTitle && styles['title'])}
            aria-sort={column.compare && ariaSort(column.id, sort)}
          >
            {column.compare ? (
              <button type="button" className="touch" onClick={() => onSort(column.id)}>
                {column.head}
                {sort.column === column.id && <Icon name={sort.descending ? 'arrow-down' : 'arrow-up'} size={14} />}
              </button>
            ) : (
              column.head
            )}
          </th>
        ))}
        {actions !== undefined && (
          <th scope="col" role="columnheader">
            <span className="visually-hidden">{actions}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

function ariaSort(column: string, sort: TableSort): 'ascending' | 'descending' | 'none' {
  if (sort.column !== column) return 'none'
  return sort.descending ? 'descending' : 'ascending'
}

interface TableOrderProps<Row> {
  columns: readonly TableColumn<Row>[]
  sort: TableSort
  words: { readonly sortBy: string; readonly descending: string }
  onSort: (sort: TableSort) => void
  all: CheckAll | undefined
}

/** In place of the heads, where rows are cards. */
export function TableOrder<Row>({ columns, sort, words, onSort, all }: TableOrderProps<Row>) {
  const options = columns.filter(({ compare }) => compare).map(({ id, head }) => ({ value: id, label: head }))
  return (
    <div className={styles['order']}>
      {all && <Checkbox checked={all.checked} onChange={all.onChange} label={all.label} />}
      <div className={styles['order-by']}>
        <Select
          label={words.sortBy}
          options={options}
          value={sort.column}
          onChange={(column) => onSort({ column, descending: false })}
        />
        <IconButton
          icon={sort.descending ? 'arrow-down' : 'arrow-up'}
          label={words.descending}
          pressed={sort.descending}
          onClick={() => onSort({ ...sort, descending: !sort.descending })}
        />
      </div>
    </div>
  )
}
