import { naturalKey } from '../../../domain/natural-order.ts'
import type { Sorting } from '../../../domain/sorting.ts'
import { textOf, type NameBytes } from './folder-names.ts'
import type { Rows } from './rows.ts'

type Compare = (a: number, b: number) => number

/** Folders are counted as so much smaller than they are. */
const FOLDER_SIZE = 2 ** 31

/** The indexes of the rows that are shown, as the wire sorts them. Ties are in byte order of the names, in both directions. */
export function orderOf(rows: Rows, names: readonly NameBytes[], { by, asc }: Sorting): number[] {
  const order: number[] = []
  for (let index = 0; index < rows.count; index += 1) if (rows.isShown(index)) order.push(index)
  const isByOther = by !== 'size' && by !== 'modified'
  const isByName = by === 'name' || by === '' || (isByOther && asc)
  // On the wire the direction of names is inverted: `asc: false` is A to Z.
  const direction = asc === isByName ? -1 : 1
  const compare = isByName ? byName(names) : by === 'size' ? bySize(rows) : isByOther ? () => 0 : byTime(rows)
  const foldersFirst: Compare = isByName ? (a, b) => Number(rows.isDir(b)) - Number(rows.isDir(a)) : () => 0
  return order.sort((a, b) => foldersFirst(a, b) || direction * compare(a, b) || compareTexts(names[a], names[b]))
}

function byName(names: readonly NameBytes[]): Compare {
  const keys = names.map((name) => naturalKey(textOf(name).toLowerCase()))
  return (a, b) => compareTexts(keys[a], keys[b])
}

function bySize(rows: Rows): Compare {
  const sizeOf = (index: number) => (rows.isDir(index) ? rows.size(index) - FOLDER_SIZE : rows.size(index))
  return (a, b) => sizeOf(a) - sizeOf(b)
}

function byTime(rows: Rows): Compare {
  return (a, b) => {
    const left = rows.modified(a)
    const right = rows.modified(b)
    return left < right ? -1 : left > right ? 1 : 0
  }
}

function compareTexts(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0
}
