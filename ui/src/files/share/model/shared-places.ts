import type { UserId } from '../../../../../src/domain/ids.ts'
import type { ShareView } from '../../../../../src/domain/share.ts'
import { filesHref } from '../../../lib/app-path.ts'

/** By the address in the app: whether everybody with a link gets in, or only with a password. */
export type SharedPlaces = ReadonlyMap<string, 'open' | 'password'>

/** Where one's own links lead. Those of others are left out: their paths name something else. */
export function placesOf(shares: readonly ShareView[], owner: UserId): SharedPlaces {
  const places = new Map<string, 'open' | 'password'>()
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
