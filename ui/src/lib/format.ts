const BINARY_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

const SPANS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

export interface Format {
  number(value: number): string
  /** A part of one: 0.29 is "29%". */
  percent(value: number): string
  /** Binary units: "84.6 KiB". */
  bytes(value: number): string
  /** Day and time in the zone of the browser. */
  dateTime(date: Date): string
  /** "3 minutes ago", "yesterday". */
  relativeTime(date: Date, now: Date): string
}

/** Formatters are costly to make, so keep this object. */
export function createFormat(locale: string): Format {
  const number = new Intl.NumberFormat(locale)
  const size = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent' })
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return {
    number: (value) => number.format(value),
    percent: (value) => percent.format(value),
    bytes(value) {
      const power = unitPower(value)
      return `${size.format(value / 1024 ** power)} ${BINARY_UNITS[power]}`
    },
    dateTime: (date) => dateTime.format(date),
    relativeTime(date, now) {
      const seconds = (date.getTime() - now.getTime()) / 1000
      const [unit, length] = SPANS.find(([, span]) => Math.abs(seconds) >= span) ?? ['second', 1]
      return relative.format(Math.trunc(seconds / length), unit)
    },
  }
}

/** The largest unit that leaves a number of 1 or more; 1023.96 KiB is already 1 MiB once it is rounded. */
function unitPower(bytes: number): number {
  let power = 0
  while (power < BINARY_UNITS.length - 1 && Math.round((bytes / 1024 ** power) * 10) / 10 >= 1024) power++
  return power
}
