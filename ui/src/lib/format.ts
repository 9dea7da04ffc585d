/** Prefixes of the powers of 1024, then "i" and "B": "KiB". */
const UNIT_LETTERS = 'KMGTPiB'
/** Languages with unit symbols of their own, as in `Intl` for decimal units. */
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
  /** A fraction: 0.29 is "29%". */
  percent(value: number): string
  /** Binary units: "84.6 KiB", in French "84,6 Kio". */
  bytes(value: number): string
  /** Date and time in the browser's time zone. */
  dateTime(date: Date): string
  /** "3 minutes ago", "yesterday". */
  relativeTime(date: Date, now: Date): string
}

/**
 * Creating formatters is slow, so keep this object. In right-to-left text, sizes and dates are isolated so that their
 * numbers do not move to the other end of the line.
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

/** The largest unit with a value of at least 1; 1023.96 KiB rounds to 1 MiB. */
function unitPower(bytes: number): number {
  let power = 0
  while (power < POWERS && Math.round((bytes / 1024 ** power) * 10) / 10 >= 1024) power++
  return power
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WEEK = 7 * DAY

/** "10 minutes ago", "Yesterday", "12 Nov", "3 Mar 2021": short enough for a column. Creating one is slow: keep it. */
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

/** Calendar days, so that "yesterday" means what people expect. */
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

/** Minimum of seconds for each unit. */
const UNITS: readonly [number, number, Intl.RelativeTimeFormatUnit][] = [
  [2 * 365 * DAY, 365 * DAY, 'year'],
  [60 * DAY, 30 * DAY, 'month'],
  [2 * DAY, DAY, 'day'],
  [HOUR, HOUR, 'hour'],
  [0, MINUTE, 'minute'],
]

/** Remaining time: "in 40 minutes", "in 7 days". Creating one is slow: keep it. */
export type FormatLeft = (date: Date, now: Date) => string

/** Always in numbers, since "next week" may be any day; rounded, so that a link for seven days does not say "in 6 days" at once. */
export function createFormatLeft(locale: string): FormatLeft {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'always' })
  return (date, now) => {
    const seconds = Math.max(0, (date.getTime() - now.getTime()) / 1000)
    const [, length, unit] = UNITS.find(([from]) => seconds >= from - MINUTE / 2) ?? [0, MINUTE, 'minute']
    return format.format(Math.max(1, Math.round(seconds / length)), unit)
  }
}

/** Capitalises a server message and ends it with a period. */
export function sentence(text: string): string {
  const start = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
  return /[.!?]$/.test(start) ? start : `${start}.`
}
