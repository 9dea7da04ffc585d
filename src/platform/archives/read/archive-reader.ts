import { isSeekable, type ReadableFormat } from '../../../domain/files/archives/archive-format.ts'
import type { Encoding } from '../../../domain/text/encodings.ts'
import type { ArchiveEntry, EntryPlace } from './archive-entry.ts'
import type { ArchiveFile, ReaderNeed } from './reader-need.ts'

/** Reads an archive in constant memory. A compressed tar can only be read forward. */
export interface ArchiveReader extends AsyncDisposable {
  /**
   * All entries in archive order, including links and names that are not valid paths.
   *
   * @param encoding of names that do not say theirs; left out, it is detected
   * @throws INVALID_INPUT, TOO_LARGE
   */
  entries(encoding?: Encoding): AsyncIterable<ArchiveEntry>
  /** The end is not included. @throws INVALID_INPUT, UNSUPPORTED, TOO_LARGE */
  content(entry: EntryPlace, start?: number, end?: number): AsyncIterable<Uint8Array>
}

/**
 * The file stays open until the caller closes it.
 *
 * @param need as `needOf` the file, which the caller has taken from the memory of archives
 */
export async function readArchive(
  file: ArchiveFile,
  format: ReadableFormat,
  need: ReaderNeed,
  signal?: AbortSignal,
): Promise<ArchiveReader> {
  const { FileBytes, UnpackedBytes } = await import('./archive-bytes.ts')
  const bytes = isSeekable(format) ? new FileBytes(file, signal) : new UnpackedBytes(file, format, need, signal)
  const { entries, content } = format === 'zip' ? await zip() : await tar()
  return {
    entries: (encoding) => entries(bytes, encoding),
    content: (entry, start = 0, end = entry.size) => content(bytes, entry, start, end),
    [Symbol.asyncDispose]: async () => await bytes[Symbol.asyncDispose](),
  }
}

// Loaded on demand, so that commands start without the packages that these import.

async function zip() {
  const [{ zipEntries }, { zipContent }] = await Promise.all([import('./zip-entries.ts'), import('./zip-content.ts')])
  return { entries: zipEntries, content: zipContent }
}

async function tar() {
  const { tarEntries, tarContent } = await import('./tar-entries.ts')
  return { entries: tarEntries, content: tarContent }
}
