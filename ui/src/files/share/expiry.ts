import type { ShareDuration } from '../../../../src/domain/shares/share.ts'

export type DurationUnit = 'seconds' | 'minutes' | 'hours' | 'days'

/** When a link expires: after a duration, or at a date. */
export type Expiry =
  | { readonly kind: 'after'; readonly amount: string; readonly unit: DurationUnit }
  | { readonly kind: 'at'; readonly date: Date | undefined }

export type ExpiryProblem = 'amount' | 'noDate' | 'past'

export const UNITS: readonly DurationUnit[] = ['seconds', 'minutes', 'hours', 'days']

/** The largest number that the server accepts, in any unit. */
export const MAX_AMOUNT = 2_147_483_647

/** The end of the year 9999, in unix seconds: the latest expiry that the server accepts. */
const LATEST = 253_402_300_799

const SECONDS: Readonly<Record<DurationUnit, number>> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 }

export const NEVER: Expiry = { kind: 'after', amount: '0', unit: 'days' }

/** An empty field is an error: users could expect it to mean "never", as in old clients. */
export function checkExpiry(expiry: Expiry, now: Date): ExpiryProblem | undefined {
  if (expiry.kind === 'at') {
    if (expiry.date === undefined) return 'noDate'
    return expiry.date <= now ? 'past' : undefined
  }
  const amount = expiry.amount.trim()
  return /^\d{1,10}$/.test(amount) && Number(amount) <= MAX_AMOUNT ? undefined : 'amount'
}

/** In unix seconds, 0 = never. Only for valid input. */
export function expireOf(expiry: Expiry, now: Date): number {
  const seconds = Math.floor(now.getTime() / 1000)
  if (expiry.kind === 'at') return Math.ceil((expiry.date ?? now).getTime() / 1000)
  const amount = Number(expiry.amount)
  return amount === 0 ? 0 : Math.min(LATEST, seconds + amount * SECONDS[expiry.unit])
}

/** For the request: a duration that starts when the server reads it. Only for valid input. */
export function toDuration(expiry: Expiry, now: Date): Required<ShareDuration> {
  if (expiry.kind === 'after') return { expires: String(Number(expiry.amount)), unit: expiry.unit }
  const seconds = Math.ceil(((expiry.date ?? now).getTime() - now.getTime()) / 1000)
  // The smallest unit whose number the server accepts: seconds for the next 68 years.
  const unit = UNITS.find((each) => seconds <= MAX_AMOUNT * SECONDS[each]) ?? 'days'
  return { expires: String(Math.ceil(seconds / SECONDS[unit])), unit }
}

/** The expiry of an existing link, for the form. @param expire unix seconds, 0 = never */
export function expiryFrom(expire: number): Expiry {
  return expire === 0 ? NEVER : { kind: 'at', date: new Date(expire * 1000) }
}

export function isSameExpiry(one: Expiry, other: Expiry): boolean {
  if (one.kind === 'at' && other.kind === 'at') return one.date?.getTime() === other.date?.getTime()
  if (one.kind !== 'after' || other.kind !== 'after') return false
  const [amount, otherAmount] = [Number(one.amount), Number(other.amount)]
  return amount === otherAmount && (amount === 0 || one.unit === other.unit)
}

type Urgency = 'never' | 'expired' | 'soon' | 'today' | 'later'

const HOUR = 3600
const DAY = 24 * HOUR

/** How soon a link expires: within the hour, within a day, later. @param expire unix seconds, 0 = never */
export function urgencyOf(expire: number, now: Date): Urgency {
  if (expire === 0) return 'never'
  const remaining = expire - now.getTime() / 1000
  if (remaining <= 0) return 'expired'
  if (remaining <= HOUR) return 'soon'
  return remaining <= DAY ? 'today' : 'later'
}

/** Permanent links first, then by expiry. */
export function byExpiry(one: { readonly expire: number }, other: { readonly expire: number }): number {
  return one.expire - other.expire
}

const KEY = 'filemgr:share-duration'

const DEFAULT_EXPIRY: Expiry = { kind: 'after', amount: '7', unit: 'days' }

/** The duration of the last link created in this browser. Dates are not kept, since they pass. */
export function lastExpiry(storage: Pick<Storage, 'getItem'>): Expiry {
  const [amount = '', unit = ''] = (storage.getItem(KEY) ?? '').split(' ')
  const expiry: Expiry = { kind: 'after', amount, unit: unit as DurationUnit }
  const known = UNITS.some((each) => each === unit)
  return known && checkExpiry(expiry, new Date()) === undefined ? expiry : DEFAULT_EXPIRY
}

export function keepExpiry(storage: Pick<Storage, 'setItem'>, expiry: Expiry): void {
  if (expiry.kind === 'after') storage.setItem(KEY, `${Number(expiry.amount)} ${expiry.unit}`)
}
