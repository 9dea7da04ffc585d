import type { Actor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import type { StoreDocument } from '../../store/document.ts'
import { managesAll } from './share-records.ts'

/**
 * The attack: to take the address of a link that has ended, and receive its visitors. The message does not say who had it.
 *
 * @param time in milliseconds since 1970
 * @throws CONFLICT unless the actor manages all links, or had the address before
 */
export function requireUnreserved(actor: Actor, slug: string, document: Readonly<StoreDocument>, time: number): void {
  const reserved = document.reservedSlugs.find((other) => other.slug === slug)
  if (reserved === undefined || reserved.until * 1000 <= time) return
  if (managesAll(actor, document) || (actor.kind === 'user' && actor.id === reserved.userID)) return
  fail('CONFLICT', 'this address was used by another link lately; choose another one', {
    field: 'slug',
    reason: 'addressTaken',
    explained: true,
  })
}
