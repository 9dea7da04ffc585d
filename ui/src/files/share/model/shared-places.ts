import type { UserId } from '../../../../../src/domain/ids.ts'
import type { ShareView } from '../../../../../src/domain/share.ts'
import { filesHref } from '../../../lib/app-path.ts'

/** Whether the link alone opens it, or a password as well. */
export type SharedAccess = 'open' | 'password'

/** By the address in the app. */
export type SharedPlaces = ReadonlyMap<string, SharedAccess>

/** Where the user's own links lead. Those of other users are left out: their paths start at another scope. */
export function placesOf(shares: readonly ShareView[], owner: UserId): SharedPlaces {
  const places = new Map<string, SharedAccess>()
  for (const { userID, path, hasPassword } of shares) {
    if (userID !== owner) continue
    const file = path.replace(/\/$/, '')
    // The command line shares folders without the slash at their end.
    for (const href of [filesHref(file), filesHref(`${file}/`)]) {
      if (!hasPassword) places.set(href, 'open')
      else if (!places.has(href)) places.set(href, 'password')
    }
  }
  return places
}
