/*
 * The modification time of a file: nanoseconds since 1970, negative before, as a BigInt, because 64 bits only reach from 1677 to
 * 2262 and a number cannot hold them all.
 */

const SECOND = 1_000_000_000n
const MILLISECOND = 1_000_000n

/** The years 0 to 9999: those that RFC 3339 and HTTP can write. Some disks hold more. */
const FIRST_SECOND = -62_167_219_200
const LAST_SECOND = 253_402_300_799
const FIRST_TIME = BigInt(FIRST_SECOND) * SECOND
const LAST_TIME = BigInt(LAST_SECOND) * SECOND + SECOND - 1n

/** The nearest time that can be written as a date. */
export function writableTime(time: bigint): bigint {
  if (time < FIRST_TIME) return FIRST_TIME
  return time > LAST_TIME ? LAST_TIME : time
}

/** Whole seconds, rounded down, and the nanoseconds after them. */
export function partsOfTime(time: bigint): { readonly seconds: number; readonly nanos: number } {
  const nanos = ((time % SECOND) + SECOND) % SECOND
  return { seconds: Number((time - nanos) / SECOND), nanos: Number(nanos) }
}

export function timeOfParts(seconds: number, nanos: number): bigint {
  return BigInt(seconds) * SECOND + BigInt(nanos)
}

export function timeOfMilliseconds(milliseconds: number): bigint {
  return BigInt(Math.round(milliseconds)) * MILLISECOND
}

/** As for a `Date`, rounded down. */
export function millisecondsOf(time: bigint): number {
  const { seconds, nanos } = partsOfTime(writableTime(time))
  return seconds * 1000 + Math.floor(nanos / 1e6)
}

const SECONDS = /^(-?)(\d{1,12})(?:\.(\d{1,30}))?$/

/** A time such as "1700000000.25" or "-86400", in seconds since 1970. Undefined for anything else, and outside the years 0 to 9999. */
export function parseSeconds(text: string): bigint | undefined {
  const [, sign, seconds, fraction = ''] = SECONDS.exec(text) ?? []
  if (seconds === undefined) return undefined
  const distance = BigInt(seconds) * SECOND + BigInt(fraction.padEnd(9, '0').slice(0, 9))
  const time = sign === '-' ? -distance : distance
  return time === writableTime(time) ? time : undefined
}

/** The reverse of `parseSeconds`, with all nine decimals. */
export function secondsText(time: bigint): string {
  const distance = time < 0n ? -time : time
  return `${time < 0n ? '-' : ''}${distance / SECOND}.${String(distance % SECOND).padStart(9, '0')}`
}

/** Disks may keep times in steps of up to two seconds (FAT). */
const LONGEST_STEP = 2n * SECOND

/** Whether a file has the time that was set, or as much of it as its disk keeps. */
export function isTimeHeld(wanted: bigint, held: bigint): boolean {
  const difference = wanted - held
  return difference < LONGEST_STEP && difference > -LONGEST_STEP
}

const SECONDS_A_DAY = 86_400

/** RFC 3339 in UTC, with nanoseconds without trailing zeros. Caches the last day, because few days occur in a folder. */
export function createTimeFormat(): (time: bigint) => string {
  const format = createPartsFormat()
  return (time) => {
    const { seconds, nanos } = partsOfTime(time)
    return format(seconds, nanos)
  }
}

/** The same for times as `partsOfTime` gives them. */
export function createPartsFormat(): (seconds: number, nanos: number) => string {
  let day = NaN
  let dayText = ''
  return (seconds, nanos) => {
    if (seconds < FIRST_SECOND) [seconds, nanos] = [FIRST_SECOND, 0]
    if (seconds > LAST_SECOND) [seconds, nanos] = [LAST_SECOND, 999_999_999]
    const itsDay = Math.floor(seconds / SECONDS_A_DAY)
    if (itsDay !== day) {
      day = itsDay
      dayText = new Date(day * SECONDS_A_DAY * 1000).toISOString().slice(0, -'00:00:00.000Z'.length)
    }
    const rest = seconds - day * SECONDS_A_DAY
    const clock = `${two(Math.floor(rest / 3600))}:${two(Math.floor(rest / 60) % 60)}:${two(rest % 60)}`
    return `${dayText}${clock}${nanos === 0 ? '' : fractionText(nanos)}Z`
  }
}

function two(number: number): string {
  return number < 10 ? `0${number}` : String(number)
}

function fractionText(nanos: number): string {
  const digits = String(nanos + 1_000_000_000).slice(1)
  return digits.endsWith('0') ? `.${digits.replace(/0+$/, '')}` : `.${digits}`
}
