import { fail } from '../../domain/errors.ts'

const MAGIC = 0xed0cdaed
const VERSION = 2
/** Offset in the page, after its header. */
const META_AT = 16
const META_SIZE = 64
/** Bytes that the checksum covers. */
const CHECKED_SIZE = 56
const MIN_PAGE_SIZE = 512
const MAX_PAGE_SIZE = 65_536

export interface BoltMeta {
  /** Bytes. */
  readonly pageSize: number
  /** Page of the root bucket. */
  readonly root: number
  /** Pages from this one on are unused. */
  readonly highWater: number
  /** Grows by one with each change. */
  readonly transaction: bigint
}

/** True for bytes that begin like a BoltDB file, even a damaged one. */
export function looksLikeBolt(bytes: Uint8Array): boolean {
  return bytes.length >= META_AT + 4 && viewOf(bytes).getUint32(META_AT, true) === MAGIC
}

/**
 * The newer of the file's two meta pages. The other one describes the previous state, in case a write is torn.
 *
 * @throws INVALID_INPUT if neither is valid
 */
export function readBoltMeta(bytes: Uint8Array): BoltMeta {
  if (bytes.length === 0) fail('INVALID_INPUT', 'the file is empty')
  const first = metaAt(bytes, 0)
  // The first meta page contains the page size. Without it, try all sizes to find the second one.
  const sizes = first === undefined ? possibleSizes() : [first.pageSize]
  const second = sizes.map((size) => metaAt(bytes, size, size)).find((meta) => meta !== undefined)
  const newest = [first, second]
    .filter((meta) => meta !== undefined)
    .toSorted((a, b) => Number(b.transaction - a.transaction))[0]
  if (newest !== undefined) return newest
  if (!looksLikeBolt(bytes)) fail('INVALID_INPUT', 'this is not a BoltDB file')
  return fail('INVALID_INPUT', 'the database is damaged: neither of its meta pages is valid')
}

function possibleSizes(): number[] {
  return Array.from({ length: Math.log2(MAX_PAGE_SIZE / MIN_PAGE_SIZE) + 1 }, (_, power) => MIN_PAGE_SIZE * 2 ** power)
}

/** Undefined if there is no valid meta page. */
function metaAt(bytes: Uint8Array, offset: number, expectedSize?: number): BoltMeta | undefined {
  const start = offset + META_AT
  if (start + META_SIZE > bytes.length) return undefined
  const view = viewOf(bytes.subarray(start, start + META_SIZE))
  if (view.getUint32(0, true) !== MAGIC || view.getUint32(4, true) !== VERSION) return undefined
  if (view.getBigUint64(CHECKED_SIZE, true) !== fnv1a(bytes.subarray(start, start + CHECKED_SIZE))) return undefined
  const pageSize = view.getUint32(8, true)
  if (!possibleSizes().includes(pageSize) || (expectedSize ?? pageSize) !== pageSize) return undefined
  return {
    pageSize,
    root: Number(view.getBigUint64(16, true)),
    highWater: Number(view.getBigUint64(40, true)),
    transaction: view.getBigUint64(48, true),
  }
}

/** FNV-1a of 64 bits. */
export function fnv1a(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  return hash
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
