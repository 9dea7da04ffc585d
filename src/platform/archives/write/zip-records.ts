import { millisecondsOf, partsOfTime } from '../../../domain/files/file-time.ts'
import type { Member } from './members.ts'

/** The fields that both headers of an entry contain. Content is stored uncompressed. */
export interface ZipEntry extends Member {
  readonly isFolder: boolean
  /** True if CRC and size follow the content. */
  readonly hasDescriptor: boolean
  readonly crc: number
  readonly size: number
  /** Offset of its local header. */
  readonly offset: number
}

const MAX_UINT16 = 0xffff
const MAX_UINT32 = 0xffffffff

const STORED = 0
const UTF8_NAME = 0x0800
const DESCRIPTOR = 0x0008
const UNIX = 3 << 8
const VERSION = 20
const VERSION_ZIP64 = 45
const FOLDER_BIT = 0x10
const REGULAR_FILE = 0o100000
const FOLDER = 0o040000
const TIME_EXTRA = 0x5455
const NTFS_EXTRA = 0x000a
/** 1970 in the unit of NTFS, a tenth of a microsecond since 1601. */
const NTFS_EPOCH = 116_444_736_000_000_000n
const ZIP64_EXTRA = 0x0001

export function localHeader(entry: ZipEntry): Buffer {
  const name = nameBytes(entry)
  const isWide = entry.size >= MAX_UINT32
  const known = entry.hasDescriptor ? { crc: 0, size: 0 } : entry
  const extra = [timeExtra(entry), ...(isWide ? [zip64Extra([known.size, known.size])] : [])]
  const fields = new Fields()
  fields.u32(0x04034b50).u16(isWide ? VERSION_ZIP64 : VERSION)
  common(fields, entry)
  fields.u32(known.crc)
  fields.u32(isWide ? MAX_UINT32 : known.size).u32(isWide ? MAX_UINT32 : known.size)
  fields.u16(name.length).u16(lengthOf(extra))
  return Buffer.concat([fields.bytes(), name, ...extra])
}

/** The data descriptor after the content (APPNOTE 4.3.9), with sizes of eight bytes for Zip64. */
export function descriptor({ crc, size }: ZipEntry): Buffer {
  const fields = new Fields().u32(0x08074b50).u32(crc)
  if (size >= MAX_UINT32) fields.u64(size).u64(size)
  else fields.u32(size).u32(size)
  return fields.bytes()
}

/** One entry of the directory at the end of a zip (APPNOTE 4.3.12). */
export function centralHeader(entry: ZipEntry): Buffer {
  const name = nameBytes(entry)
  const { size, offset } = entry
  const wide = [size, size, offset].filter((value) => value >= MAX_UINT32)
  const extra = [timeExtra(entry), ...(wide.length > 0 ? [zip64Extra(wide)] : [])]
  const version = wide.length > 0 ? VERSION_ZIP64 : VERSION
  const kind = entry.isFolder ? FOLDER : REGULAR_FILE
  const fields = new Fields()
  fields
    .u32(0x02014b50)
    .u16(UNIX | version)
    .u16(version)
  common(fields, entry)
  fields.u32(entry.crc).u32(clipped(size)).u32(clipped(size))
  fields.u16(name.length).u16(lengthOf(extra)).u16(0).u16(0).u16(0)
  fields.u32(((kind | entry.mode) * 0x10000 + (entry.isFolder ? FOLDER_BIT : 0)) % 0x100000000).u32(clipped(offset))
  return Buffer.concat([fields.bytes(), name, ...extra])
}

export interface ZipDirectory {
  readonly count: number
  readonly offset: number
  readonly length: number
}

/** The end of a zip (APPNOTE 4.3.14 to 4.3.16), with Zip64 records if a number needs them. */
export function endOfZip({ count, offset, length }: ZipDirectory): Buffer {
  const fields = new Fields()
  if (count >= MAX_UINT16 || offset >= MAX_UINT32 || length >= MAX_UINT32) {
    fields
      .u32(0x06064b50)
      .u64(44)
      .u16(UNIX | VERSION_ZIP64)
      .u16(VERSION_ZIP64)
      .u32(0)
      .u32(0)
    fields.u64(count).u64(count).u64(length).u64(offset)
    fields
      .u32(0x07064b50)
      .u32(0)
      .u64(offset + length)
      .u32(1)
  }
  const shownCount = Math.min(count, MAX_UINT16)
  fields.u32(0x06054b50).u16(0).u16(0).u16(shownCount).u16(shownCount)
  fields.u32(clipped(length)).u32(clipped(offset)).u16(0)
  return fields.bytes()
}

function common(fields: Fields, entry: ZipEntry): void {
  fields.u16(UTF8_NAME | (entry.hasDescriptor ? DESCRIPTOR : 0)).u16(STORED)
  const { time, date } = dosTime(entry.modified)
  fields.u16(time).u16(date)
}

function nameBytes({ name, isFolder }: ZipEntry): Buffer {
  return Buffer.from(isFolder ? `${name}/` : name)
}

/**
 * Seconds since 1970, because the standard fields only have local time in steps of two seconds. Before 1901 and after 2038, which
 * these 32 bits cannot hold, the field of NTFS.
 */
function timeExtra({ modified }: Member): Buffer {
  const { seconds } = partsOfTime(modified)
  if (seconds === (seconds | 0))
    return new Fields()
      .u16(TIME_EXTRA)
      .u16(5)
      .u8(1)
      .u32(seconds >>> 0)
      .bytes()
  const since1601 = modified / 100n + NTFS_EPOCH
  const time = Number(since1601 > 0n ? since1601 : 0n)
  return new Fields().u16(NTFS_EXTRA).u16(32).u32(0).u16(1).u16(24).u64(time).u64(time).u64(time).bytes()
}

function zip64Extra(values: readonly number[]): Buffer {
  const fields = new Fields().u16(ZIP64_EXTRA).u16(values.length * 8)
  for (const value of values) fields.u64(value)
  return fields.bytes()
}

function lengthOf(buffers: readonly Buffer[]): number {
  return buffers.reduce((sum, { length }) => sum + length, 0)
}

function clipped(value: number): number {
  return Math.min(value, MAX_UINT32)
}

/** Local time, at most from the beginning of 1980 to the end of 2107. */
function dosTime(modified: bigint): { time: number; date: number } {
  const given = new Date(millisecondsOf(modified))
  const [first, last] = [new Date(1980, 0, 1), new Date(2107, 11, 31, 23, 59, 58)]
  const when = given < first ? first : given > last ? last : given
  const year = when.getFullYear()
  return {
    time: (when.getHours() << 11) | (when.getMinutes() << 5) | (when.getSeconds() >> 1),
    date: ((year - 1980) << 9) | ((when.getMonth() + 1) << 5) | when.getDate(),
  }
}

/** Bytes of the longest record: the end with its Zip64 records. */
const MAX_LENGTH = 98

/** Builds a record of little-endian numbers. */
class Fields {
  readonly #buffer = Buffer.allocUnsafe(MAX_LENGTH)
  #used = 0

  u8(value: number): this {
    this.#used = this.#buffer.writeUInt8(value, this.#used)
    return this
  }

  u16(value: number): this {
    this.#used = this.#buffer.writeUInt16LE(value, this.#used)
    return this
  }

  u32(value: number): this {
    this.#used = this.#buffer.writeUInt32LE(value, this.#used)
    return this
  }

  u64(value: number): this {
    return this.u32(value % 0x100000000).u32(Math.floor(value / 0x100000000))
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#used)
  }
}
