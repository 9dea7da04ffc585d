import { fail } from '../../domain/errors.ts'
import { ARCHIVE_LIMITS, pathInArchive } from '../../domain/files/archives.ts'
import { writableTime } from '../../domain/files/file-time.ts'
import { nameOf, parentOf, ROOT, segmentsOf, type VirtualPath } from '../../domain/files/virtual-path.ts'
import type { ArchiveEntry } from '../../platform/archives/archive-entry.ts'
import { type ArchiveNode, NODE_BYTES, type PackedIndex } from './archive-index.ts'
import { packRows } from './index-rows.ts'

const MAX_LEFT_OUT = 100
/** Characters that are kept of the name of an entry that is left out. */
const MAX_SHOWN = 200
/** Memory for each entry, even one that is left out. */
const SEEN_BYTES = 100
/** Bytes of memory that are asked for at once. */
const STEP = 4 * 1024 * 1024

/** Makes the index of an archive from its entries. Takes a second for many entries, so it runs in a worker thread. */
export class IndexBuilder {
  readonly #folders = new Map<VirtualPath, Map<string, ArchiveNode>>([[ROOT, new Map()]])
  readonly #leftOut: string[] = []
  #bytes = 0
  #seen = 0
  #characters = 0
  #nodes = 0

  /**
   * @param packed bytes of the archive
   * @param moreRoom called before so many bytes of memory more are used
   * @throws TOO_LARGE for a bomb, as soon as it is known; INVALID_INPUT; what `moreRoom` throws
   */
  static async pack(
    entries: AsyncIterable<ArchiveEntry>,
    packed: number,
    moreRoom: (bytes: number) => Promise<void>,
  ): Promise<PackedIndex> {
    const builder = new IndexBuilder()
    let room = 0
    for await (const entry of entries) {
      for (; builder.#weight > room; room += STEP) await moreRoom(STEP)
      builder.#add(entry, packed)
    }
    return { rows: packRows(builder.#folders), leftOut: builder.#leftOut }
  }

  /** Bytes of memory, roughly; also for what is left out, since readers keep where it is. */
  get #weight(): number {
    return (this.#nodes + 1) * NODE_BYTES + this.#seen * SEEN_BYTES + this.#characters * 2
  }

  #add(entry: ArchiveEntry, packed: number): void {
    this.#seen += 1
    this.#bytes += entry.size
    this.#characters += entry.name.length
    const { entries, bytes, names, ratio, ratioFrom } = ARCHIVE_LIMITS
    if (this.#seen > entries) bomb(`has more than ${entries} entries`)
    if (this.#characters > names) bomb('has names of more than 16 MiB')
    if (this.#bytes > bytes) bomb('would unpack to more than 1 TiB')
    if (this.#bytes > ratioFrom && this.#bytes > packed * ratio) bomb(`unpacks to more than ${ratio} times its size`)
    const path = pathInArchive(entry.name)
    if (path === ROOT) return
    const isDir = entry.kind === 'folder'
    const modified = writableTime(entry.modified)
    const isAdded =
      path !== undefined &&
      entry.kind !== 'other' &&
      this.#put({ path, isDir, size: isDir ? 0 : entry.size, modified, entry })
    // Copied, since a slice of a string keeps the whole string in memory.
    if (!isAdded && this.#leftOut.length < MAX_LEFT_OUT)
      this.#leftOut.push(Buffer.from(entry.name.slice(0, MAX_SHOWN)).toString())
  }

  /** A later entry replaces an earlier one of the same kind. @returns false if a file is where a folder is, or the reverse */
  #put(node: ArchiveNode): boolean {
    if (segmentsOf(node.path).length > ARCHIVE_LIMITS.depth)
      bomb(`nests folders more than ${ARCHIVE_LIMITS.depth} deep`)
    const folder = this.#folderAt(parentOf(node.path), node.modified)
    const name = nameOf(node.path)
    const old = folder?.get(name)
    if (folder === undefined || (old !== undefined && old.isDir !== node.isDir)) return false
    if (old === undefined) this.#count()
    folder.set(name, node)
    if (node.isDir && old === undefined) this.#folders.set(node.path, new Map())
    return true
  }

  /** Adds the folder if it is missing: many archives have no entries for folders. Undefined if a file is in the way. */
  #folderAt(path: VirtualPath, modified: bigint): Map<string, ArchiveNode> | undefined {
    const found = this.#folders.get(path)
    if (found !== undefined) return found
    const isMade = this.#put({ path, isDir: true, size: 0, modified, entry: undefined })
    return isMade ? this.#folders.get(path) : undefined
  }

  #count(): void {
    this.#nodes += 1
    // Folders without an entry count too: a hundred thousand paths could contain millions of them.
    if (this.#nodes > ARCHIVE_LIMITS.entries) bomb(`has more than ${ARCHIVE_LIMITS.entries} entries`)
  }
}

function bomb(problem: string): never {
  return fail('TOO_LARGE', `this archive is not opened here, because it ${problem}`)
}
