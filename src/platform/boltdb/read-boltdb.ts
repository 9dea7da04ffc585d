import { type BoltMeta, readBoltMeta } from './meta-page.ts'
import { fail } from '../../domain/errors.ts'

/** A bucket with all that is in it, in the order of the keys. Values are parts of the file, not copies. */
export interface BoltBucket {
  readonly values: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[]
  readonly buckets: readonly { readonly key: Uint8Array; readonly bucket: BoltBucket }[]
}

/** Far more than any sound file needs, so that a forged one ends soon. */
const DEEPEST_TREE = 64
const DEEPEST_NESTING = 8
const MOST_ENTRIES = 1_000_000
const BUCKET_HEADER = 16
const FIRST_DATA_PAGE = 2

/**
 * Reads a BoltDB file (bbolt, format 2) as a whole; the list of free pages is not looked at. Whatever the bytes are, it
 * ends: no page is entered twice and no byte counted twice.
 *
 * @throws INVALID_INPUT saying what is wrong with the file
 */
export function readBolt(bytes: Uint8Array): BoltBucket {
  const meta = readBoltMeta(bytes)
  if (meta.highWater * meta.pageSize > bytes.length) damaged('the end of the file is missing')
  return new BoltReader(bytes, meta).bucketAt(meta.root, 0)
}

type Values = { key: Uint8Array; value: Uint8Array }[]
type Buckets = { key: Uint8Array; bucket: BoltBucket }[]

class BoltReader {
  readonly #bytes: Uint8Array
  readonly #meta: BoltMeta
  readonly #visited = new Set<number>()
  #entries = 0
  #content = 0

  constructor(bytes: Uint8Array, meta: BoltMeta) {
    this.#bytes = bytes
    this.#meta = meta
  }

  bucketAt(page: number, nesting: number): BoltBucket {
    return this.#collect(this.#pagesFrom(page, 0), nesting)
  }

  /** The leaves below a page, from left to right. */
  *#pagesFrom(id: number, depth: number): Generator<LeafPage> {
    if (depth > DEEPEST_TREE) damaged('its pages are nested too deeply')
    const page = this.#pageOf(id)
    if (page.kind === 'leaf') yield page
    else for (const child of page.children) yield* this.#pagesFrom(child, depth + 1)
  }

  #pageOf(id: number): BranchPage | LeafPage {
    const { pageSize, highWater } = this.#meta
    if (id < FIRST_DATA_PAGE || id >= highWater) damaged('a page lies outside of the file')
    const start = id * pageSize
    const header = readPageHeader(this.#bytes.subarray(start, start + pageSize))
    if (header.id !== id) damaged('a page is not where it says')
    if (id + header.overflow >= highWater) damaged('a page reaches beyond the file')
    for (let covered = id; covered <= id + header.overflow; covered++) {
      if (this.#visited.has(covered)) damaged('a page is used twice')
      this.#visited.add(covered)
    }
    return readPage(this.#bytes.subarray(start, start + (header.overflow + 1) * pageSize))
  }

  #collect(pages: Iterable<LeafPage>, nesting: number): BoltBucket {
    const values: Values = []
    const buckets: Buckets = []
    let before: Uint8Array | undefined
    for (const { items } of pages) {
      for (const { key, value, isBucket } of items) {
        if (before !== undefined && Buffer.compare(before, key) >= 0) damaged('its keys are out of order')
        before = key
        this.#count(key.length + (isBucket ? 0 : value.length))
        if (isBucket) buckets.push({ key, bucket: this.#nested(value, nesting + 1) })
        else values.push({ key, value })
      }
    }
    return { values, buckets }
  }

  /** A bucket has pages of its own, or a single one within its value when it is small. */
  #nested(value: Uint8Array, nesting: number): BoltBucket {
    if (nesting > DEEPEST_NESTING) damaged('its buckets are nested too deeply')
    if (value.length < BUCKET_HEADER) damaged('a bucket is cut off')
    const root = Number(new DataView(value.buffer, value.byteOffset, value.byteLength).getBigUint64(0, true))
    if (root !== 0) return this.bucketAt(root, nesting)
    const page = readPage(value.subarray(BUCKET_HEADER))
    if (page.kind !== 'leaf') damaged('a small bucket is of an unexpected kind')
    return this.#collect([page], nesting)
  }

  /** Entries of a forged file may all name the same bytes. */
  #count(size: number): void {
    this.#entries += 1
    this.#content += size
    if (this.#entries > MOST_ENTRIES || this.#content > this.#bytes.length) damaged('it claims more than it can hold')
  }
}

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
function readPageHeader(bytes: Uint8Array): PageHeader {
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
function readPage(bytes: Uint8Array): BranchPage | LeafPage {
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
function damaged(problem: string): never {
  return fail('INVALID_INPUT', `the database is damaged: ${problem}`)
}
