import { foldForSearch, isAscii } from '../../../domain/text/fold.ts'
import { type BigIntStats, lstatSync, readdirSync } from 'node:fs'
import { pathOfDescriptor } from '../system/direct-calls.ts'
import { isOnLocalDisk } from '../system/gated-calls.ts'
import { type NameBytes, pathOf, readNames, textOf } from './sync-calls.ts'
import { isErrno } from '../../../platform/files/error-code.ts'

/**
 * Nanoseconds, longer than the step of the coarsest timestamps of local file systems: a second change of a folder within one step
 * does not alter its times.
 */
const TIMESTAMP_STEP = 2_000_000_000n

/** Estimated bytes for a folder's record and string headers. */
const OVERHEAD = 300
/** Milliseconds since its last use after which a folder may be evicted. Until then, new folders are not cached without room. */
const MIN_IDLE = 60_000

interface Known {
  readonly modified: bigint
  readonly changed: bigint
  readonly content: FolderContent
  readonly bytes: number
  used: number
}

interface NameIndexOptions {
  /** Approximate limit in bytes. */
  readonly max: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/**
 * Caches the names of folders that were searched before. A folder is identified by its inode and read again if its times have
 * changed, so results are always current without watching anything. Ignores scopes and rules: callers must have the folder
 * open, or have its stats through its parent, and must check each name themselves.
 */
export class NameIndex {
  readonly #max: number
  readonly #now: () => number
  readonly #known = new Map<bigint, Known>()
  #bytes = 0

  constructor({ max, now = Date.now }: NameIndexOptions) {
    this.#max = max
    this.#now = now
  }

  /** Approximate size. */
  get bytes(): number {
    return this.#bytes
  }

  /** Undefined if the folder must be read. */
  known(stats: BigIntStats): FolderContent | undefined {
    const key = keyOf(stats)
    const known = this.#known.get(key)
    if (known === undefined) return undefined
    this.#known.delete(key)
    if (known.modified !== stats.mtimeNs || known.changed !== stats.ctimeNs) {
      this.#bytes -= known.bytes
      return undefined
    }
    // Moves it to the end: the map is in the order of last use.
    this.#known.set(key, known)
    known.used = this.#now()
    return known.content
  }

  /** Reads and caches the names in an open folder. @throws system errors */
  read(folder: { readonly fd: number }, stats: BigIntStats): FolderContent {
    // The stats are older than the names, so the next search notices a change in between.
    const isSettled = BigInt(this.#now()) * 1_000_000n - stats.ctimeNs >= TIMESTAMP_STEP
    const content = readContent(folder)
    if (isSettled && isOnLocalDisk(pathOfDescriptor(folder.fd))) this.#keep(stats, content)
    return content
  }

  #keep(stats: BigIntStats, content: FolderContent): void {
    const now = this.#now()
    const bytes = sizeOf(content)
    for (const [key, oldest] of this.#known) {
      if (this.#bytes + bytes <= this.#max) break
      // Otherwise each search of a tree larger than the cache would evict the folders it needs next, and never hit.
      if (now - oldest.used < MIN_IDLE) return
      this.#known.delete(key)
      this.#bytes -= oldest.bytes
    }
    if (this.#bytes + bytes > this.#max) return
    this.#known.set(keyOf(stats), { modified: stats.mtimeNs, changed: stats.ctimeNs, content, bytes, used: now })
    this.#bytes += bytes
  }
}

function keyOf({ dev, ino }: BigIntStats): bigint {
  return (dev << 64n) | ino
}

function sizeOf({ names, folders, links, folded }: FolderContent): number {
  const foldedSize = folded === names ? 0 : isAscii(folded) ? folded.length : folded.length * 2
  return names.length + folders.length + links.length + foldedSize + OVERHEAD
}

/**
 * The names in a folder. Packed into strings, because an object for each name would need ten times the memory. Names are joined
 * by slashes, which no name contains.
 */
export interface FolderContent {
  /** All names, in the order of the disk. */
  readonly names: NameBytes
  /** Names of folders, in byte order. */
  readonly folders: NameBytes
  /** Names of links, in byte order. */
  readonly links: NameBytes
  /** All names, folded for searching. */
  readonly folded: string
}

function readContent(folder: { readonly fd: number }): FolderContent {
  const entries = readEntries(folder)
  const names = entries.map(({ name }) => name).join('/')
  const namesOf = (some: readonly EntryOnDisk[]) => some.map(({ name }) => name).sort()
  return {
    names,
    folders: namesOf(entries.filter((entry) => entry.isDirectory())).join('/'),
    links: namesOf(entries.filter((entry) => entry.isSymbolicLink())).join('/'),
    folded: foldForSearch(textOf(names)),
  }
}

/** True without subfolders and links: a search then needs only the names. */
export function isPlain({ folders, links }: FolderContent): boolean {
  return folders === '' && links === ''
}

/** Splits packed names. */
export function split(names: NameBytes): NameBytes[] {
  return names === '' ? [] : names.split('/')
}

interface EntryOnDisk {
  readonly name: NameBytes
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/** Names with their types from readdir(), without a system call for each entry. */
function readEntries(folder: { readonly fd: number }): EntryOnDisk[] {
  try {
    return readdirSync(`/proc/self/fd/${folder.fd}`, { encoding: 'latin1', withFileTypes: true })
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    // If the file system reports no types, Node calls lstat() for each entry, which fails for latin1 names that are not ASCII.
    return readNames(folder).flatMap((name) => {
      const stats = lstatSync(pathOf(folder, name), { throwIfNoEntry: false })
      if (stats === undefined) return []
      return [{ name, isDirectory: () => stats.isDirectory(), isSymbolicLink: () => stats.isSymbolicLink() }]
    })
  }
}
