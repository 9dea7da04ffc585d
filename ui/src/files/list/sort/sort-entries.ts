import { compareBytes, type ListingColumns, sortListing } from '../../../../../src/domain/files/listing-order.ts'
import type { Resource } from '../../../../../src/domain/files/resource.ts'
import type { Sorting } from '../../../../../src/domain/files/sorting.ts'

/** The columns to sort by, cheap to send to a worker: names and times are joined by "/". */
export interface SortKeys {
  readonly names: string
  readonly folders: Uint8Array
  readonly sizes: Float64Array
  readonly times: string
}

/** The entries in the order in which the server would send them with this sorting. Does not change the input. */
export function sortEntries(entries: readonly Resource[], sorting: Sorting): Resource[] {
  return inOrder(entries, orderOf(keysOf(entries), sorting))
}

export function inOrder(entries: readonly Resource[], order: Uint32Array): Resource[] {
  return [...order].flatMap((index) => entries[index] ?? [])
}

export function keysOf(entries: readonly Resource[]): SortKeys {
  return {
    names: entries.map(({ name }) => name).join('/'),
    folders: Uint8Array.from(entries, ({ isDir }) => Number(isDir)),
    sizes: Float64Array.from(entries, ({ size }) => size),
    times: entries.map(({ modified }) => modified).join('/'),
  }
}

/** The order as indexes into the entries. */
export function orderOf({ names: joined, folders, sizes, times }: SortKeys, sorting: Sorting): Uint32Array {
  const indexes = Uint32Array.from(folders, (_, index) => index)
  const names = joined.split('/')
  const stamps = sorting.by === 'modified' ? times.split('/').map(timeOf) : []
  const columns: ListingColumns = {
    name: (index) => names[index] ?? '',
    isDir: (index) => folders[index] === 1,
    size: (index) => sizes[index] ?? 0,
    compareTimes: (one, other) => {
      const [time, fraction] = stamps[one] ?? NO_TIME
      const [otherTime, otherFraction] = stamps[other] ?? NO_TIME
      return time - otherTime || compareBytes(fraction, otherFraction)
    },
    compareNames: (one, other) => compareBytes(names[one] ?? '', names[other] ?? ''),
  }
  return sortListing(indexes, columns, sorting)
}

type Time = readonly [milliseconds: number, fraction: string]
const NO_TIME: Time = [0, '']

/** RFC 3339 with up to nanoseconds, which a Date cannot hold. */
function timeOf(modified: string): Time {
  return [Date.parse(modified), (/\.(\d+)/.exec(modified)?.[1] ?? '').padEnd(9, '0')]
}
