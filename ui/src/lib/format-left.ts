const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** From so many seconds on, a time is told in this unit. */
const UNITS: readonly [number, number, Intl.RelativeTimeFormatUnit][] = [
  [2 * 365 * DAY, 365 * DAY, 'year'],
  [60 * DAY, 30 * DAY, 'month'],
  [2 * DAY, DAY, 'day'],
  [HOUR, HOUR, 'hour'],
  [0, MINUTE, 'minute'],
]

/** How long it is until then: "in 40 minutes", "in 7 days". Making one is slow: keep it. */
export type FormatLeft = (date: Date, now: Date) => string

/** In numbers throughout, since "next week" may be any day; rounded, so that seven days do not become six at once. */
export function createFormatLeft(locale: string): FormatLeft {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'always' })
  return (date, now) => {
    const seconds = Math.max(0, (date.getTime() - now.getTime()) / 1000) + MINUTE / 2
    const [, length, unit] = UNITS.find(([from]) => seconds >= from) ?? [0, MINUTE, 'minute']
    return format.format(Math.max(1, Math.floor(seconds / length)), unit)
  }
}
