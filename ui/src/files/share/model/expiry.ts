export type Expiry = 'never' | 'expired' | 'soon' | 'today' | 'later'

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
