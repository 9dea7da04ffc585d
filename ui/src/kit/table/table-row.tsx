import { type ReactNode, useRef } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { Checkbox } from '../checkbox.tsx'
import type { TableColumn } from './data-table.tsx'
import styles from './data-table.module.css'

interface TableRowProps<Row> {
  row: Row
  columns: readonly TableColumn<Row>[]
  check:
    | {
        readonly label: string
        readonly checked: boolean
        /** `range` when Shift is held: all rows from the last one to this. */
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
      className={classNames(check?.checked && styles['chosen'])}
      data-chosen={check?.checked === true ? '' : undefined}
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
            <span className={styles['said']}>{head}</span> {cell(row)}
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
