import type { Header } from 'tar'
import type { Entry } from 'yauzl'
import { parseSeconds, timeOfMilliseconds } from '../../../domain/files/file-time.ts'

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

/** Nanoseconds since 1970, as exactly as the entry has it. */
export function timeInZip(entry: Entry): bigint {
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

/** Of a tar, whose header has whole seconds. */
export function timeInHeader({ mtime }: Header): bigint {
  const milliseconds = mtime?.getTime() ?? 0
  return timeOfMilliseconds(Number.isFinite(milliseconds) ? milliseconds : 0)
}

const PAX_TIME = /^\d+ mtime=([-.\d]+)$/gm

/** The last time among records such as "30 mtime=1350244992.023960108". Undefined if there is none. */
export function timeInPax(text: string): bigint | undefined {
  const last = [...text.matchAll(PAX_TIME)].at(-1)?.[1]
  return last === undefined ? undefined : parseSeconds(last)
}
