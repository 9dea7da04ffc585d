import { createHash } from 'node:crypto'
import type { UserId } from '../../../domain/ids.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Random } from '../../../platform/security/random.ts'

const LIFETIME = 15 * 60_000

/** One-time codes for the first start, kept in memory by the daemon that prints them. */
export interface SignInCodes {
  issue(userId: UserId): string
  /** The user of a valid code, which is then used up. */
  redeem(code: string): UserId | undefined
  /** Invalidates all codes: an administrator has signed in, so they are no longer needed. */
  clear(): void
}

export function createSignInCodes({ clock, random }: { readonly clock: Clock; readonly random: Random }): SignInCodes {
  /** Keyed by digest, so that the time of a lookup reveals nothing about a code. */
  const codes = new Map<string, { readonly userId: UserId; readonly issuedAt: number }>()
  const digestOf = (code: string) => createHash('sha256').update(code).digest('base64')

  return {
    issue(userId) {
      const code = random.token(24)
      codes.set(digestOf(code), { userId, issuedAt: clock.now() })
      return code
    },

    redeem(code) {
      const digest = digestOf(code)
      const found = codes.get(digest)
      codes.delete(digest)
      if (found === undefined) return undefined
      const age = clock.now() - found.issuedAt
      return age >= 0 && age < LIFETIME ? found.userId : undefined
    },

    clear: () => codes.clear(),
  }
}
