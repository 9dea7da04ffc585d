import { crc32 } from 'node:zlib'
import { FilemgrError } from '../../../domain/errors.ts'
import type { Span } from '../../../domain/files/archives/archive-format.ts'
import type { ArchiveWriter, EntryFacts, Member, Source, Steps } from './members.ts'
import type { PartBuffer } from './part-buffer.ts'
import {
  isPlanned,
  isUnchanged,
  plannedEntry,
  type PlannedEntry,
  READ_FIRST,
  zipEntry,
  type ZipPlan,
} from './zip-plan.ts'
import { centralHeader, descriptor, endOfZip, localHeader, type ZipEntry } from './zip-records.ts'

const PAGE = 64 * 1024

/**
 * Writes a planned zip or a span of it. Because the size has been announced, it skips entries that were added since the plan,
 * cuts files that grew, and fails if an entry was removed, replaced or shortened. A span continues an earlier download, so for
 * a span every entry must be unchanged.
 */
export class ZipWriter implements ArchiveWriter {
  readonly names = 'zip'
  readonly #parts: PartBuffer
  readonly #plan: ZipPlan
  readonly #span: Span
  readonly #isWhole: boolean
  /** True if the span includes the directory, which has the CRC of every file. */
  readonly #hasDirectory: boolean
  readonly #scratch = Buffer.allocUnsafeSlow(READ_FIRST)
  readonly #directory: Buffer[] = []
  #page: Buffer[] = []
  #pageLength = 0
  #index = 0
  /** Offset in the whole zip. */
  #at = 0

  constructor(parts: PartBuffer, plan: ZipPlan, span: Span) {
    this.#parts = parts
    this.#plan = plan
    this.#span = span
    this.#isWhole = span.start === 0 && span.end === plan.size
    const { offset, length } = plan.directory
    this.#hasDirectory = span.end > offset && span.start < offset + length
  }

  /** True once the span has been written. */
  get isDone(): boolean {
    return this.#at >= this.#span.end
  }

  folder(member: Member, stats: EntryFacts): void {
    const planned = this.#take(member, stats, true)
    if (planned === undefined) return
    const entry = this.#entryOf(member, planned)
    this.#put(localHeader(entry))
    this.#remember(entry)
  }

  *file(member: Member, source: Source): Steps<number> {
    const planned = this.#take(member, source.stats, false)
    if (planned === undefined) return source.stats.size
    const entry = this.#entryOf(member, planned)
    if (entry.hasDescriptor) yield* this.#putLong(entry, source)
    else this.#putShort(entry, source)
    if (!this.#isWhole && !isUnchanged(planned, source.statsNow())) throw changed(member.name)
    return source.stats.size
  }

  *end(): Steps {
    const { directory } = this.#plan
    if (this.#at !== directory.offset) throw changed('the content of the folder')
    if (!this.#hasDirectory) this.#at += directory.length
    this.#endPage()
    for (const page of this.#directory.splice(0)) {
      this.#put(page)
      yield* this.#parts.take()
    }
    this.#put(endOfZip(directory))
  }

  /** The next entry of the plan if it is this one. */
  #take(member: Member, stats: EntryFacts, isFolder: boolean): PlannedEntry | undefined {
    const planned = plannedEntry(this.#plan, this.#index)
    if (planned === undefined || !isPlanned(planned, member, stats, isFolder)) return undefined
    this.#index += 1
    return planned
  }

  #entryOf(member: Member, { isFolder, size, modified }: PlannedEntry): ZipEntry {
    return zipEntry({ ...member, modified }, isFolder ? undefined : size, this.#at)
  }

  #putShort(entry: ZipEntry, source: Source): void {
    const { length } = localHeader(entry)
    const end = this.#at + length + entry.size
    if (!this.#hasDirectory && !this.#overlapsSpan(this.#at, end)) {
      this.#at = end
      return
    }
    const isInside = this.#at >= this.#span.start && end <= this.#span.end
    // Most files are read directly into the part that is sent.
    const memory = isInside ? this.#parts.reserve(length + entry.size).subarray(length) : this.#scratch
    const content = memory.subarray(0, entry.size)
    readFully(entry, source, content)
    const summed = { ...entry, crc: crc32(content) }
    this.#put(localHeader(summed))
    if (isInside) this.#advance(entry.size)
    else this.#put(content)
    this.#remember(summed)
  }

  *#putLong(entry: ZipEntry, source: Source): Steps {
    this.#put(localHeader(entry))
    const start = this.#at
    const end = start + entry.size
    const hasSum = this.#hasDirectory || this.#overlapsSpan(end, end + descriptor(entry).length)
    let crc = 0
    while (this.#at < end && (hasSum || !this.isDone)) {
      const skipped = Math.min(end, this.#span.start) - this.#at
      if (skipped > 0 && !hasSum) {
        this.#at += skipped
        continue
      }
      const memory = skipped > 0 ? this.#scratch.subarray(0, skipped) : this.#parts.room
      const content = memory.subarray(0, Math.min(end, this.#span.end) - this.#at)
      const count = source.read(content, this.#at - start)
      if (count === 0) throw changed(entry.name)
      if (hasSum) crc = crc32(content.subarray(0, count), crc)
      if (skipped > 0) this.#at += count
      else this.#advance(count)
      yield* this.#parts.take()
      yield
    }
    const summed = { ...entry, crc }
    this.#put(descriptor(summed))
    this.#remember(summed)
  }

  #overlapsSpan(start: number, end: number): boolean {
    return start < this.#span.end && end > this.#span.start
  }

  /** Call after reading `count` bytes of the span into the current part. */
  #advance(count: number): void {
    this.#parts.advance(count)
    this.#at += count
  }

  /** Writes the bytes that belong to the span. */
  #put(bytes: Uint8Array): void {
    const start = Math.max(this.#span.start - this.#at, 0)
    this.#parts.put(bytes.subarray(start, Math.max(this.#span.end - this.#at, start)))
    this.#at += bytes.length
  }

  #remember(entry: ZipEntry): void {
    if (!this.#hasDirectory) return
    const header = centralHeader(entry)
    this.#page.push(header)
    this.#pageLength += header.length
    if (this.#pageLength >= PAGE) this.#endPage()
  }

  /** Joins small buffers, which would need several times the memory. */
  #endPage(): void {
    this.#directory.push(Buffer.concat(this.#page))
    this.#page = []
    this.#pageLength = 0
  }
}

function readFully({ name }: ZipEntry, source: Source, into: Buffer): void {
  for (let done = 0; done < into.length;) {
    const count = source.read(into.subarray(done), done)
    if (count === 0) throw changed(name)
    done += count
  }
}

/** Aborts the download: bytes were sent already, and no client must take a broken archive for a complete one. */
function changed(what: string): FilemgrError {
  return new FilemgrError('CONFLICT', `${what} changed while its zip was sent: try again, or download a tar`)
}
