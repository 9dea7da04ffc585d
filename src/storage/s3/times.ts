import { parseSeconds, secondsText } from '../../domain/files/file-time.ts'

/** The metadata field for the modification time, which rclone uses too: seconds since 1970, with decimals. */
const MTIME = 'mtime'
const SECOND = 1_000_000_000n
const MILLISECOND = 1_000_000n

/** Nanoseconds since 1970; undefined if there is no valid time. */
export function timeIn(metadata: Readonly<Record<string, string>> | undefined): bigint | undefined {
  return parseSeconds(metadata?.[MTIME] ?? '')
}

/** @param time nanoseconds since 1970 */
export function metadataWith(
  metadata: Readonly<Record<string, string>> | undefined,
  time: bigint | undefined,
): Record<string, string> {
  return time === undefined ? { ...metadata } : { ...metadata, [MTIME]: secondsText(time) }
}

/** Saves within this time of each other get different times, so that they have different ETags. */
const SAME_MOMENT = SECOND

/**
 * The modification time of a new file.
 *
 * @param given nanoseconds since 1970, if the time is given
 * @param now milliseconds since 1970
 * @param old time of the file that is replaced, in nanoseconds since 1970
 */
export function newTime(given: bigint | undefined, now: number, old: bigint | undefined): bigint {
  if (given !== undefined) return given
  const time = BigInt(now) * MILLISECOND
  if (old === undefined || time > old || old - time > SAME_MOMENT) return time
  return old + MILLISECOND
}
