import { Checkbox } from '../fields/checkbox.tsx'
import { Icon } from '../icon/icon.tsx'
import { IconButton } from '../button/button.tsx'
import { Select } from '../fields/select.tsx'
import styles from './data-table.module.css'
import type { TableSort } from './table-rows.ts'
import { classNames } from '../../lib/class-names.ts'
import { type ReactNode, useRef } from 'react'

export interface TableColumn<Row> {
  readonly id: string
  /** Column header, and label of the value on cards. */
  readonly head: string
  readonly cell: (row: Row) => ReactNode
  /** Makes the table sortable by this column. */
  readonly compare?: (a: Row, b: Row) => number
  /** Its cell names the row: it comes first, also on a card. */
  readonly isTitle?: boolean
  /** Hidden where space is short: below 1100 px, and on cards. */
  readonly spare?: boolean
}

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
  texts: { readonly sortBy: string; readonly descending: string }
  onSort: (sort: TableSort) => void
  all: CheckAll | undefined
}

/** Replaces the column headers if rows are shown as cards. */
export function TableOrder<Row>({ columns, sort, texts, onSort, all }: TableOrderProps<Row>) {
  const options = columns.filter(({ compare }) => compare).map(({ id, head }) => ({ value: id, label: head }))
  return (
    <div className={styles['order']}>
      {all && <Checkbox checked={all.checked} onChange={all.onChange} label={all.label} />}
      <div className={styles['order-by']}>
        <Select
          label={texts.sortBy}
          options={options}
          value={sort.column}
          onChange={(column) => onSort({ column, descending: false })}
        />
        <IconButton
          icon={sort.descending ? 'arrow-down' : 'arrow-up'}
          label={texts.descending}
          pressed={sort.descending}
          onClick={() => onSort({ ...sort, descending: !sort.descending })}
        />
      </div>
    </div>
  )
}

interface TableRowProps<Row> {
  row: Row
  columns: readonly TableColumn<Row>[]
  check:
    | {
        readonly label: string
        readonly checked: boolean
        /** `range` while Shift is held: applies to all rows from the one clicked last to this one. */
        readonly onChange: (on: boolean, range: boolean) => void
      }
    | undefined
  actions: ReactNode
}

export function TableRow<Row>({ row, columns, check, actions }: TableRowProps<Row>) {
  const shift = useRef(false)
  return (
    <tr
      role="row"
      className={classNames(check?.checked && styles['selected'])}
      data-selected={check?.checked === true ? '' : undefined}
    >
      {check && (
        <td role="cell" className={styles['check']}>
          <Checkbox
            checked={check.checked}
            aria-label={check.label}
            onClick={(event) => (shift.current = event.shiftKey)}
            onChange={(on) => check.onChange(on, shift.current)}
          />
        </td>
      )}
      {columns.map(({ id, head, cell, isTitle, spare }) =>
        isTitle ? (
          <th key={id} scope="row" role="rowheader" className={styles['title']}>
            {cell(row)}
          </th>
        ) : (
          <td key={id} role="cell" className={classNames(spare && styles['spare'])}>
            <span className={styles['card-label']}>{head}</span> {cell(row)}
          </td>
        ),
      )}
      {actions !== undefined && (
        <td role="cell" className={styles['actions']}>
          <div>{actions}</div>
        </td>
      )}
    </tr>
  )
}
