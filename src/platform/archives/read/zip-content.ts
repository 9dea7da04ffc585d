import { crc32, createInflateRaw } from 'node:zlib'
import { fail } from '../../../domain/errors.ts'
import { type ArchiveBytes, damaged, unpacked } from './archive-bytes.ts'
import type { EntryPlace } from './archive-entry.ts'

const LOCAL_HEADER = 30
const LOCAL_SIGNATURE = 0x04034b50
const STORED = 0
const DEFLATED = 8

/**
 * The content of a file from `start` to `end`, which is not included. Reads a span of a stored file directly; decompresses a
 * compressed file from its beginning and drops the bytes before `start`.
 *
 * @throws UNSUPPORTED for an encrypted file or an unknown compression; INVALID_INPUT if it is damaged, longer than its headers
 *         say, or its checksum is wrong
 */
export async function* zipContent(
  bytes: ArchiveBytes,
  { at, size, zip }: EntryPlace,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void, void> {
  if (zip === undefined) throw damaged()
  if (zip.isEncrypted)
    fail('UNSUPPORTED', 'this file is encrypted: download the archive and open it with its password', {
      reason: 'encrypted',
    })
  if (zip.method !== STORED && zip.method !== DEFLATED)
    fail('UNSUPPORTED', 'this file is compressed in a way that cannot be read here: download the archive', {
      reason: 'compression',
    })
  const isStored = zip.method === STORED
  if (isStored && zip.packed !== size) throw damaged()
  const from = await contentStart(bytes, at)
  if (isStored && (start > 0 || end < size)) {
    yield* bytes.parts(from + start, from + end)
    return
  }
  const packed = bytes.parts(from, from + zip.packed)
  let [position, sum] = [0, 0]
  for await (const part of isStored ? packed : unpacked(packed, createInflateRaw())) {
    // A zip bomb may declare a small size.
    if (position + part.length > size) throw damaged()
    sum = crc32(part, sum)
    const requested = part.subarray(Math.max(0, start - position), Math.max(0, end - position))
    position += part.length
    // Checked before the last bytes are sent, so that no client takes a damaged file for a complete one.
    if (position === size && sum !== zip.crc) throw damaged()
    if (requested.length > 0) yield requested
    if (position >= end && position < size) return
  }
  if (position < size || sum !== zip.crc) throw damaged()
}

/** Only the local header tells where the content begins: its extra fields can differ from those in the central directory. */
async function contentStart(bytes: ArchiveBytes, at: number): Promise<number> {
  const header = await bytes.read(at, LOCAL_HEADER)
  if (header.length < LOCAL_HEADER || header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw damaged()
  return at + LOCAL_HEADER + header.readUInt16LE(26) + header.readUInt16LE(28)
}
