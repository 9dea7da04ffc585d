import { useRef } from 'react'

/** The column that the rows are sorted by. */
export interface TableSort {
  readonly column: string
  readonly descending: boolean
}

interface Comparable<Row> {
  readonly id: string
  readonly compare?: ((a: Row, b: Row) => number) | undefined
}

/** Sorts rows by a column. Equal rows keep their order. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Comparable<Row>[],
  { column, descending }: TableSort,
): readonly Row[] {
  const compare = columns.find(({ id }) => id === column)?.compare
  if (compare === undefined) return rows
  return rows.toSorted((a, b) => (descending ? compare(b, a) : compare(a, b)))
}

/** The sort order after a click on a column header: the same column reverses, another one starts ascending. */
export function nextSort(sort: TableSort, column: string): TableSort {
  return { column, descending: sort.column === column && !sort.descending }
}

interface SelectionChange {
  /** Keys of all rows, in the order in which they are shown. */
  readonly keys: readonly string[]
  readonly key: string
  readonly on: boolean
  /** Also changes all rows from this one to `key`. */
  readonly from?: string | undefined
}

/** Selects or deselects a row, or a range of rows. */
export function selectRows(
  selected: ReadonlySet<string>,
  { keys, key, on, from }: SelectionChange,
): ReadonlySet<string> {
  const [start, end] = [keys.indexOf(from ?? key), keys.indexOf(key)]
  const range = start < 0 || end < 0 ? [key] : keys.slice(Math.min(start, end), Math.max(start, end) + 1)
  const changed = new Set(range)
  return new Set(on ? [...selected, ...range] : [...selected].filter((each) => !changed.has(each)))
}

/** Makes the rows of a table selectable. */
export interface RowSelection<Row> {
  readonly selected: ReadonlySet<string>
  readonly onChange: (selected: ReadonlySet<string>) => void
  /** Names the check box of a row. */
  readonly label: (row: Row) => string
  readonly allLabel: string
}

interface RowSelectionInput<Row> {
  /** In the order in which they are shown. */
  rows: readonly Row[]
  keyOf: (row: Row) => string
  selection: RowSelection<Row> | undefined
}

/** Selects single rows, ranges from the row clicked last, and all rows. */
export function useRowSelection<Row>({ rows, keyOf, selection }: RowSelectionInput<Row>) {
  const last = useRef<string>(undefined)
  const keys = rows.map(keyOf)
  const selected = selection?.selected ?? new Set<string>()
  const count = keys.filter((key) => selected.has(key)).length
  return {
    selectRow(key: string, on: boolean, range: boolean) {
      selection?.onChange(selectRows(selected, { keys, key, on, from: range ? last.current : undefined }))
      last.current = key
    },
    selectAll(on: boolean) {
      const all = new Set(keys)
      const others = [...selected].filter((key) => !all.has(key))
      selection?.onChange(new Set(on ? [...others, ...keys] : others))
    },
    allChecked: count === 0 ? false : count === keys.length || ('mixed' as const),
  }
}
