import type { Readable } from 'node:stream'
import { type Entry, RandomAccessReader, ZipFile } from 'yauzl'
import { isFilemgrError } from '../../../domain/errors.ts'
import type { Encoding } from '../../../domain/text/encodings.ts'
import { type ArchiveBytes, damaged } from './archive-bytes.ts'
import type { ArchiveEntry, EntryKind, ReadName } from './archive-entry.ts'
import { ZipNames } from './zip-names.ts'
import { placeOfZip } from './zip-place.ts'
import { timeOfMilliseconds } from '../../../domain/files/file-time.ts'

/** The extra fields of a zip with times: of Info-ZIP, in seconds since 1970, and of NTFS, in tenths of microseconds since 1601. */
const SECONDS_FIELD = 0x5455
const NTFS_FIELD = 0x000a
const HAS_MODIFIED = 1
const NTFS_TIMES = 1
const NTFS_LENGTH = 32
const NTFS_EPOCH = 11_644_473_600n * 10_000_000n
/** DOS times begin in 1980. */
const FIRST_DOS_TIME = 315_532_800
const TOO_LATE_FOR_32_BITS = 2038
const FILE_TYPE = 0o170000
const REGULAR = 0o100000
const FOLDER = 0o040000
const LINK = 0o120000
const OWNER_MAY_RUN = 0o100
/** Unix, and macOS: only these have file types and permissions of Unix. */
const MADE_BY_UNIX = new Set([3, 19])
const DOS_FOLDER = 0x10
const ENTRY_SIGNATURE = 0x02014b50
const ENTRY_HEADER = 46
const FLAGS = 8
const ENCRYPTED = 0x01
const STRONGLY_ENCRYPTED = 0x40
/** Bytes of a local header without its name. */
const LOCAL_HEADER = 30

/** Reads the central directory. @throws INVALID_INPUT if it is not a zip or damaged, or if entries overlap */
export async function* zipEntries(file: ArchiveBytes, encoding?: Encoding): AsyncGenerator<ArchiveEntry, void, void> {
  const spans: Span[] = []
  const { start, end, directory, count } = await placeOfZip(file)
  try {
    // Not opened by the package, which refuses bytes before and behind a zip.
    const each = () => new ZipFile(new Reader(file), directory, end, count, '', ...OPTIONS).eachEntry()
    const names = new ZipNames(each, encoding)
    for await (const entry of each()) {
      const at = start + entry.relativeOffsetOfLocalHeader
      spans.push({ at, end: at + LOCAL_HEADER + entry.fileNameLength + entry.compressedSize })
      yield { ...describe(entry, await names.read(entry)), at }
    }
  } catch (error) {
    throw isFilemgrError(error) ? error : damaged(error)
  }
  requireNoOverlap(spans, end)
}

interface Span {
  readonly at: number
  readonly end: number
}

/** The attack is a zip bomb whose entries share one content: each is harmless, but together megabytes unpack to terabytes. */
function requireNoOverlap(spans: Span[], size: number): void {
  spans.sort((a, b) => a.at - b.at)
  for (const [index, { end }] of spans.entries()) if (end > (spans[index + 1]?.at ?? size)) throw damaged()
}

function describe(entry: Entry, read: ReadName): Omit<ArchiveEntry, 'at'> {
  const { uncompressedSize: size, compressionMethod: method } = entry
  const zip = { method, isEncrypted: entry.isEncrypted(), packed: entry.compressedSize, crc: entry.crc32 }
  const kind = kindOf(entry, read.name)
  const isExecutable = kind === 'file' && (modeOf(entry) & OWNER_MAY_RUN) !== 0
  return { ...read, kind, size, modified: timeInZip(entry), zip, ...(isExecutable && { isExecutable }) }
}

function kindOf(entry: Entry, name: string): EntryKind {
  if (name.endsWith('/')) return 'folder'
  switch (modeOf(entry) & FILE_TYPE) {
    case 0:
      // Only some programs of Windows write folders without a slash.
      return (entry.externalFileAttributes & DOS_FOLDER) !== 0 && entry.uncompressedSize === 0 ? 'folder' : 'file'
    case REGULAR:
      return 'file'
    case FOLDER:
      return 'folder'
    case LINK:
      return 'link'
    default:
      return 'special'
  }
}

function modeOf({ versionMadeBy, externalFileAttributes }: Entry): number {
  return MADE_BY_UNIX.has(versionMadeBy >>> 8) ? externalFileAttributes >>> 16 : 0
}

class Reader extends RandomAccessReader {
  readonly #bytes: ArchiveBytes

  constructor(bytes: ArchiveBytes) {
    super()
    this.#bytes = bytes
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead: number) => void,
  ): void {
    // The callback throws for some invalid zips: as an unhandled rejection, that would end the daemon.
    this.#bytes
      .read(position, length)
      .then((part) => callback(null, readable(part).copy(buffer, offset)))
      .catch((error: unknown) => this.emit('error', error))
  }

  override _readStreamForRange(): Readable {
    throw new TypeError('content is not read by this reader')
  }
}

/** The package refuses the whole archive for one strongly encrypted entry, which is as good as any encrypted one. */
function readable(part: Buffer): Buffer {
  const isEntry = part.length === ENTRY_HEADER && part.readUInt32LE(0) === ENTRY_SIGNATURE
  const flags = isEntry ? part.readUInt16LE(FLAGS) : 0
  if ((flags & STRONGLY_ENCRYPTED) === 0) return part
  const changed = Buffer.from(part)
  changed.writeUInt16LE((flags & ~STRONGLY_ENCRYPTED) | ENCRYPTED, FLAGS)
  return changed
}

/** Neither closed automatically, nor read ahead; names and sizes are validated later, since one must not make all unreadable. */
const OPTIONS = [false, true, false, false] as const

/** Nanoseconds since 1970, as exactly as the entry has it. */
function timeInZip(entry: Entry): bigint {
  const fields = entry.extraFields.map(({ id, data }) => [id, data] as const)
  const ntfs = fields.find(([id, data]) => id === NTFS_FIELD && isNtfsTime(data))?.[1]
  if (ntfs !== undefined) return (ntfs.readBigInt64LE(8) - NTFS_EPOCH) * 100n
  const dos = entry.getLastModDate({ forceDosFormat: true })
  const seconds = fields.find(([id, data]) => id === SECONDS_FIELD && data.length >= 5 && hasModified(data))?.[1]
  if (seconds === undefined) return timeOfMilliseconds(Number.isFinite(dos.getTime()) ? dos.getTime() : 0)
  return timeOfMilliseconds(secondsIn(seconds, dos) * 1000)
}

/** Some programs write times after 2038 without a sign: the DOS time tells. */
function secondsIn(data: Buffer, dos: Date): number {
  const seconds = data.readInt32LE(1)
  return seconds < FIRST_DOS_TIME && dos.getFullYear() >= TOO_LATE_FOR_32_BITS ? data.readUInt32LE(1) : seconds
}

function hasModified(data: Buffer): boolean {
  return ((data[0] ?? 0) & HAS_MODIFIED) !== 0
}

function isNtfsTime(data: Buffer): boolean {
  return data.length === NTFS_LENGTH && data.readUInt16LE(4) === NTFS_TIMES && data.readUInt16LE(6) === NTFS_LENGTH - 8
}
