import type { ShareDuration } from '../../../../src/domain/access/share.ts'

export type DurationUnit = 'seconds' | 'minutes' | 'hours' | 'days'

/** When a link ends: after a duration, or at a date. */
export type Ending =
  | { readonly kind: 'after'; readonly amount: string; readonly unit: DurationUnit }
  | { readonly kind: 'at'; readonly date: Date | undefined }

export type EndingProblem = 'amount' | 'noDate' | 'past'

export const UNITS: readonly DurationUnit[] = ['seconds', 'minutes', 'hours', 'days']

/** The largest number that the server accepts, in any unit. */
export const MOST = 2_147_483_647

/** The end of the year 9999, in unix seconds: the latest end that the server accepts. */
const LATEST = 253_402_300_799

const SECONDS: Readonly<Record<DurationUnit, number>> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 }

export const NEVER: Ending = { kind: 'after', amount: '0', unit: 'days' }

/** An empty field is an error: it could be meant as "never", as old clients do. */
export function checkEnding(ending: Ending, now: Date): EndingProblem | undefined {
  if (ending.kind === 'at') {
    if (ending.date === undefined) return 'noDate'
    return ending.date <= now ? 'past' : undefined
  }
  const amount = ending.amount.trim()
  return /^\d{1,10}$/.test(amount) && Number(amount) <= MOST ? undefined : 'amount'
}

/** In unix seconds, 0 = never. Only for valid input. */
export function endOf(ending: Ending, now: Date): number {
  const seconds = Math.floor(now.getTime() / 1000)
  if (ending.kind === 'at') return Math.ceil((ending.date ?? now).getTime() / 1000)
  const amount = Number(ending.amount)
  return amount === 0 ? 0 : Math.min(LATEST, seconds + amount * SECONDS[ending.unit])
}

/** As sent to the server: a duration from the moment when it reads it. Only for valid input. */
export function toDuration(ending: Ending, now: Date): Required<ShareDuration> {
  if (ending.kind === 'after') return { expires: String(Number(ending.amount)), unit: ending.unit }
  const seconds = Math.ceil(((ending.date ?? now).getTime() - now.getTime()) / 1000)
  // The finest unit whose number the server takes: seconds for the next 68 years.
  const unit = UNITS.find((each) => seconds <= MOST * SECONDS[each]) ?? 'days'
  return { expires: String(Math.ceil(seconds / SECONDS[unit])), unit }
}

/** The end of an existing link, for the form. @param expire unix seconds, 0 = never */
export function endingOf(expire: number): Ending {
  return expire === 0 ? NEVER : { kind: 'at', date: new Date(expire * 1000) }
}

export function isSameEnding(one: Ending, other: Ending): boolean {
  if (one.kind === 'at' && other.kind === 'at') return one.date?.getTime() === other.date?.getTime()
  if (one.kind !== 'after' || other.kind !== 'after') return false
  const [amount, otherAmount] = [Number(one.amount), Number(other.amount)]
  return amount === otherAmount && (amount === 0 || one.unit === other.unit)
}

type Expiry = 'never' | 'expired' | 'soon' | 'today' | 'later'

const HOUR = 3600
const DAY = 24 * HOUR

/** How near the end of a link is: within the hour, within a day, later. @param expire unix seconds, 0 = never */
export function expiryOf(expire: number, now: Date): Expiry {
  if (expire === 0) return 'never'
  const left = expire - now.getTime() / 1000
  if (left <= 0) return 'expired'
  if (left <= HOUR) return 'soon'
  return left <= DAY ? 'today' : 'later'
}

/** Permanent ones first, then by their end. */
export function byExpiry(one: { readonly expire: number }, other: { readonly expire: number }): number {
  return one.expire - other.expire
}

const KEY = 'filemgr:share-duration'

const USUAL: Ending = { kind: 'after', amount: '7', unit: 'days' }

/** The duration of the last link made in this browser. Dates are not kept, since they pass. */
export function lastEnding(storage: Pick<Storage, 'getItem'>): Ending {
  const [amount = '', unit = ''] = (storage.getItem(KEY) ?? '').split(' ')
  const ending: Ending = { kind: 'after', amount, unit: unit as DurationUnit }
  const known = UNITS.some((each) => each === unit)
  return known && checkEnding(ending, new Date()) === undefined ? ending : USUAL
}

export function keepEnding(storage: Pick<Storage, 'setItem'>, ending: Ending): void {
  if (ending.kind === 'after') storage.setItem(KEY, `${Number(ending.amount)} ${ending.unit}`)
}
