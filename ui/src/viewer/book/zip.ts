import { textOfBytes } from '../../../../src/domain/files/name-text.ts'
import { ENCODINGS } from '../../../../src/domain/text/encodings.ts'
import { composed } from '../../../../src/domain/text/fold.ts'
import { writeText } from '../../api/text-file.ts'

/** A file of the archive, according to the central directory. */
interface ZipEntry {
  readonly method: number
  readonly packed: number
  readonly size: number
  readonly offset: number
  readonly checksum: number
}

/** A file of the archive unpacks to more than is ever held in memory. */
export class TooLargeInside extends Error {}

export interface Zip {
  /** The CRC-32 of each file, by its name. */
  readonly checksums: ReadonlyMap<string, number>
  /** The content of a file; undefined if it is not in the archive. @throws Error if it is damaged or too large */
  read(name: string): Promise<Blob | undefined>
  /** The content of a file as text. */
  text(name: string): Promise<string | undefined>
}

/** Decodes a text of the archive. */
export type DecodeText = (bytes: Uint8Array) => Promise<string>

const END = 0x06054b50
const DIRECTORY = 0x02014b50
const LOCAL = 0x04034b50
const LOCAL_HEAD = 30
const MAX_END_SIZE = 22 + 0xffff
const MAX_ENTRIES = 20_000
/** Stops zip bombs: a few kilobytes can unpack to gigabytes. */
const MAX_FILE_SIZE = 32 * 1024 * 1024
const STORED = 0
const DEFLATED = 8

/** Opens a zip archive (PKWARE APPNOTE) with stored or deflated files. Only files that are read are unpacked. @throws Error */
export async function openZip(archive: Blob, decode: DecodeText): Promise<Zip> {
  const tail = await viewOf(archive, Math.max(0, archive.size - MAX_END_SIZE), archive.size)
  const end = endOf(tail)
  const directory = await viewOf(archive, tail.getUint32(end + 16, true), archive.size)
  const entries = entriesOf(directory, Math.min(MAX_ENTRIES, tail.getUint16(end + 10, true)))
  const read = async (name: string): Promise<Blob | undefined> => {
    const entry = entries.get(composed(name)) ?? (await entryInOtherEncoding(entries, name))
    if (entry === undefined) return undefined
    if (entry.size > MAX_FILE_SIZE) throw tooLarge(name)
    const head = await viewOf(archive, entry.offset, entry.offset + LOCAL_HEAD)
    if (head.byteLength < LOCAL_HEAD || head.getUint32(0, true) !== LOCAL) throw new Error('The archive is damaged.')
    const start = entry.offset + LOCAL_HEAD + head.getUint16(26, true) + head.getUint16(28, true)
    const packed = archive.slice(start, start + entry.packed)
    if (entry.method === STORED) return packed
    if (entry.method !== DEFLATED) throw new Error(`${name} is compressed with an unsupported method.`)
    return await unpack(packed, name)
  }
  const text = async (name: string): Promise<string | undefined> => {
    const content = await read(name)
    return content && (await decode(new Uint8Array(await content.arrayBuffer())))
  }
  return { checksums: new Map(Array.from(entries, ([name, { checksum }]) => [name, checksum])), read, text }
}

function tooLarge(name: string): TooLargeInside {
  return new TooLargeInside(`${name} is too large to be shown.`)
}

async function viewOf(blob: Blob, start: number, end: number): Promise<DataView> {
  return new DataView(await blob.slice(start, end).arrayBuffer())
}

function endOf(tail: DataView): number {
  for (let at = tail.byteLength - 22; at >= 0; at -= 1) if (tail.getUint32(at, true) === END) return at
  throw new Error('This is not a zip archive.')
}

function entriesOf(directory: DataView, count: number): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>()
  for (let at = 0; entries.size < count && at + 46 <= directory.byteLength;) {
    if (directory.getUint32(at, true) !== DIRECTORY) break
    const length = directory.getUint16(at + 28, true)
    const next = at + 46 + length + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true)
    if (next > directory.byteLength) break
    const name = textOfBytes(new Uint8Array(directory.buffer, at + 46, length))
    entries.set(composed(name), {
      method: directory.getUint16(at + 10, true),
      checksum: directory.getUint32(at + 16, true),
      packed: directory.getUint32(at + 20, true),
      size: directory.getUint32(at + 24, true),
      offset: directory.getUint32(at + 42, true),
    })
    at = next
  }
  return entries
}

/** Books are linked by names in Unicode, also if the archive has them in an old encoding, which it does not say. */
async function entryInOtherEncoding(
  entries: ReadonlyMap<string, ZipEntry>,
  name: string,
): Promise<ZipEntry | undefined> {
  if ([...entries.keys()].every((key) => key.isWellFormed())) return undefined
  for (const encoding of ENCODINGS) {
    const bytes = await writeText(name, encoding)
    const entry = bytes && entries.get(textOfBytes(bytes))
    if (entry !== undefined) return entry
  }
  return undefined
}

/** Counts the bytes while unpacking, because a zip bomb may lie about its size in the directory. */
async function unpack(packed: Blob, name: string): Promise<Blob> {
  const reader = packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const parts: BlobPart[] = []
  let size = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength
    if (size > MAX_FILE_SIZE) {
      await reader.cancel()
      throw tooLarge(name)
    }
    parts.push(part.value)
  }
  return new Blob(parts)
}
