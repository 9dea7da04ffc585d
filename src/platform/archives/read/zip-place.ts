import { type ArchiveBytes, damaged } from './archive-bytes.ts'

/** Where a zip lies in a file: programs put themselves before it, and transfers add bytes behind it. */
export interface ZipPlace {
  /** What to add to each offset in the zip. */
  readonly start: number
  readonly end: number
  /** Where the directory begins, in the file, and how many entries it has. */
  readonly directory: number
  readonly count: number
}

const END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1')
const ENTRY_SIGNATURE = 0x02014b50
const WIDE_END_SIGNATURE = 0x06064b50
const LOCATOR_SIGNATURE = 0x07064b50
const END = 22
const LOCATOR = 20
const WIDE_END = 56
/** Bytes at the end of the file that may belong to the end record, its comment, and whatever follows. */
const SEARCHED = [END + LOCATOR + 0xffff, 1024 * 1024]
/** The attack is a file full of signatures, each of which makes us read elsewhere. */
const MAX_CANDIDATES = 16

/** Finds the last end record that fits what lies before it. @throws INVALID_INPUT if there is none */
export async function placeOfZip(bytes: ArchiveBytes): Promise<ZipPlace> {
  const size = bytes.size ?? 0
  for (const length of SEARCHED) {
    const from = Math.max(0, size - length)
    const tail = Buffer.from(await bytes.read(from, size - from))
    let at = tail.length - END
    for (let count = 0; count < MAX_CANDIDATES && at >= 0; count += 1, at -= 1) {
      at = tail.lastIndexOf(END_SIGNATURE, at)
      if (at < 0) break
      const place = await placeByEnd(bytes, from + at, tail.subarray(at, at + END))
      if (place !== undefined) return place
    }
    if (from === 0) break
  }
  throw damaged()
}

async function placeByEnd(bytes: ArchiveBytes, at: number, record: Buffer): Promise<ZipPlace | undefined> {
  const end = at + END + record.readUInt16LE(20)
  if (end > (bytes.size ?? 0)) return undefined
  const wide = await wideEnd(bytes, at)
  if (wide !== undefined) return { ...wide, end }
  const [count, length, offset] = [record.readUInt16LE(10), record.readUInt32LE(12), record.readUInt32LE(16)]
  if (count === 0) return { start: 0, end, directory: offset, count }
  // The directory lies right before the end record, so that tells where the zip begins if its offsets do not.
  for (const start of [0, at - length - offset]) {
    const directory = start + offset
    if (start >= 0 && (await hasAt(bytes, directory, ENTRY_SIGNATURE))) return { start, end, directory, count }
  }
  return undefined
}

/** The same by the Zip64 records; undefined if there are none. */
async function wideEnd(bytes: ArchiveBytes, at: number): Promise<Omit<ZipPlace, 'end'> | undefined> {
  const locator = at < LOCATOR ? Buffer.alloc(0) : await bytes.read(at - LOCATOR, LOCATOR)
  if (locator.length < LOCATOR || locator.readUInt32LE(0) !== LOCATOR_SIGNATURE) return undefined
  const offset = Number(locator.readBigUInt64LE(8))
  for (const start of [0, at - LOCATOR - WIDE_END - offset]) {
    if (start < 0 || !(await hasAt(bytes, start + offset, WIDE_END_SIGNATURE))) continue
    const record = await bytes.read(start + offset, WIDE_END)
    if (record.length < WIDE_END) return undefined
    const directory = start + Number(record.readBigUInt64LE(48))
    return { start, directory, count: Number(record.readBigUInt64LE(32)) }
  }
  return undefined
}

async function hasAt(bytes: ArchiveBytes, position: number, signature: number): Promise<boolean> {
  const found = Number.isSafeInteger(position) ? await bytes.read(position, 4) : Buffer.alloc(0)
  return found.length === 4 && found.readUInt32LE(0) === signature
}
