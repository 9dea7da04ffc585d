import type { ReadableFormat } from '../../domain/files/archive-format.ts'
import { type ArchiveBytes, type ArchiveFile, damaged, FileBytes, UnpackedBytes } from './archive-bytes.ts'
import type { ArchiveEntry } from './archive-entry.ts'
import { tarEntries } from './tar-entries.ts'
import { zipContent } from './zip-content.ts'
import { zipEntries } from './zip-entries.ts'

/** Reads an archive in constant memory. In a compressed tar, what is read must lie behind what was read before. */
export interface ArchiveReader extends AsyncDisposable {
  /** All of them, in the order of the archive, even links and names that cannot be paths. @throws INVALID_INPUT */
  entries(): AsyncIterable<ArchiveEntry>
  /** The end is not included. @throws INVALID_INPUT, UNSUPPORTED */
  content(entry: ArchiveEntry, start?: number, end?: number): AsyncIterable<Uint8Array>
}

/** The file stays open until the caller closes it. */
export function readArchive(file: ArchiveFile, format: ReadableFormat, signal?: AbortSignal): ArchiveReader {
  const bytes =
    format === 'zip' || format === 'tar' ? new FileBytes(file, signal) : new UnpackedBytes(file, format, signal)
  return {
    entries: () => (format === 'zip' ? zipEntries(bytes) : tarEntries(bytes)),
    content: (entry, start = 0, end = entry.size) =>
      (format === 'zip' ? zipContent : tarContent)(bytes, entry, start, end),
    [Symbol.asyncDispose]: async () => await bytes[Symbol.asyncDispose](),
  }
}

async function* tarContent(
  bytes: ArchiveBytes,
  { at }: ArchiveEntry,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void, void> {
  let missing = end - start
  for await (const part of bytes.parts(at + start, at + end)) {
    missing -= part.length
    yield part
  }
  if (missing > 0) throw damaged()
}
