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

/** What a click on the head of a column makes of the order: the same column turns around, another one starts upwards. */
export function nextSort(sort: TableSort, column: string): TableSort {
  return { column, descending: sort.column === column && !sort.descending }
}

export interface RangeChoice {
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
