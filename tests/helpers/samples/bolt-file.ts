import { fnv1a } from '../../../src/import/boltdb/meta-page.ts'

/** A bucket to write. Keys are latin1, so that `idKey` fits. */
export interface BucketContent {
  readonly values?: Readonly<Record<string, string | Uint8Array>>
  readonly buckets?: Readonly<Record<string, BucketContent>>
}

export interface BoltFileOptions {
  readonly pageSize?: number
  /** Entries per leaf; above that, a bucket gets a branch page. */
  readonly perLeaf?: number
  readonly transaction?: bigint
}

interface Item {
  readonly key: Buffer
  readonly value: Buffer
  readonly isBucket: boolean
}

const HEADER = 16
const ELEMENT = 16

/** The key under which File Browser keeps a record. */
export function idKey(id: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(id))
  return bytes.toString('latin1')
}

/** A BoltDB file with these buckets: small ones inline, large ones on pages of their own. */
export function boltFile(root: BucketContent, options: BoltFileOptions = {}): Buffer {
  const { pageSize = 4096, perLeaf = 100, transaction = 2n } = options
  const pages: Buffer[] = []
  // The first pages are two meta pages and the list of free pages, which no reader uses.
  let next = 3

  const place = (flags: number, elements: Buffer): number => {
    const overflow = Math.max(1, Math.ceil((HEADER + elements.length) / pageSize)) - 1
    const id = next
    next += overflow + 1
    const page = Buffer.alloc((overflow + 1) * pageSize)
    writeHeader(page, id, flags, countIn(elements), overflow)
    elements.copy(page, HEADER)
    pages.push(page)
    return id
  }

  const treeOf = (items: readonly Item[]): number => {
    if (items.length <= perLeaf) return place(2, leafElements(items))
    const leaves: { key: Buffer; id: number }[] = []
    for (let start = 0; start < items.length; start += perLeaf) {
      const part = items.slice(start, start + perLeaf)
      leaves.push({ key: part[0]?.key ?? Buffer.alloc(0), id: place(2, leafElements(part)) })
    }
    return place(1, branchElements(leaves))
  }

  const itemsOf = ({ values = {}, buckets = {} }: BucketContent): Item[] =>
    [
      ...Object.entries(values).map(([key, value]) => ({
        key: Buffer.from(key, 'latin1'),
        value: Buffer.from(value),
        isBucket: false,
      })),
      ...Object.entries(buckets).map(([key, content]) => ({
        key: Buffer.from(key, 'latin1'),
        value: bucketValue(itemsOf(content)),
        isBucket: true,
      })),
    ].toSorted((a, b) => Buffer.compare(a.key, b.key))

  const bucketValue = (items: readonly Item[]): Buffer => {
    const elements = leafElements(items)
    const value = Buffer.alloc(16)
    const isSmall = elements.length < pageSize / 4 && !items.some(({ isBucket }) => isBucket)
    if (!isSmall) {
      value.writeBigUInt64LE(BigInt(treeOf(items)), 0)
      return value
    }
    const header = Buffer.alloc(HEADER)
    writeHeader(header, 0, 2, items.length, 0)
    return Buffer.concat([value, header, elements])
  }

  const top = treeOf(itemsOf(root))
  const first = Buffer.alloc(3 * pageSize)
  writeMeta(first, 0, { pageSize, top, next, transaction: transaction - 1n })
  writeMeta(first, 1, { pageSize, top, next, transaction })
  writeHeader(first.subarray(2 * pageSize), 2, 16, 0, 0)
  return Buffer.concat([first, ...pages])
}

/** The offset of the n-th page in `boltFile`, for tests that damage it. */
export const pageAt = (id: number, pageSize = 4096) => id * pageSize

/** Corrects the checksum of a changed meta page. */
export function sealMeta(file: Buffer, index: 0 | 1, pageSize = 4096): void {
  const start = index * pageSize + HEADER
  file.writeBigUInt64LE(fnv1a(file.subarray(start, start + 56)), start + 56)
}

interface Meta {
  readonly pageSize: number
  readonly top: number
  readonly next: number
  readonly transaction: bigint
}

function writeMeta(file: Buffer, index: 0 | 1, { pageSize, top, next, transaction }: Meta): void {
  const page = file.subarray(index * pageSize)
  writeHeader(page, index, 4, 0, 0)
  page.writeUInt32LE(0xed0cdaed, 16)
  page.writeUInt32LE(2, 20)
  page.writeUInt32LE(pageSize, 24)
  page.writeBigUInt64LE(BigInt(top), 32)
  page.writeBigUInt64LE(2n, 48)
  page.writeBigUInt64LE(BigInt(next), 56)
  page.writeBigUInt64LE(transaction, 64)
  sealMeta(file, index, pageSize)
}

function writeHeader(page: Buffer, id: number, flags: number, count: number, overflow: number): void {
  page.writeBigUInt64LE(BigInt(id), 0)
  page.writeUInt16LE(flags, 8)
  page.writeUInt16LE(count, 10)
  page.writeUInt32LE(overflow, 12)
}

const counts = new WeakMap<Buffer, number>()
const countIn = (elements: Buffer) => counts.get(elements) ?? 0

function leafElements(items: readonly Item[]): Buffer {
  const heads = Buffer.alloc(items.length * ELEMENT)
  let data = heads.length
  for (const [index, { key, value, isBucket }] of items.entries()) {
    const at = index * ELEMENT
    heads.writeUInt32LE(isBucket ? 1 : 0, at)
    heads.writeUInt32LE(data - at, at + 4)
    heads.writeUInt32LE(key.length, at + 8)
    heads.writeUInt32LE(value.length, at + 12)
    data += key.length + value.length
  }
  const elements = Buffer.concat([heads, ...items.flatMap(({ key, value }) => [key, value])])
  counts.set(elements, items.length)
  return elements
}

function branchElements(children: readonly { key: Buffer; id: number }[]): Buffer {
  const heads = Buffer.alloc(children.length * ELEMENT)
  let data = heads.length
  for (const [index, { key, id }] of children.entries()) {
    const at = index * ELEMENT
    heads.writeUInt32LE(data - at, at)
    heads.writeUInt32LE(key.length, at + 4)
    heads.writeBigUInt64LE(BigInt(id), at + 8)
    data += key.length
  }
  const elements = Buffer.concat([heads, ...children.map(({ key }) => key)])
  counts.set(elements, children.length)
  return elements
}
