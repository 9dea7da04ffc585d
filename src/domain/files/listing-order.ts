import { foldForSearch, foldName } from '../text/fold.ts'
import type { Sorting } from './sorting.ts'

/** The values that a listing is sorted by, accessed by index. */
export interface ListingColumns {
  name(index: number): string
  isDir(index: number): boolean
  /** In bytes. */
  size(index: number): number
  compareTimes(one: number, other: number): number
  /** By the UTF-8 bytes of the names. */
  compareNames(one: number, other: number): number
}

type Compare = (one: number, other: number) => number

/** The wire sorts folders by size as if they were this much smaller. */
const FOLDER_SIZE = 2 ** 31

/** Sorts indexes in place, in the order of the wire. Ties are in ascending byte order of the names, in both directions. */
export function sortListing<T extends number[] | Uint32Array>(
  indexes: T,
  columns: ListingColumns,
  { by, asc }: Pick<Sorting, 'asc'> & { readonly by: string },
): T {
  // Old clients store keys of their own: such a key means the name when ascending, and byte order otherwise.
  const isUnknown = by !== 'size' && by !== 'modified' && by !== 'type' && by !== 'name' && by !== ''
  const isByName = by === 'name' || by === '' || (isUnknown && asc)
  // The wire inverts the direction of names: `asc: false` is A to Z.
  const direction = asc === isByName ? -1 : 1
  const names = isByName || by === 'type' ? byName(indexes, columns) : equal
  const compare = isByName
    ? names
    : by === 'size'
      ? bySize(columns)
      : by === 'type'
        ? byType(indexes, columns)
        : isUnknown
          ? equal
          : columns.compareTimes
  const foldersFirst: Compare = (one, other) => Number(columns.isDir(other)) - Number(columns.isDir(one))
  const first = names === equal ? equal : foldersFirst
  // Entries of one type are from A to Z in both directions.
  const then = isByName ? equal : names
  indexes.sort(
    (one, other) =>
      first(one, other) || direction * compare(one, other) || then(one, other) || columns.compareNames(one, other),
  )
  return indexes
}

const equal: Compare = () => 0

function byName(indexes: ArrayLike<number> & Iterable<number>, { name }: ListingColumns): Compare {
  const keys: string[] = []
  for (const index of indexes) keys[index] = nameKey(name(index))
  const accents: string[] = []
  const accentsAt = (index: number) => (accents[index] ??= accentKey(name(index)))
  return (one, other) =>
    compareKeys(keys[one] ?? '', keys[other] ?? '') || compareKeys(accentsAt(one), accentsAt(other))
}

export function nameKey(name: string): string {
  return naturalKey(foldForSearch(name))
}

/** For names with the same key. */
export function accentKey(name: string): string {
  return naturalKey(foldName(name))
}

export function compareKeys(left: string, right: string): number {
  return left < right ? -1 : Number(left > right)
}

function bySize({ isDir, size }: ListingColumns): Compare {
  const sizeOf = (index: number) => (isDir(index) ? size(index) - FOLDER_SIZE : size(index))
  return (one, other) => sizeOf(one) - sizeOf(other)
}

/** By extension; folders and files without one come first. */
function byType(indexes: ArrayLike<number> & Iterable<number>, { name, isDir }: ListingColumns): Compare {
  const keys: string[] = []
  for (const index of indexes) {
    const dot = isDir(index) ? -1 : name(index).lastIndexOf('.')
    keys[index] = dot === -1 ? '' : foldForSearch(name(index).slice(dot))
  }
  return (one, other) => compareKeys(keys[one] ?? '', keys[other] ?? '')
}

/**
 * A sort key for a folded name: comparing keys as plain strings gives natural order. Names compare by their UTF-8 bytes,
 * and where both have digits by the number, of any length ("file2" before "file10"). A prefix comes before a longer name.
 * Leading zeros count only at the end of a name ("file02" before "file2"); names that differ in other zeros share a key.
 *
 * Comparing two names directly is slower, and the usual algorithm is not transitive ("2" before "2b", "2b" before "02bc",
 * "02bc" before "2"), so that the result would depend on the order on the disk.
 */
export function naturalKey(name: string): string {
  const key = DIGIT.test(name) ? name.replace(NUMBERS, numberKey) : name
  return HIGH_UNIT.test(key) ? key.replace(HIGH_UNITS, byCodePoint) : key
}

/** Orders by UTF-8 bytes, that is by code points: comparing UTF-16 units puts emojis before U+FB01. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let step = 0; step < length; step += 1) {
    const left = a.charCodeAt(step)
    const right = b.charCodeAt(step)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

const DIGIT = /\d/
const NUMBERS = /\d+/g
const HIGH_UNIT = /[\ud800-\uffff]/
const HIGH_UNITS = /[\ud800-\uffff]/g

/** "0", the number of significant digits, and the digits; at the end of a name also NUL and all digits. */
function numberKey(digits: string, start: number, name: string): string {
  const significant = digits.replace(/^0+(?=\d)/, '')
  const end = start + digits.length === name.length ? `\0${digits}` : ''
  return `0${String.fromCharCode(significant.length)}${significant}${end}`
}

function byCodePoint(unit: string): string {
  return String.fromCharCode(rank(unit.charCodeAt(0)))
}

/** Ranks surrogates after all other code units. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000
}
