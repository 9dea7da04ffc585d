import type { Grant } from '../domain/shares/grant.ts'
import type { ReservedSlug, Share } from '../domain/shares/share.ts'
import { isLikeRandom } from '../domain/shares/share-terms.ts'
import { changedSpan } from '../platform/changed-span.ts'
import type { StoreDocument } from '../store/document.ts'

/**
 * What is shared inside by accounts that exist with accounts and groups that exist. Every write that takes accounts or groups away
 * calls it.
 */
export function wholeGrants(
  { users, groups }: Readonly<Pick<StoreDocument, 'users' | 'groups'>>,
  grants: readonly Grant[],
): Grant[] {
  const [accounts, named] = [new Set(users.map(({ id }) => id)), new Set(groups.map(({ id }) => id))]
  return grants.filter(
    ({ owner, to }) => accounts.has(owner) && ('user' in to ? accounts.has(to.user) : named.has(to.group)),
  )
}

/** Milliseconds for which the address of an ended link is kept for its former owner. */
const RESERVED = 90 * 24 * 60 * 60 * 1000

const MAX_RESERVED = 10_000

/**
 * Leaves only these links, and reserves the chosen addresses of those that end. Every write that takes links away calls it.
 *
 * @param before the document from which the draft was made
 * @param time in milliseconds since 1970
 */
export function keepShares(
  draft: StoreDocument,
  kept: Share[],
  before: Readonly<Pick<StoreDocument, 'shares' | 'reservedSlugs'>>,
  time: number,
): void {
  const { start, end } = changedSpan(before.shares, kept)
  const present = new Set(kept.slice(start, kept.length - end).map(({ hash }) => hash))
  const ended = before.shares
    .slice(start, before.shares.length - end)
    .filter(({ hash }) => !present.has(hash) && !isLikeRandom(hash))
  const until = Math.floor((time + RESERVED) / 1000)
  const fresh = ended.map(({ hash, userID }): ReservedSlug => ({ slug: hash, userID, until }))
  draft.shares = kept
  if (fresh.length === 0) return
  const bySlug = new Map<string, ReservedSlug>(
    [...before.reservedSlugs, ...fresh].map((reserved) => [reserved.slug, reserved]),
  )
  for (const { hash } of kept) bySlug.delete(hash)
  const valid = [...bySlug.values()].filter((reserved) => reserved.until * 1000 > time)
  draft.reservedSlugs = valid.toSorted((a, b) => a.until - b.until).slice(-MAX_RESERVED)
}
