import { type ReactNode, useState } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Button } from '../button/button.tsx'
import styles from './data-table.module.css'
import { type TableColumn, TableHead, TableOrder, TableRow } from './table-sections.tsx'
import { nextSort, type RowChoice, sortRows, type TableSort, useRowChoice } from './table-rows.ts'

interface DataTableProps<Row> {
  /** Names the table. */
  label: string
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** The initial sort order. */
  sort: TableSort
  words: TableWords
  choice?: RowChoice<Row> | undefined
  /** Buttons at the end of a row, with the head of their column. */
  actions?: { readonly head: string; readonly cell: (row: Row) => ReactNode } | undefined
}

interface TableWords {
  /** Name the choice of the order on cards, which have no heads. */
  readonly sortBy: string
  readonly descending: string
  /** Label of the button that shows more rows. */
  readonly more: (left: number) => string
}

/** Drawn at once; more come when they are asked for, so that thousands of rows do not freeze the page. */
const STEP = 200

/** A table whose columns order it and whose rows can be chosen, by check boxes and with Shift in runs; cards when narrow. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, keyOf, choice, actions, words } = props
  const [sort, setSort] = useState(props.sort)
  const [limit, setLimit] = useState(STEP)
  const sorted = sortRows(rows, columns, sort)
  const shown = sorted.slice(0, limit)
  const { chooseRow, allChecked, chooseAll } = useRowChoice({ rows: sorted, keyOf, choice })
  const left = sorted.length - shown.length
  // The order is kept until there are rows again.
  if (rows.length === 0) return null
  return (
    <>
      <TableOrder
        columns={columns}
        sort={sort}
        words={words}
        onSort={setSort}
        all={choice && { label: choice.allLabel, checked: allChecked, onChange: chooseAll }}
      />
      <div className={classNames(styles['wrap'], choice && styles['has-checks'])}>
        <table className={styles['table']} role="table" aria-label={label}>
          <TableHead
            columns={columns}
            sort={sort}
            onSort={(column) => setSort(nextSort(sort, column))}
            all={choice && { label: choice.allLabel, checked: allChecked, onChange: chooseAll }}
            actions={actions?.head}
          />
          <tbody role="rowgroup">
            {shown.map((row) => (
              <TableRow
                key={keyOf(row)}
                row={row}
                columns={columns}
                check={
                  choice && {
                    label: choice.label(row),
                    checked: choice.chosen.has(keyOf(row)),
                    onChange: (on, range) => chooseRow(keyOf(row), on, range),
                  }
                }
                actions={actions?.cell(row)}
              />
            ))}
          </tbody>
        </table>
      </div>
      {left > 0 && <Button onClick={() => setLimit(limit + STEP)}>{words.more(left)}</Button>}
    </>
  )
}
