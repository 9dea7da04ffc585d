import { fail } from '../../../domain/errors.ts'
import { ARCHIVE_LIMITS, pathInArchive } from '../../../domain/files/archives/archives.ts'
import { writableTime } from '../../../domain/files/file-time.ts'
import {
  below,
  nameOf,
  numberedName,
  parentOf,
  ROOT,
  segmentsOf,
  type VirtualPath,
} from '../../../domain/files/virtual-path.ts'
import { LeftOutList } from '../../../domain/files/left-out.ts'
import type { Encoding } from '../../../domain/text/encodings.ts'
import { type ArchiveEntry, identityOf } from '../../../platform/archives/read/archive-entry.ts'
import { type ArchiveNode, NODE_BYTES, type PackedIndex } from './archive-index.ts'
import { packRows } from './index-rows.ts'

/** Memory for each entry, even one that is left out. */
const SEEN_BYTES = 100
/** Bytes of memory that are asked for at once. */
const STEP = 4 * 1024 * 1024

interface IndexedFile {
  /** Bytes of the archive. */
  readonly size: number
  /** Everything in it must be decompressed to find its entries. */
  readonly isSlow: boolean
}

/** Makes the index of an archive from its entries. Takes a second for many entries, so it runs in a worker thread. */
export class IndexBuilder {
  readonly #folders = new Map<VirtualPath, Map<string, ArchiveNode>>([[ROOT, new Map()]])
  readonly #leftOut = new LeftOutList()
  /** What the archive calls those files whose paths here are not their names, and where they are. */
  readonly #names = new Map<VirtualPath, string>()
  readonly #paths = new Map<string, VirtualPath>()
  /** The last number of each name that several entries wanted. */
  readonly #numbers = new Map<VirtualPath, number>()
  readonly #packed: number
  readonly #isSlow: boolean
  #bytes = 0
  #seen = 0
  #characters = 0
  #remembered = 0
  #encoding: Encoding | undefined
  #nodes = 0

  private constructor({ size, isSlow }: IndexedFile) {
    this.#packed = size
    this.#isSlow = isSlow
  }

  /**
   * @param moreRoom called before so many bytes of memory more are used
   * @throws TOO_LARGE for a bomb, as soon as it is known; INVALID_INPUT; what `moreRoom` throws
   */
  static async pack(
    entries: AsyncIterable<ArchiveEntry>,
    file: IndexedFile,
    moreRoom: (bytes: number) => Promise<void>,
  ): Promise<PackedIndex> {
    const builder = new IndexBuilder(file)
    let room = 0
    for await (const entry of entries) {
      for (; builder.#weight > room; room += STEP) await moreRoom(STEP)
      builder.#add(entry)
    }
    return { rows: packRows(builder.#folders), leftOut: builder.#leftOut.entries, encoding: builder.#encoding }
  }

  /** Bytes of memory, roughly; also for what is left out, since readers keep where it is. */
  get #weight(): number {
    return (this.#nodes + 1) * NODE_BYTES + this.#seen * SEEN_BYTES + (this.#characters + this.#remembered) * 2
  }

  #add(entry: ArchiveEntry): void {
    const { name } = entry
    this.#encoding ??= entry.encoding
    this.#seen += 1
    this.#characters += name.length + (entry.rawName ?? entry.target ?? '').length
    this.#countBytes(entry.size)
    const { entries, names } = ARCHIVE_LIMITS
    if (this.#seen > entries) refuse('archiveEntries', `has more than ${entries} entries`)
    if (this.#characters > names) bomb('has names of more than 16 MiB')
    const place = pathInArchive(name)
    if ('reason' in place) return this.#leftOut.add(name, place.reason)
    const { path } = place
    if (path === ROOT) return
    const modified = writableTime(entry.modified)
    switch (entry.kind) {
      case 'folder':
        return this.#addFolder(entry, { path, isDir: true, size: 0, modified, entry })
      case 'file':
        return this.#addFile(entry, { path, isDir: false, size: entry.size, modified, entry })
      case 'hardLink':
        return this.#addHardLink(entry, path, modified)
      default:
        return this.#leftOut.add(name, entry.kind)
    }
  }

  #countBytes(size: number): void {
    this.#bytes += size
    const { bytes, slowRatio, slowFrom } = ARCHIVE_LIMITS
    if (this.#bytes > bytes) bomb('would unpack to more than 1 TiB')
    if (this.#isSlow && this.#bytes > slowFrom && this.#bytes > this.#packed * slowRatio)
      bomb(`unpacks to more than 64 GiB and ${slowRatio} times its size, so that reading it would take too long`)
  }

  #addFolder(entry: ArchiveEntry, node: ArchiveNode): void {
    const { path } = node
    const isNew = !this.#folders.has(path)
    if (!this.#put(node)) this.#leftOut.add(entry.name, 'taken')
    else if (isNew && plainName(entry.name) !== path.slice(1)) this.#leftOut.add(entry.name, 'renamed', path.slice(1))
  }

  /** Has the content of the entry that it names, which must come before it. */
  #addHardLink(link: ArchiveEntry, path: VirtualPath, modified: bigint): void {
    const target = this.#find(plainName(link.target ?? ''))
    if (target?.entry === undefined || target.isDir) return this.#leftOut.add(link.name, 'link')
    this.#countBytes(target.size)
    this.#addFile(link, { path, isDir: false, size: target.size, modified, entry: target.entry })
  }

  /** By what the archive calls it. */
  #find(name: string): ArchiveNode | undefined {
    const path = this.#paths.get(name) ?? (`/${name}` as VirtualPath)
    const isOther = (this.#names.get(path) ?? name) !== name
    return isOther ? undefined : this.#folders.get(parentOf(path))?.get(nameOf(path))
  }

  /**
   * A later entry of the same name is a newer version, as `tar --append` writes it, and replaces the earlier one. Different names
   * that are the same one here are numbered.
   */
  #addFile(entry: ArchiveEntry, node: ArchiveNode): void {
    const { path } = node
    const name = plainName(identityOf(entry))
    const old = this.#folders.get(parentOf(path))?.get(nameOf(path))
    const isTaken = old?.isDir === false && (this.#names.get(path) ?? path.slice(1)) !== name
    const to = isTaken ? (this.#paths.get(name) ?? this.#freePath(path)) : path
    const isOlder = isTaken ? this.#paths.has(name) : old?.isDir === false
    if (!this.#put({ ...node, path: to })) return this.#leftOut.add(entry.name, 'taken')
    if (name !== to.slice(1)) this.#remember(name, to)
    if (isOlder) this.#leftOut.add(entry.name, 'older')
    else if (plainName(entry.name) !== to.slice(1)) this.#leftOut.add(entry.name, 'renamed', to.slice(1))
  }

  #remember(name: string, path: VirtualPath): void {
    if (this.#names.has(path)) return
    this.#remembered += name.length + path.length
    this.#names.set(path, name)
    this.#paths.set(name, path)
  }

  #freePath(path: VirtualPath): VirtualPath {
    const folder = parentOf(path)
    const taken = this.#folders.get(folder)
    let number = this.#numbers.get(path) ?? 0
    let name: string
    do name = numberedName(nameOf(path), (number += 1))
    while (taken?.has(name) === true)
    this.#numbers.set(path, number)
    return below(folder, `/${name}` as VirtualPath)
  }

  /** @returns false if a file is where a folder is, or the reverse */
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
    if (this.#nodes > ARCHIVE_LIMITS.entries)
      refuse('archiveEntries', `has more than ${ARCHIVE_LIMITS.entries} entries`)
  }
}

/** Equal for versions of one file, such as "./a" and "a"; "/a" is another one. */
function plainName(name: string): string {
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.')
  return (name.startsWith('/') ? '/' : '') + segments.join('/')
}

function bomb(problem: string): never {
  return refuse('archiveBomb', problem)
}

function refuse(reason: string, problem: string): never {
  return fail('TOO_LARGE', `this archive is not opened here, because it ${problem}`, { reason })
}
