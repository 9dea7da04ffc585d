import type { BigIntStats } from 'node:fs'
import { partsOfTime, timeOfParts } from '../../../domain/files/file-time.ts'
import { futimes, lutimes, utimes } from './gated-calls.ts'
import { at, type Handle, type Location } from './handle.ts'

/** Nanoseconds since 1970, negative before. */
export interface Times {
  readonly accessed: bigint
  readonly modified: bigint
}

export function timesOf({ atimeNs, mtimeNs }: BigIntStats): Times {
  return { accessed: atimeNs, modified: mtimeNs }
}

export async function setFileTimes(fd: number, { accessed, modified }: Times): Promise<void> {
  await futimes(fd, textOf(accessed), textOf(modified))
}

export async function setFolderTimes(folder: Handle, { accessed, modified }: Times): Promise<void> {
  await utimes(at(folder), textOf(accessed), textOf(modified))
}

/** Of a link itself. */
export async function setLinkTimes({ folder, name }: Location, { accessed, modified }: Times): Promise<void> {
  await lutimes(at(folder, name), textOf(accessed), textOf(modified))
}

/**
 * The time that a file has after its time was set to this one. Node passes times as a double-precision number of seconds, the only
 * way without native code: exact to a quarter of a microsecond today, to two microseconds in the year 2400. Never earlier, so that
 * the digits before stay as they are.
 */
export function settableTime(time: bigint): bigint {
  return takenFrom(secondsOf(time))
}

/** As text, because Node takes a negative number for the current time. */
function textOf(time: bigint): string {
  return String(secondsOf(time))
}

function secondsOf(time: bigint): number {
  const { seconds, nanos } = partsOfTime(time)
  let value = seconds + nanos / 1e9
  while (takenFrom(value) < time) value += stepAt(value)
  return value
}

/** The distance to the next number. */
function stepAt(value: number): number {
  return 2 ** (Math.floor(Math.log2(Math.abs(value) || 1)) - 52)
}

/** What libuv makes of a number of seconds. */
function takenFrom(value: number): bigint {
  const whole = Math.trunc(value)
  return timeOfParts(whole, Math.trunc((value - whole) * 1e9))
}

/** The times that all disks hold, in seconds since 1970: from 1980 (FAT) until the 19th of January 2038 (32 bits). */
const HELD_BY_ALL = { first: 315_532_800, last: 2_147_483_647 }

/** Whether a disk may have taken another time, without an error, because it cannot hold this one. */
export function mayBeUnheld(modified: bigint): boolean {
  const { seconds } = partsOfTime(modified)
  return seconds < HELD_BY_ALL.first || seconds > HELD_BY_ALL.last
}
