import { type BigIntStats, lstatSync, readdirSync } from 'node:fs'
import { pathOfDescriptor } from '../system/direct-calls.ts'
import { isOnLocalDisk } from '../system/gated-calls.ts'
import { errnoCode } from '../system/os-error.ts'
import { type NameBytes, pathOf, readNames, textOf } from './sync-calls.ts'

/**
 * Nanoseconds. Times are written in steps: what changes in the step in which it is read could change once more and look the
 * same. The longest steps of local file systems are seconds.
 */
const STEP = 2_000_000_000n

/** What the packed names and the record around them take, about. */
const OVERHEAD = 300
/** Milliseconds since the last use after which a folder makes room for another one; before, the newcomer is not kept. */
const UNUSED = 60_000

interface Known {
  readonly modified: bigint
  readonly changed: bigint
  readonly content: FolderContent
  readonly bytes: number
  used: number
}

interface NameIndexOptions {
  /** Bytes that it may take, about. */
  readonly most: number
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/**
 * The names in folders that were searched before. A folder is known by its inode, and is read again when its times are not
 * what they were, so nothing has to be watched and what is found is always what is there. It knows nothing of scopes and
 * rules: callers must hold the folder, or have its status from its parent, and check each name themselves.
 */
export class NameIndex {
  readonly #most: number
  readonly #now: () => number
  readonly #known = new Map<bigint, Known>()
  #bytes = 0

  constructor({ most, now = Date.now }: NameIndexOptions) {
    this.#most = most
    this.#now = now
  }

  /** About. */
  get bytes(): number {
    return this.#bytes
  }

  /** Undefined for a folder that must be read. */
  known(stats: BigIntStats): FolderContent | undefined {
    const key = keyOf(stats)
    const known = this.#known.get(key)
    if (known === undefined) return undefined
    this.#known.delete(key)
    if (known.modified !== stats.mtimeNs || known.changed !== stats.ctimeNs) {
      this.#bytes -= known.bytes
      return undefined
    }
    // To the end, so that the beginning is what was not used for longest.
    this.#known.set(key, known)
    known.used = this.#now()
    return known.content
  }

  /** Reads what a held folder holds, and remembers it. @throws what the system says of a folder that cannot be read */
  read(folder: { readonly fd: number }, stats: BigIntStats): FolderContent {
    // The status is of before: what changes until the names are read is seen the next time.
    const isSettled = BigInt(this.#now()) * 1_000_000n - stats.ctimeNs >= STEP
    const content = readContent(folder)
    if (isSettled && isOnLocalDisk(pathOfDescriptor(folder.fd).toString('latin1'))) this.#keep(stats, content)
    return content
  }

  #keep(stats: BigIntStats, content: FolderContent): void {
    const now = this.#now()
    const bytes = sizeOf(content)
    for (const [key, oldest] of this.#known) {
      if (this.#bytes + bytes <= this.#most) break
      // A tree that is too large would push itself out in turns, and nothing would be known when it is asked for.
      if (now - oldest.used < UNUSED) return
      this.#known.delete(key)
      this.#bytes -= oldest.bytes
    }
    if (this.#bytes + bytes > this.#most) return
    this.#known.set(keyOf(stats), { modified: stats.mtimeNs, changed: stats.ctimeNs, content, bytes, used: now })
    this.#bytes += bytes
  }
}

function keyOf({ dev, ino }: BigIntStats): bigint {
  return (dev << 64n) | ino
}

function sizeOf({ names, folders, links, lower }: FolderContent): number {
  const lowerSize = lower === names ? 0 : lower.length === names.length ? lower.length : lower.length * 2
  return names.length + folders.length + links.length + lowerSize + OVERHEAD
}

/**
 * What a folder holds, by names alone. Packed: an object for each name would take ten times the memory of the name.
 * Names are joined by slashes, the one character that none contains.
 */
export interface FolderContent {
  /** All, in the order of the disk. */
  readonly names: NameBytes
  /** Those of folders, in byte order. */
  readonly folders: NameBytes
  /** Those of links. */
  readonly links: NameBytes
  /** The names as they are compared: as text, in lower case. The same string where that changes nothing. */
  readonly lower: string
}

/** What a search must know of a folder, in as few texts as possible: many of them are kept. */
function readContent(folder: { readonly fd: number }): FolderContent {
  const entries = readEntries(folder)
  const names = entries.map(({ name }) => name).join('/')
  const namesOf = (some: readonly EntryOnDisk[]) => some.map(({ name }) => name).sort()
  return {
    names,
    folders: namesOf(entries.filter((entry) => entry.isDirectory())).join('/'),
    links: namesOf(entries.filter((entry) => entry.isSymbolicLink())).join('/'),
    lower: textOf(names).toLowerCase(),
  }
}

/** Neither folders to go into nor links to look at: all that is to be known of it is known. */
export function isPlain({ folders, links }: FolderContent): boolean {
  return folders === '' && links === ''
}

/** The names that one text of a folder holds, in the same order. */
export function split(names: NameBytes): NameBytes[] {
  return names === '' ? [] : names.split('/')
}

interface EntryOnDisk {
  readonly name: NameBytes
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/** Names with what they are, as the folder itself tells it: no other look at each entry. */
function readEntries(folder: { readonly fd: number }): EntryOnDisk[] {
  try {
    return readdirSync(`/proc/self/fd/${folder.fd}`, { encoding: 'latin1', withFileTypes: true })
  } catch (error) {
    if (errnoCode(error) !== 'ENOENT') throw error
    // Some file systems do not tell it. Node looks at each entry then, and finds none whose name is not ASCII.
    return readNames(folder).flatMap((name) => {
      const stats = lstatSync(pathOf(folder, name), { throwIfNoEntry: false })
      if (stats === undefined) return []
      return [{ name, isDirectory: () => stats.isDirectory(), isSymbolicLink: () => stats.isSymbolicLink() }]
    })
  }
}
