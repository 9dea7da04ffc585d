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
