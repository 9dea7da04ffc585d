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
