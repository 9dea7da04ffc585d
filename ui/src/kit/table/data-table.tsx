import { type ReactNode, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Button, IconButton } from '../button/button.tsx'
import styles from './data-table.module.css'
import { type TableColumn, TableHead, TableOrder, TableRow } from './table-sections.tsx'
import { nextSort, type RowSelection, sortRows, type TableSort, useRowSelection } from './table-rows.ts'
import { Toolbar } from '../button/toolbar.tsx'

interface DataTableProps<Row> {
  /** Names the table. */
  label: string
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** The initial sort order. */
  sort: TableSort
  texts: TableTexts
  selection?: RowSelection<Row> | undefined
  /** Buttons at the end of a row, with the header of their column. */
  actions?: { readonly head: string; readonly cell: (row: Row) => ReactNode } | undefined
}

interface TableTexts {
  /** Labels of the sort controls on cards, which have no column headers. */
  readonly sortBy: string
  readonly descending: string
  /** Label of the button that shows more rows. */
  readonly more: (remaining: number) => string
}

/** Rows rendered at first and added by each click on "more", so that thousands of rows do not freeze the page. */
const PAGE_SIZE = 200

/** A sortable table whose rows can be selected, with Shift also in ranges. Shows cards on narrow screens. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, selection, actions, texts } = props
  const [sort, setSort] = useState(props.sort)
  const [limit, setLimit] = useState(PAGE_SIZE)
  const sorted = sortRows(rows, columns, sort)
  const shown = sorted.slice(0, limit)
  const { selectRow, allChecked, selectAll } = useRowSelection({ rows: sorted, keyOf, selection })
  const remaining = sorted.length - shown.length
  // Stays mounted without rows, so that the sort order is kept.
  if (rows.length === 0) return null
  return (
    <>
      <TableOrder
        columns={columns}
        sort={sort}
        texts={texts}
        onSort={setSort}
        all={selection && { label: selection.allLabel, checked: allChecked, onChange: selectAll }}
      />
      <div className={classNames(styles['wrap'], selection && styles['has-checks'])}>
        <table className={styles['table']} role="table" aria-label={label}>
          <TableHead
            columns={columns}
            sort={sort}
            onSort={(column) => setSort(nextSort(sort, column))}
            all={selection && { label: selection.allLabel, checked: allChecked, onChange: selectAll }}
            actions={actions?.head}
          />
          <tbody role="rowgroup">
            {shown.map((row) => (
              <TableRow
                key={keyOf(row)}
                row={row}
                columns={columns}
                check={
                  selection && {
                    label: selection.label(row),
                    checked: selection.selected.has(keyOf(row)),
                    onChange: (on, range) => selectRow(keyOf(row), on, range),
                  }
                }
                actions={actions?.cell(row)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {remaining > 0 && <Button onClick={() => setLimit(limit + PAGE_SIZE)}>{texts.more(remaining)}</Button>}
    </>
  )
}

interface SelectionBarProps {
  /** Names the toolbar. */
  label: string
  /** "3 selected". */
  count: string
  clearLabel: string
  onClear: () => void
  /** Actions for the selected rows: ghost buttons with icons. Their labels are hidden where space is short. */
  children: ReactNode
}

/** The toolbar above a table with selected rows. */
export function SelectionBar({ label, count, clearLabel, onClear, children }: SelectionBarProps) {
  return (
    <Toolbar label={label} className={styles['selection-bar']}>
      <IconButton icon="x" label={clearLabel} onClick={onClear} />
      <span className={styles['selection-count']}>{count}</span>
      {children}
    </Toolbar>
  )
}
