import { fail } from '../../domain/errors.ts'

const HEADER = 16
const ELEMENT = 16
const BRANCH = 1
const LEAF = 2
const IS_BUCKET = 1

/** A page that points to others. */
export interface BranchPage {
  readonly kind: 'branch'
  readonly children: readonly number[]
}

export interface LeafItem {
  readonly key: Uint8Array
  readonly value: Uint8Array
  /** The value describes a bucket within the bucket. */
  readonly isBucket: boolean
}

export interface LeafPage {
  readonly kind: 'leaf'
  readonly items: readonly LeafItem[]
}

export interface PageHeader {
  readonly id: number
  /** Further pages that belong to this one. */
  readonly overflow: number
}

/** The first bytes of a page. @throws INVALID_INPUT when it is cut off */
export function readPageHeader(bytes: Uint8Array): PageHeader {
  if (bytes.length < HEADER) damaged('a page is cut off')
  const view = viewOf(bytes)
  return { id: Number(view.getBigUint64(0, true)), overflow: view.getUint32(12, true) }
}

/**
 * Reads a page, or the page within the value of a small bucket. Nothing is copied.
 *
 * @param bytes the page with all that belongs to it
 * @throws INVALID_INPUT when anything in it points outside of it
 */
export function readPage(bytes: Uint8Array): BranchPage | LeafPage {
  readPageHeader(bytes)
  const view = viewOf(bytes)
  const flags = view.getUint16(8, true)
  const count = view.getUint16(10, true)
  if (flags !== BRANCH && flags !== LEAF) damaged('a page is of an unexpected kind')
  if (HEADER + count * ELEMENT > bytes.length) damaged('a page claims more entries than it has room for')
  const places = Array.from({ length: count }, (_, index) => HEADER + index * ELEMENT)
  if (flags === BRANCH) {
    return { kind: 'branch', children: places.map((place) => Number(view.getBigUint64(place + 8, true))) }
  }
  return { kind: 'leaf', items: places.map((place) => readItem(bytes, view, place)) }
}

function readItem(bytes: Uint8Array, view: DataView, place: number): LeafItem {
  const start = place + view.getUint32(place + 4, true)
  const middle = start + view.getUint32(place + 8, true)
  const end = middle + view.getUint32(place + 12, true)
  if (end > bytes.length) damaged('an entry reaches beyond its page')
  return {
    key: bytes.subarray(start, middle),
    value: bytes.subarray(middle, end),
    isBucket: (view.getUint32(place, true) & IS_BUCKET) !== 0,
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** @throws INVALID_INPUT */
export function damaged(problem: string): never {
  return fail('INVALID_INPUT', `the database is damaged: ${problem}`)
}
