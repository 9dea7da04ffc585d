import { useRef } from 'react'

/** Which column orders the rows. */
export interface TableSort {
  readonly column: string
  readonly descending: boolean
}

interface Comparable<Row> {
  readonly id: string
  readonly compare?: ((a: Row, b: Row) => number) | undefined
}

/** The rows in the order of a column; those that are equal there keep their order. */
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

interface RangeChoice {
  /** Of all rows, as they are shown. */
  readonly keys: readonly string[]
  readonly key: string
  readonly on: boolean
  /** The row that was chosen before; given, everything between the two follows. */
  readonly from?: string | undefined
}

/** The chosen rows after one of them, or a run of them, was switched on or off. */
export function chooseRows(chosen: ReadonlySet<string>, { keys, key, on, from }: RangeChoice): ReadonlySet<string> {
  const [start, end] = [keys.indexOf(from ?? key), keys.indexOf(key)]
  const run = start < 0 || end < 0 ? [key] : keys.slice(Math.min(start, end), Math.max(start, end) + 1)
  const changed = new Set(run)
  return new Set(on ? [...chosen, ...run] : [...chosen].filter((each) => !changed.has(each)))
}

/** Makes rows ones that can be chosen. */
export interface RowChoice<Row> {
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
  /** Names the check box of a row. */
  readonly label: (row: Row) => string
  readonly allLabel: string
}

interface RowChoiceInput<Row> {
  /** In the order in which they are shown. */
  rows: readonly Row[]
  keyOf: (row: Row) => string
  choice: RowChoice<Row> | undefined
}

interface RowChooser {
  chooseRow: (key: string, on: boolean, range: boolean) => void
  chooseAll: (on: boolean) => void
  allChecked: boolean | 'mixed'
}

/** Chooses single rows, runs of rows from the last one on, and all of them. */
export function useRowChoice<Row>({ rows, keyOf, choice }: RowChoiceInput<Row>): RowChooser {
  const last = useRef<string>(undefined)
  const keys = rows.map(keyOf)
  const chosen = choice?.chosen ?? new Set<string>()
  const count = keys.filter((key) => chosen.has(key)).length
  return {
    chooseRow(key, on, range) {
      choice?.onChange(chooseRows(chosen, { keys, key, on, from: range ? last.current : undefined }))
      last.current = key
    },
    chooseAll(on) {
      const all = new Set(keys)
      const others = [...chosen].filter((key) => !all.has(key))
      choice?.onChange(new Set(on ? [...others, ...keys] : others))
    },
    allChecked: count === 0 ? false : count === keys.length || 'mixed',
  }
}
