/** The metadata field for the modification time, which rclone uses too: seconds since 1970, with decimals. */
const MTIME = 'mtime'
const SECONDS = /^(\d{1,12})(?:\.(\d{1,9}))?$/
const SECOND = 1_000_000_000n
const MILLISECOND = 1_000_000n

/** Nanoseconds since 1970; undefined if there is no valid time. */
export function timeIn(metadata: Readonly<Record<string, string>> | undefined): bigint | undefined {
  const [, seconds, fraction = ''] = SECONDS.exec(metadata?.[MTIME] ?? '') ?? []
  return seconds === undefined ? undefined : BigInt(seconds) * SECOND + BigInt(fraction.padEnd(9, '0'))
}

/** @param time nanoseconds since 1970 */
export function metadataWith(
  metadata: Readonly<Record<string, string>> | undefined,
  time: bigint | undefined,
): Record<string, string> {
  if (time === undefined || time < 0n) return { ...metadata }
  return { ...metadata, [MTIME]: `${time / SECOND}.${String(time % SECOND).padStart(9, '0')}` }
}

/** Saves within this time of each other get different times, so that they have different ETags. */
const SAME_MOMENT = SECOND

/**
 * The modification time of a new file.
 *
 * @param given milliseconds since 1970, if the time is given
 * @param now milliseconds since 1970
 * @param old time of the file that is replaced, in nanoseconds since 1970
 */
export function newTime(given: number | undefined, now: number, old: bigint | undefined): bigint {
  if (given !== undefined) return BigInt(Math.round(given)) * MILLISECOND
  const time = BigInt(now) * MILLISECOND
  if (old === undefined || time > old || old - time > SAME_MOMENT) return time
  return old + MILLISECOND
}
