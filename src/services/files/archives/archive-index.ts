import { fail } from '../../../domain/errors.ts'
import { timeOfParts } from '../../../domain/files/file-time.ts'
import { bytesOfText, textOfBytes } from '../../../domain/files/name-text.ts'
import { below, isInside, segmentsOf, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import type { LeftOutEntry } from '../../../domain/files/left-out.ts'
import type { Encoding } from '../../../domain/text/encodings.ts'
import type { EntryPlace } from '../../../platform/archives/read/archive-entry.ts'

/** A file or folder of an archive. */
export interface ArchiveNode {
  readonly path: VirtualPath
  readonly isDir: boolean
  /** Unpacked bytes; 0 for a folder. */
  readonly size: number
  /** Nanoseconds since 1970. */
  readonly modified: bigint
  /** Undefined for a folder without an entry of its own, which only appears in the paths of other entries. */
  readonly entry: EntryPlace | undefined
}

/** Memory of a node that `ArchiveIndex` has made, roughly. */
export const NODE_BYTES = 500

export const IS_FOLDER = 1
export const HAS_ENTRY = 2
export const IS_IN_ZIP = 4
export const IS_ENCRYPTED = 8
export const IS_EXECUTABLE = 16

/**
 * The nodes of an archive, one row each: 64 bytes and the name, while objects would take ten times as much. Row 0 is the top
 * folder; the nodes of a folder are in one run of rows, in the byte order of their names.
 */
export interface IndexRows {
  readonly flags: Uint8Array<ArrayBuffer>
  readonly methods: Uint16Array<ArrayBuffer>
  readonly sizes: Float64Array<ArrayBuffer>
  /** Seconds since 1970, and the nanoseconds after them. */
  readonly times: Float64Array<ArrayBuffer>
  readonly nanos: Uint32Array<ArrayBuffer>
  readonly offsets: Float64Array<ArrayBuffer>
  readonly packed: Float64Array<ArrayBuffer>
  readonly crcs: Uint32Array<ArrayBuffer>
  /** The first row of a folder's nodes, and how many it has. */
  readonly firsts: Uint32Array<ArrayBuffer>
  readonly counts: Uint32Array<ArrayBuffer>
  /** Where a name begins; it ends where the next one begins. */
  readonly nameStarts: Uint32Array<ArrayBuffer>
  readonly names: Uint8Array<ArrayBuffer>
}

type Column = IndexRows[keyof IndexRows]

export function columnsOf(rows: IndexRows): Column[] {
  return Object.values(rows) as Column[]
}

/** An index in a form that passes from one thread to another without a copy. */
export interface PackedIndex {
  readonly rows: IndexRows
  /** The first entries that cannot be shown nor extracted, or not under their own names. */
  readonly leftOut: readonly LeftOutEntry[]
  /** What names were taken for that do not say their encoding; undefined if there are none. */
  readonly encoding: Encoding | undefined
}

/** What is in an archive. Never has more than `ARCHIVE_LIMITS` allow. Made by an `IndexBuilder`. */
export class ArchiveIndex {
  readonly leftOut: readonly LeftOutEntry[]
  readonly encoding: Encoding | undefined
  /** Bytes of memory. */
  readonly weight: number
  readonly #rows: IndexRows
  readonly #names: Buffer

  constructor({ rows, leftOut, encoding }: PackedIndex) {
    this.#rows = rows
    this.leftOut = leftOut
    this.encoding = encoding
    this.#names = Buffer.from(rows.names.buffer)
    this.weight = columnsOf(rows).reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** How many nodes there are, with the top folder. */
  get size(): number {
    return this.#rows.flags.length
  }

  /** The rows of what is in a folder: far smaller than its nodes. Undefined if there is no such folder. */
  rowsIn(folder: VirtualPath): number[] | undefined {
    const row = this.#rowOf(folder)
    return row === undefined || !this.isFolderAt(row) ? undefined : [...this.#childRows(row)]
  }

  /** @param row one of `rowsIn` the folder */
  nodeIn(folder: VirtualPath, row: number): ArchiveNode {
    return this.#nodeAt(row, this.#pathOf(folder, row))
  }

  nameAt(row: number): string {
    return textOfBytes(this.#rawNameOf(row))
  }

  isFolderAt(row: number): boolean {
    return ((this.#rows.flags[row] ?? 0) & IS_FOLDER) !== 0
  }

  /** As the `size` of its node. */
  sizeAt(row: number): number {
    return this.isFolderAt(row) ? 0 : (this.#rows.sizes[row] ?? 0)
  }

  /** Below zero if the first one was modified earlier. */
  compareTimes(row: number, other: number): number {
    const { times, nanos } = this.#rows
    return (times[row] ?? 0) - (times[other] ?? 0) || (nanos[row] ?? 0) - (nanos[other] ?? 0)
  }

  find(path: VirtualPath): ArchiveNode | undefined {
    const row = this.#rowOf(path)
    return row === undefined ? undefined : this.#nodeAt(row, path)
  }

  /** A node and everything in it, folders before their content. */
  *within(top: ArchiveNode): Generator<ArchiveNode, void, void> {
    const row = this.#rowOf(top.path)
    if (row === undefined) return
    const stack = [{ row, path: top.path }]
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { row: folder, path } = next
      yield this.#nodeAt(folder, path)
      for (const child of this.#childRows(folder)) stack.push({ row: child, path: this.#pathOf(path, child) })
    }
  }

  #rowOf(path: VirtualPath): number | undefined {
    let row: number | undefined = 0
    for (const segment of segmentsOf(path)) {
      row = this.#childOf(row, bytesOfText(segment))
      if (row === undefined) return undefined
    }
    return row
  }

  #childOf(folder: number, name: Uint8Array): number | undefined {
    const first = this.#rows.firsts[folder] ?? 0
    let [low, high] = [first, first + (this.#rows.counts[folder] ?? 0)]
    while (low < high) {
      const middle = (low + high) >>> 1
      const order = Buffer.compare(this.#rawNameOf(middle), name)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle
    }
    return undefined
  }

  *#childRows(folder: number): Generator<number, void, void> {
    const first = this.#rows.firsts[folder] ?? 0
    const end = first + (this.#rows.counts[folder] ?? 0)
    for (let row = first; row < end; row += 1) yield row
  }

  #rawNameOf(row: number): Buffer {
    const { nameStarts } = this.#rows
    return this.#names.subarray(nameStarts[row], nameStarts[row + 1])
  }

  /** The builder has checked each name. */
  #pathOf(folder: VirtualPath, row: number): VirtualPath {
    return below(folder, `/${this.nameAt(row)}` as VirtualPath)
  }

  #timeAt(row: number): bigint {
    return timeOfParts(this.#rows.times[row] ?? 0, this.#rows.nanos[row] ?? 0)
  }

  #nodeAt(row: number, path: VirtualPath): ArchiveNode {
    const [isDir, size, modified] = [this.isFolderAt(row), this.sizeAt(row), this.#timeAt(row)]
    return { path, isDir, size, modified, entry: this.#entryAt(row) }
  }

  #entryAt(row: number): EntryPlace | undefined {
    const { flags, sizes, offsets, packed, crcs, methods } = this.#rows
    const [flag = 0, size = 0, at = 0] = [flags[row], sizes[row], offsets[row]]
    if ((flag & HAS_ENTRY) === 0) return undefined
    const place = { size, at, ...((flag & IS_EXECUTABLE) !== 0 && { isExecutable: true as const }) }
    if ((flag & IS_IN_ZIP) === 0) return place
    const isEncrypted = (flag & IS_ENCRYPTED) !== 0
    return { ...place, zip: { method: methods[row] ?? 0, isEncrypted, packed: packed[row] ?? 0, crc: crcs[row] ?? 0 } }
  }
}

/** @throws INVALID_INPUT if one of the paths lies in another */
export function requireApart(paths: readonly VirtualPath[]): void {
  if (paths.some((path, index) => paths.some((other, otherIndex) => otherIndex !== index && isInside(other, path))))
    fail('INVALID_INPUT', 'one of the items lies in another')
}
