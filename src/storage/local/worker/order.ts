import { sortListing } from '../../../domain/listing-order.ts'
import type { Sorting } from '../../../domain/sorting.ts'
import { textOf, type NameBytes } from './folder-names.ts'
import type { Rows } from './rows.ts'

/** The indexes of the rows that are shown, in the order of the wire. */
export function orderOf(rows: Rows, names: readonly NameBytes[], sorting: Sorting): number[] {
  const shown: number[] = []
  for (let index = 0; index < rows.count; index += 1) if (rows.isShown(index)) shown.push(index)
  const columns = {
    name: (index: number) => textOf(names[index] ?? NO_NAME),
    isDir: (index: number) => rows.isDir(index),
    size: (index: number) => rows.size(index),
    compareTimes: (one: number, other: number) => compare(rows.modified(one), rows.modified(other)),
    compareNames: (one: number, other: number) => compare(names[one] ?? NO_NAME, names[other] ?? NO_NAME),
  }
  return sortListing(shown, columns, sorting)
}

const NO_NAME = '' as NameBytes

function compare<T extends bigint | number | string>(one: T, other: T): number {
  return one < other ? -1 : Number(one > other)
}
