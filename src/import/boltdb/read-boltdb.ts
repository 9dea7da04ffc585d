import { type BoltMeta, readBoltMeta } from './meta-page.ts'
import { fail } from '../../domain/errors.ts'

/** A bucket with everything in it, in the order of the keys. Values are views of the file, not copies. */
export interface BoltBucket {
  readonly values: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[]
  readonly buckets: readonly { readonly key: Uint8Array; readonly bucket: BoltBucket }[]
}

/** Far more than a valid file needs. They bound the work for a forged one. */
const MAX_TREE_DEPTH = 64
const MAX_NESTING = 8
const MAX_ENTRIES = 1_000_000
const BUCKET_HEADER = 16
const FIRST_DATA_PAGE = 2

/**
 * Reads a whole BoltDB file (bbolt, format 2), ignoring its list of free pages. Terminates for any input: no page is entered
 * twice, and entries may not claim more bytes than the file has.
 *
 * @throws INVALID_INPUT describing the damage
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
    if (depth > MAX_TREE_DEPTH) damaged('its pages are nested too deeply')
    const page = this.#pageOf(id)
    if (page.kind === 'leaf') yield page
    else for (const child of page.children) yield* this.#pagesFrom(child, depth + 1)
  }

  #pageOf(id: number): BranchPage | LeafPage {
    const { pageSize, highWater } = this.#meta
    if (id < FIRST_DATA_PAGE || id >= highWater) damaged('a page is outside the file')
    const start = id * pageSize
    const header = readPageHeader(this.#bytes.subarray(start, start + pageSize))
    if (header.id !== id) damaged('a page has the wrong number')
    if (id + header.overflow >= highWater) damaged('a page extends beyond the file')
    for (let covered = id; covered <= id + header.overflow; covered++) {
      if (this.#visited.has(covered)) damaged('a page is used twice')
      this.#visited.add(covered)
    }
    return readPage(this.#bytes.subarray(start, start + (header.overflow + 1) * pageSize))
  }

  #collect(pages: Iterable<LeafPage>, nesting: number): BoltBucket {
    const values: Values = []
    const buckets: Buckets = []
    let previous: Uint8Array | undefined
    for (const { items } of pages) {
      for (const { key, value, isBucket } of items) {
        if (previous !== undefined && Buffer.compare(previous, key) >= 0) damaged('its keys are out of order')
        previous = key
        this.#count(key.length + (isBucket ? 0 : value.length))
        if (isBucket) buckets.push({ key, bucket: this.#nested(value, nesting + 1) })
        else values.push({ key, value })
      }
    }
    return { values, buckets }
  }

  /** A bucket has its own pages; a small one is a single page inside its value. */
  #nested(value: Uint8Array, nesting: number): BoltBucket {
    if (nesting > MAX_NESTING) damaged('its buckets are nested too deeply')
    if (value.length < BUCKET_HEADER) damaged('a bucket is cut off')
    const root = Number(new DataView(value.buffer, value.byteOffset, value.byteLength).getBigUint64(0, true))
    if (root !== 0) return this.bucketAt(root, nesting)
    const page = readPage(value.subarray(BUCKET_HEADER))
    if (page.kind !== 'leaf') damaged('a small bucket has an unexpected type')
    return this.#collect([page], nesting)
  }

  /** All entries of a forged file may point to the same bytes, which would fill the memory. */
  #count(size: number): void {
    this.#entries += 1
    this.#content += size
    if (this.#entries > MAX_ENTRIES || this.#content > this.#bytes.length) damaged('its entries overlap')
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
  /** The value describes a nested bucket. */
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

/** @throws INVALID_INPUT if the page is cut off */
function readPageHeader(bytes: Uint8Array): PageHeader {
  if (bytes.length < HEADER) damaged('a page is cut off')
  const view = viewOf(bytes)
  return { id: Number(view.getBigUint64(0, true)), overflow: view.getUint32(12, true) }
}

/**
 * Reads a page, or the page inside the value of a small bucket, without copying.
 *
 * @param bytes the page with its overflow pages
 * @throws INVALID_INPUT if an entry points outside the page
 */
function readPage(bytes: Uint8Array): BranchPage | LeafPage {
  readPageHeader(bytes)
  const view = viewOf(bytes)
  const flags = view.getUint16(8, true)
  const count = view.getUint16(10, true)
  if (flags !== BRANCH && flags !== LEAF) damaged('a page has an unexpected type')
  if (HEADER + count * ELEMENT > bytes.length) damaged('a page claims more entries than fit in it')
  const offsets = Array.from({ length: count }, (_, index) => HEADER + index * ELEMENT)
  if (flags === BRANCH) {
    return { kind: 'branch', children: offsets.map((offset) => Number(view.getBigUint64(offset + 8, true))) }
  }
  return { kind: 'leaf', items: offsets.map((offset) => readItem(bytes, view, offset)) }
}

function readItem(bytes: Uint8Array, view: DataView, offset: number): LeafItem {
  const start = offset + view.getUint32(offset + 4, true)
  const middle = start + view.getUint32(offset + 8, true)
  const end = middle + view.getUint32(offset + 12, true)
  if (end > bytes.length) damaged('an entry extends beyond its page')
  return {
    key: bytes.subarray(start, middle),
    value: bytes.subarray(middle, end),
    isBucket: (view.getUint32(offset, true) & IS_BUCKET) !== 0,
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** @throws INVALID_INPUT */
function damaged(problem: string): never {
  return fail('INVALID_INPUT', `the database is damaged: ${problem}`)
}
