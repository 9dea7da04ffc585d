import { Readable } from 'node:stream'
import type { ReadableFormat } from '../../../src/domain/files/archives/archive-format.ts'
import { type ArchiveReader, readArchive } from '../../../src/platform/archives/read/archive-reader.ts'
import { type ArchiveFile, needOf } from '../../../src/platform/archives/read/reader-need.ts'
import type { ArchiveEntry } from '../../../src/platform/archives/read/archive-entry.ts'

/** Bytes as an open file that counts what is read of it. */
export function fileOf(bytes: Uint8Array): ArchiveFile & { readonly read: { bytes: number; calls: number } } {
  const read = { bytes: 0, calls: 0 }
  return {
    size: bytes.length,
    read,
    stream(start, end) {
      read.calls += 1
      read.bytes += end + 1 - start
      const part = bytes.subarray(start, end + 1)
      const pieces = Array.from({ length: Math.ceil(part.length / 1000) }, (_, index) =>
        part.subarray(index * 1000, (index + 1) * 1000),
      )
      return Readable.from(pieces, { objectMode: false })
    },
  }
}

/** A reader with the memory that it needs. */
export async function readerOf(
  file: ArchiveFile,
  format: ReadableFormat,
  signal?: AbortSignal,
): Promise<ArchiveReader> {
  return await readArchive(file, format, await needOf(file, format), signal)
}

export async function entriesOf(bytes: Uint8Array, format: ReadableFormat): Promise<ArchiveEntry[]> {
  await using reader = await readerOf(fileOf(bytes), format)
  return await Array.fromAsync(reader.entries())
}

export async function contentOf(reader: ArchiveReader, entry: ArchiveEntry, start?: number, end?: number) {
  return Buffer.concat(await Array.fromAsync(reader.content(entry, start, end)))
}

/** The content of the named entry, read by a reader of its own. */
export async function read(bytes: Uint8Array, format: ReadableFormat, name: string, start?: number, end?: number) {
  const entry = (await entriesOf(bytes, format)).find((found) => found.name === name)
  if (entry === undefined) throw new Error(`there is no ${name}`)
  await using reader = await readerOf(fileOf(bytes), format)
  return await contentOf(reader, entry, start, end)
}
