import { fail } from '../domain/errors.ts'
import { parseDuration } from '../domain/text/units.ts'

/**
 * Reads a duration from now, or a date, in local time unless it has a zone.
 *
 * @param direction whether a duration leads back or ahead
 * @returns ISO 8601, UTC
 * @throws INVALID_INPUT naming the flag
 */
export function timeFrom(text: string, flag: string, direction: -1 | 1): string {
  const duration = parseDuration(text)
  // Date.parse would take "10 days" for a day in 2001.
  const [, date = '', clock = 'T00:00'] = /^(\d{4}-\d\d-\d\d)([T ].*)?$/.exec(text) ?? []
  const time = new Date(duration === undefined ? Date.parse(date + clock) : Date.now() + direction * duration)
  if (Number.isNaN(time.getTime())) {
    fail('INVALID_INPUT', `${flag} takes a duration such as 2h, or a time such as 2026-11-24T08:00, not "${text}"`, {
      field: flag.slice(2),
    })
  }
  return time.toISOString()
}
