import type { Readable } from 'node:stream'
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader, type ZipFile } from 'yauzl'
import { isFilemgrError } from '../../domain/errors.ts'
import { type ArchiveBytes, damaged } from './archive-bytes.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import { timeInZip } from './entry-time.ts'

const FILE_TYPE = 0o170000
const REGULAR = 0o100000
const FOLDER = 0o040000
const MADE_BY_UNIX = 3
/** Bytes of a local header without its name. */
const LOCAL_HEADER = 30

/** Reads the central directory. @throws INVALID_INPUT if it is not a zip or damaged, or if entries overlap */
export async function* zipEntries(bytes: ArchiveBytes): AsyncGenerator<ArchiveEntry, void, void> {
  const spans: Span[] = []
  try {
    const zip = await openZip(bytes)
    for await (const entry of zip.eachEntry()) {
      const { relativeOffsetOfLocalHeader: at, compressedSize: packed } = entry
      spans.push({ at, end: at + LOCAL_HEADER + entry.fileNameLength + packed })
      yield describe(entry)
    }
  } catch (error) {
    throw isFilemgrError(error) ? error : damaged(error)
  }
  requireNoOverlap(spans, bytes.size ?? 0)
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

function describe(entry: Entry): ArchiveEntry {
  const { generalPurposeBitFlag: flags, extraFields, fileNameRaw } = entry
  const name = getFileNameLowLevel(flags, fileNameRaw, extraFields, false)
  const { uncompressedSize: size, relativeOffsetOfLocalHeader: at, compressionMethod: method } = entry
  const zip = { method, isEncrypted: entry.isEncrypted(), packed: entry.compressedSize, crc: entry.crc32 }
  return { name, kind: kindOf(entry, name), size, modified: timeInZip(entry), at, zip }
}

function kindOf({ versionMadeBy, externalFileAttributes }: Entry, name: string): ArchiveEntry['kind'] {
  if (name.endsWith('/')) return 'folder'
  const type = versionMadeBy >>> 8 === MADE_BY_UNIX ? (externalFileAttributes >>> 16) & FILE_TYPE : 0
  if (type === FOLDER) return 'folder'
  return type === 0 || type === REGULAR ? 'file' : 'other'
}

class Reader extends RandomAccessReader {
  readonly #bytes: ArchiveBytes
  readonly #fail: (error: unknown) => void

  /** @param onFailure receives errors until a `ZipFile` listens for the "error" events of this reader */
  constructor(bytes: ArchiveBytes, onFailure: (error: unknown) => void) {
    super()
    this.#bytes = bytes
    this.#fail = (error) => (this.listenerCount('error') > 0 ? void this.emit('error', error) : onFailure(error))
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
      .then((part) => callback(null, part.copy(buffer, offset)))
      .catch(this.#fail)
  }

  override _readStreamForRange(): Readable {
    throw new TypeError('content is not read by this reader')
  }
}

/** Names are validated later, so that a single invalid one does not make the whole archive unreadable. */
const OPTIONS = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: false } as const

async function openZip(bytes: ArchiveBytes): Promise<ZipFile> {
  return await new Promise((resolve, reject) => {
    fromRandomAccessReaderPromise(new Reader(bytes, reject), bytes.size ?? 0, OPTIONS).then(resolve, reject)
  })
}
