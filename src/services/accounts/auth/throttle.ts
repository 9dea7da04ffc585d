import { isIPv4, isIPv6 } from 'node:net'
import { fail } from '../../../domain/errors.ts'
import type { SessionFamily, ShareHash } from '../../../domain/ids.ts'
import type { Clock } from '../../../platform/clock.ts'
import { createFailureBuckets, type Limit } from './failure-buckets.ts'

const FREE_BY_ACCOUNT = 5
const FREE_BY_ADDRESS = 30
const FREE_BY_LINK = 10
const FREE_TOKENS = 30
/** How long (ms) failures of others do not delay a user at an address where the user has signed in. */
const KNOWN_ADDRESS_TTL = 24 * 60 * 60_000
const MAX_KNOWN = 10_000

/** Who tries which secret. */
export type Try =
  | { readonly account: string; readonly address: string }
  /** The secret identifies the account. */
  | { readonly address: string }
  /** Attempts made with a stolen token must not lock out the user. */
  | { readonly session: SessionFamily }
  | { readonly link: ShareHash; readonly address: string }
  /** The address that sends API tokens. */
  | { readonly tokenFrom: string }

/** Rate-limits guessing of secrets: by account, and by address against attempts on many accounts. */
export interface Throttle {
  /**
   * Runs an attempt. `check` returns undefined for a wrong secret; if it throws, the attempt does not count. A success resets the
   * failures of the account, but not of the address, from which other accounts may be under attack.
   *
   * @throws RATE_LIMITED with the seconds to wait, without running the check
   */
  attempt<T>(who: Try, check: () => Promise<T | undefined>): Promise<T | undefined>
}

export function createThrottle({ clock }: { readonly clock: Clock }): Throttle {
  const buckets = createFailureBuckets({ clock })
  /** Time of the last success, by account and address. */
  const known = new Map<string, number>()

  const isKnown = (pair: string): boolean => {
    const age = clock.now() - (known.get(pair) ?? -Infinity)
    return age >= 0 && age < KNOWN_ADDRESS_TTL
  }

  const remember = (pair: string): void => {
    known.delete(pair)
    known.set(pair, clock.now())
    const oldest = known.size > MAX_KNOWN ? known.keys().next().value : undefined
    if (oldest !== undefined) known.delete(oldest)
  }

  const limitsOf = (who: Try): Limit[] => {
    if ('session' in who) return [{ key: keyOf('session', who.session), free: FREE_BY_ACCOUNT, isLifted: true }]
    if ('tokenFrom' in who) return [{ key: keyOf('token', addressKey(who.tokenFrom)), free: FREE_TOKENS }]
    const client = addressKey(who.address)
    if ('link' in who) return [{ key: keyOf('link', who.link, client), free: FREE_BY_LINK, isLifted: true }]
    const byAddress = { key: keyOf('address', client), free: FREE_BY_ADDRESS }
    if (!('account' in who)) return [byAddress]
    const pair = isKnown(keyOf(who.account, client))
    return [byAddress, { key: keyOf('account', who.account), free: FREE_BY_ACCOUNT, isLifted: true, isKnown: pair }]
  }

  const enter = async (limits: readonly Limit[]): Promise<void> => {
    for (;;) {
      const verdicts = limits.map(buckets.judge)
      const seconds = Math.max(0, ...verdicts.filter((verdict) => typeof verdict === 'number'))
      if (seconds > 0) {
        const message = `too many wrong tries; try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
        fail('RATE_LIMITED', message, { retryAfter: seconds })
      }
      const full = limits[verdicts.indexOf('wait')]
      if (full === undefined) break
      await buckets.ended(full)
    }
    for (const limit of limits) buckets.begin(limit)
  }

  return {
    async attempt(who, check) {
      const limits = limitsOf(who)
      await enter(limits)
      let success: boolean | undefined
      try {
        const found = await check()
        success = found !== undefined
        if (success && 'account' in who) remember(keyOf(who.account, addressKey(who.address)))
        return found
      } finally {
        for (const limit of limits) buckets.end(limit, success)
      }
    },
  }
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts)
}

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** Some proxies append the port: a client must not get new attempts from each port. */
const WITH_PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/

/**
 * Identifies a client: an IPv4 address, or the /64 network of an IPv6 address, which belongs to one household. Everything else
 * counts as a single client.
 */
export function addressKey(address: string): string {
  const [, inBrackets, before] = WITH_PORT.exec(address) ?? []
  const plain = (inBrackets ?? before ?? address).split('%', 1)[0] ?? ''
  const mapped = MAPPED.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return ''
  return `${groupsOf(plain).slice(0, 4).join(':')}::/64`
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.toLowerCase().split('::', 2)
  const split = (part: string) => (part === '' ? [] : part.split(':'))
  const [before, after] = [split(head), split(tail ?? '')]
  // An IPv4 address at the end replaces two groups.
  const taken = before.length + after.length + (address.includes('.') ? 1 : 0)
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - taken }, () => '0')
  return [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ''))
}
