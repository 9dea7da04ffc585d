/** The powers of 1024, then the sign for "binary" and the one for bytes: "KiB". */
const UNIT_LETTERS = 'KMGTPiB'
/** Where the signs of units are translated, as `Intl` does for decimal ones. */
const OWN_UNIT_LETTERS: Readonly<Record<string, string>> = { fr: 'KMGTPio', ru: 'КМГТПиБ', uk: 'КМГТПіБ' }
const POWERS = 5

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
  /** Binary units: "84.6 KiB", in French "84,6 Kio". */
  bytes(value: number): string
  /** Day and time in the zone of the browser. */
  dateTime(date: Date): string
  /** "3 minutes ago", "yesterday". */
  relativeTime(date: Date, now: Date): string
}

/**
 * Formatters are costly to make, so keep this object. In text from right to left, sizes and dates are isolated: their
 * numbers would else go to the other end of the line.
 */
export function createFormat(locale: string, direction: 'ltr' | 'rtl' = 'ltr'): Format {
  const alone = (text: string): string => (direction === 'rtl' ? `\u2068${text}\u2069` : text)
  const number = new Intl.NumberFormat(locale)
  const size = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const percent = new Intl.NumberFormat(locale, { style: 'percent' })
  const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const letters = OWN_UNIT_LETTERS[locale] ?? UNIT_LETTERS
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return {
    number: (value) => number.format(value),
    percent: (value) => percent.format(value),
    bytes(value) {
      const power = unitPower(value)
      const unit = power === 0 ? letters.slice(-1) : letters.charAt(power - 1) + letters.slice(POWERS)
      return alone(`${size.format(value / 1024 ** power)} ${unit}`)
    },
    dateTime: (date) => alone(dateTime.format(date)),
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
  while (power < POWERS && Math.round((bytes / 1024 ** power) * 10) / 10 >= 1024) power++
  return power
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WEEK = 7 * DAY

/** "10 minutes ago", "Yesterday", "12 Nov", "3 Mar 2021": short enough for a column. Making one is slow: keep it. */
export type FormatWhen = (date: Date, now: Date) => string

export function createFormatWhen(locale: string): FormatWhen {
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const dayOfYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' })
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  return (date, now) => {
    const seconds = (now.getTime() - date.getTime()) / 1000
    if (Number.isNaN(seconds)) return ''
    if (seconds >= WEEK || seconds < -MINUTE) return (isSameYear(date, now) ? dayOfYear : day).format(date)
    return capitalise(relative.format(...relativeParts(seconds, date, now)), locale)
  }
}

function relativeParts(seconds: number, date: Date, now: Date): [number, Intl.RelativeTimeFormatUnit] {
  if (seconds < MINUTE) return [0, 'second']
  if (seconds < HOUR) return [-Math.floor(seconds / MINUTE), 'minute']
  const nights = nightsBetween(date, now)
  return nights === 0 || seconds < DAY / 2 ? [-Math.floor(seconds / HOUR), 'hour'] : [-nights, 'day']
}

/** So that "yesterday" is what people mean by it. */
function nightsBetween(from: Date, to: Date): number {
  const midnight = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
  return Math.round((midnight(to) - midnight(from)) / 1000 / DAY)
}

function isSameYear(a: Date, b: Date): boolean {
  return a.getFullYear() === b.getFullYear()
}

function capitalise(text: string, locale: string): string {
  return text.slice(0, 1).toLocaleUpperCase(locale) + text.slice(1)
}

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

/** Words of the server, which begin small and end open, as a sentence. */
export function sentence(text: string): string {
  const start = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
  return /[.!?]$/.test(start) ? start : `${start}.`
}
