import { isIPv4, isIPv6 } from 'node:net'
import { fail } from '../../../domain/errors.ts'
import type { SessionFamily, ShareHash, UserId } from '../../../domain/ids.ts'
import { counted } from '../../../domain/text/units.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { SharedFacts } from '../../../store/store.ts'
import { createFailureBuckets, type Limit } from './failure-buckets.ts'

const FREE_BY_ACCOUNT = 5
const FREE_BY_ADDRESS = 30
const FREE_BY_LINK = 10
const FREE_TOKENS = 30

/** An attempt to guess a secret: what it is for, and where it comes from. */
export type Attempt =
  | { readonly account: string; readonly address: string }
  /** Somebody whom a directory knows, beside an attempt for the name that was typed. */
  | { readonly person: string }
  /** The secret identifies the account. */
  | { readonly address: string }
  /** Attempts made with a stolen token must not lock out the user. */
  | { readonly session: SessionFamily }
  /** A code of a few digits, after the password: whoever has come so far knows it. */
  | { readonly factorOf: UserId; readonly address: string }
  /** The same by somebody who is signed in. */
  | { readonly factorOf: UserId; readonly session: SessionFamily }
  | { readonly link: ShareHash; readonly address: string }
  /** The address that sends API tokens. */
  | { readonly tokenFrom: string }

/** Rate-limits guessing of secrets: by account, and by address against attempts on many accounts. */
export function createThrottle(deps: { readonly facts: SharedFacts; readonly clock: Clock }) {
  const buckets = createFailureBuckets(deps)
  return {
    /**
     * Runs an attempt. `check` returns undefined for a wrong secret; if it throws, the attempt does not count. A success resets the
     * failures of the account, but not of the address, from which other accounts may be under attack.
     *
     * @throws RATE_LIMITED with the seconds to wait, without running the check; STORE_BUSY
     */
    async attempt<T>(attempt: Attempt, check: () => Promise<T | undefined>): Promise<T | undefined> {
      const limits = limitsOf(attempt)
      const seconds = await buckets.begin(limits)
      if (seconds > 0) {
        const message = `too many wrong tries; try again in ${counted(seconds, 'second')}`
        fail('RATE_LIMITED', message, { retryAfter: seconds })
      }
      let success: boolean | undefined
      try {
        const found = await check()
        success = found !== undefined
        return found
      } finally {
        await buckets.end(limits, success)
      }
    },
  }
}

export type Throttle = ReturnType<typeof createThrottle>

function limitsOf(attempt: Attempt): Limit[] {
  if ('factorOf' in attempt) return factorLimits(attempt)
  if ('session' in attempt) return [{ key: keyOf('session', attempt.session), free: FREE_BY_ACCOUNT, isLifted: true }]
  if ('person' in attempt) return [{ key: keyOf('person', attempt.person), free: FREE_BY_ACCOUNT, isLifted: true }]
  if ('tokenFrom' in attempt) return [{ key: keyOf('token', addressKey(attempt.tokenFrom)), free: FREE_TOKENS }]
  const client = addressKey(attempt.address)
  if ('link' in attempt) return [{ key: keyOf('link', attempt.link, client), free: FREE_BY_LINK, isLifted: true }]
  const byAddress = { key: keyOf('address', client), free: FREE_BY_ADDRESS }
  if (!('account' in attempt)) return [byAddress]
  const knownBy = keyOf('known', attempt.account, client)
  return [byAddress, { key: keyOf('account', attempt.account), free: FREE_BY_ACCOUNT, isLifted: true, knownBy }]
}

/**
 * Not lifted for an address that has succeeded before, unlike those of passwords: behind a proxy that hides the addresses of its
 * clients, somebody who knows the password could try all codes.
 */
function factorLimits(attempt: Extract<Attempt, { readonly factorOf: UserId }>): Limit[] {
  const slow = { free: FREE_BY_ACCOUNT, isLifted: true, isSlow: true }
  if ('session' in attempt) return [{ key: keyOf('factor', attempt.session), ...slow }]
  const byAddress = { key: keyOf('address', addressKey(attempt.address)), free: FREE_BY_ADDRESS }
  return [byAddress, { key: keyOf('factor', String(attempt.factorOf)), ...slow }]
}

function keyOf(kind: string, ...parts: readonly string[]): string {
  return `${kind}/${JSON.stringify(parts)}`
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
