import { fail } from './errors.ts'
import type { Share, ShareDuration } from './share.ts'

const MOST = 2_147_483_647
/** The end of the year 9999: what comes later cannot be written as a date. */
const LATEST = 253_402_300_799

const SECONDS = new Map([
  ['seconds', 1],
  ['minutes', 60],
  ['hours', 3600],
  ['days', 86_400],
  // As old clients know it.
  ['', 3600],
])

/**
 * When a share ends that lasts this long, in unix seconds; 0 = never.
 *
 * @param now milliseconds since 1970
 * @throws INVALID_INPUT for what is no whole number from 0 to 2147483647, and for an unknown unit
 */
export function expiryOf({ expires = '', unit = 'hours' }: ShareDuration, now: number): number {
  if (expires === '') return 0
  const amount = /^\d{1,10}$/.test(expires) ? Number(expires) : Infinity
  if (amount > MOST) {
    fail('INVALID_INPUT', `expires must be a whole number from 0 to ${MOST}, or empty`, { field: 'expires' })
  }
  const unitSeconds = SECONDS.get(unit)
  if (unitSeconds === undefined)
    fail('INVALID_INPUT', 'unit must be seconds, minutes, hours or days', { field: 'unit' })
  return amount === 0 ? 0 : Math.min(LATEST, Math.floor(now / 1000) + amount * unitSeconds)
}

/** The end of a share that lasts for so many milliseconds and no less, in whole unix seconds; 0 = never. */
export function expiryAfter(milliseconds: number, now: number): number {
  return milliseconds === 0 ? 0 : Math.min(LATEST, Math.ceil((now + milliseconds) / 1000))
}

/** @param now milliseconds since 1970 */
export function isExpired({ expire }: Pick<Share, 'expire'>, now: number): boolean {
  return expire !== 0 && expire * 1000 <= now
}
