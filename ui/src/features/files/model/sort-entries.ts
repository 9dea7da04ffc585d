import { compareBytes, naturalKey } from '../../../../../src/domain/natural-order.ts'
import type { Resource } from '../../../../../src/domain/resource.ts'
import type { Sorting } from '../../../../../src/domain/sorting.ts'

/** The entries in the order in which the server would send them with this sorting. The input is left alone. */
export function sortEntries(entries: readonly Resource[], sorting: Sorting): Resource[] {
  const keyed = entries.map((entry) => ({
    entry,
    key: naturalKey(entry.name.toLowerCase()),
    time: timeOf(entry.modified),
  }))
  keyed.sort((a, b) => compare(a, b, sorting) || compareBytes(a.entry.name, b.entry.name))
  return keyed.map(({ entry }) => entry)
}

interface Keyed {
  readonly entry: Resource
  readonly key: string
  readonly time: readonly [milliseconds: number, fraction: string]
}

function compare(a: Keyed, b: Keyed, sorting: Sorting): number {
  if (sorting.by === 'modified')
    return (a.time[0] - b.time[0] || compareBytes(a.time[1], b.time[1])) * sign(sorting.asc)
  if (sorting.by === 'size') {
    return (foldersFirst(a, b) || a.entry.size - b.entry.size) * sign(sorting.asc)
  }
  // Names are inverted on the wire: `asc: false` is A to Z. Folders lead either way.
  return foldersFirst(a, b) || compareKeys(a.key, b.key) * sign(!sorting.asc)
}

function compareKeys(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

function foldersFirst(a: Keyed, b: Keyed): number {
  return Number(b.entry.isDir) - Number(a.entry.isDir)
}

function sign(ascending: boolean): 1 | -1 {
  return ascending ? 1 : -1
}

/** RFC 3339 with up to nanoseconds, which a Date cannot hold. */
function timeOf(modified: string): Keyed['time'] {
  return [Date.parse(modified), (/\.(\d+)/.exec(modified)?.[1] ?? '').padEnd(9, '0')]
}
