import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { partsOfTime, timeOfParts } from '../../../domain/files/file-time.ts'
import type { LeftOutEntry } from '../../../domain/files/left-out.ts'
import type { ArchiveWriter, EntryFacts, Member, Note, Source, Steps } from './members.ts'
import { centralHeader, descriptor, endOfZip, localHeader, type ZipDirectory, type ZipEntry } from './zip-records.ts'

/** Bytes up to which a file is read before its header is written, which then has its CRC: unpacking a stream needs that. */
export const READ_FIRST = 128 * 1024

/** The entries and the size of a zip, computed before its first byte is written. Plain data for other threads. */
export interface ZipPlan {
  /** `FIELDS` numbers for each entry in order, in shared memory. */
  readonly entries: Float64Array
  /** Changes with everything that determines the bytes: names, sizes, modes, times and inodes, and their order. */
  readonly fingerprint: string
  readonly directory: ZipDirectory
  /** Bytes of the whole zip. */
  readonly size: number
  readonly note: Note | undefined
  readonly leftOut: readonly LeftOutEntry[]
}

/** Inode, size, seconds and nanoseconds of the modification time, time of the last change, CRC of the name. */
const FIELDS = 6
/** Stored instead of a size. */
const FOLDER = -1

/** State of an entry when the zip was planned. */
export interface PlannedEntry {
  readonly inode: number
  readonly isFolder: boolean
  readonly size: number
  readonly modified: bigint
  readonly changed: number
  readonly name: number
}

export function plannedEntry({ entries }: ZipPlan, index: number): PlannedEntry | undefined {
  const [inode, size, seconds, nanos, changed, name] = entries.subarray(index * FIELDS, (index + 1) * FIELDS)
  if (inode === undefined || size === undefined || seconds === undefined) return undefined
  if (nanos === undefined || changed === undefined || name === undefined) return undefined
  const modified = timeOfParts(seconds, nanos)
  return { inode, isFolder: size === FOLDER, size: Math.max(size, 0), modified, changed, name }
}

/** Whether this is the planned entry; its content may have changed since. */
export function isPlanned(planned: PlannedEntry, { name }: Member, { inode }: EntryFacts, isFolder: boolean): boolean {
  return planned.inode === inode && planned.name === crc32(name) && planned.isFolder === isFolder
}

/** Whether the content has not changed since the plan. */
export function isUnchanged(planned: PlannedEntry, { size, modified, changed }: EntryFacts): boolean {
  return planned.size === size && planned.modified === modified && planned.changed === changed
}

/** The fields of an entry, without its CRC. @param size undefined for a folder */
export function zipEntry(member: Member, size: number | undefined, offset: number): ZipEntry {
  const isFolder = size === undefined
  return { ...member, isFolder, hasDescriptor: !isFolder && size > READ_FIRST, crc: 0, size: size ?? 0, offset }
}

/** Stands in for the writer in a walk, but only counts bytes. */
export class ZipPlanner implements ArchiveWriter {
  readonly names = 'zip'
  readonly isDone = false
  readonly #hash = createHash('sha256')
  #entries = new Float64Array(1024 * FIELDS)
  #count = 0
  #at = 0
  #directoryLength = 0

  folder(member: Member, stats: EntryFacts): void {
    this.#add(zipEntry(member, undefined, this.#at), stats)
  }

  // eslint-disable-next-line require-yield -- it reads nothing, so it takes no time
  *file(member: Member, { stats }: Source): Steps<number> {
    this.#add(zipEntry(member, stats.size, this.#at), stats)
    return stats.size
  }

  plan(note: Note | undefined, leftOut: readonly LeftOutEntry[]): ZipPlan {
    const directory = { count: this.#count, offset: this.#at, length: this.#directoryLength }
    const size = directory.offset + directory.length + endOfZip(directory).length
    if (note) this.#hash.update(note.text)
    const taken = this.#entries.subarray(0, this.#count * FIELDS)
    const fingerprint = this.#hash.update(taken).digest('base64url')
    const entries = new Float64Array(new SharedArrayBuffer(taken.byteLength))
    entries.set(taken)
    return { entries, fingerprint, directory, size, note, leftOut }
  }

  #add(entry: ZipEntry, { inode, modified, changed }: EntryFacts): void {
    const local = localHeader(entry)
    const central = centralHeader(entry)
    this.#hash.update(local).update(central)
    this.#at += local.length + entry.size + (entry.hasDescriptor ? descriptor(entry).length : 0)
    this.#directoryLength += central.length
    const start = this.#count * FIELDS
    if (start === this.#entries.length) this.#grow()
    const { seconds, nanos } = partsOfTime(modified)
    const size = entry.isFolder ? FOLDER : entry.size
    this.#entries.set([inode, size, seconds, nanos, changed, crc32(entry.name)], start)
    this.#count += 1
  }

  #grow(): void {
    const grown = new Float64Array(2 * this.#entries.length)
    grown.set(this.#entries)
    this.#entries = grown
  }
}
