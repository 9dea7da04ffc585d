import type { Actor } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import type { ReservedSlug } from '../../domain/access/share.ts'
import type { Clock } from '../../platform/clock.ts'
import type { StoreDocument } from '../../store/document.ts'
import { isUntouched } from '../../store/json/drafts.ts'
import type { Store } from '../../store/store.ts'
import { managesAll } from './share-records.ts'

/** Seconds for which the address of an ended link is kept for its former owner. */
const RESERVED = 90 * 24 * 60 * 60
const MAX_RESERVED = 10_000

/**
 * A store that reserves the address of each link that a change takes away, for whatever reason. Also random addresses: visitors
 * know them, and could choose them for links of their own.
 */
export function reservingStore(store: Store<StoreDocument>, clock: Clock): Store<StoreDocument> {
  const { refresh } = store
  return {
    snapshot: () => store.snapshot(),
    onChange: (listener) => store.onChange(listener),
    ...(refresh === undefined ? {} : { refresh: async () => await refresh.call(store) }),
    update: async (change) =>
      await store.update((draft, now) => {
        const result = change(draft, now)
        if (!isUntouched(draft, 'shares')) reserveEnded(draft, now, Math.floor(clock.now() / 1000))
        return result
      }),
    [Symbol.asyncDispose]: async () => await store[Symbol.asyncDispose](),
  }
}

function reserveEnded(draft: StoreDocument, before: Readonly<StoreDocument>, now: number): void {
  const present = new Set(draft.shares.map(({ hash }) => hash))
  const ended = before.shares.filter(({ hash }) => !present.has(hash))
  const until = now + RESERVED
  const fresh = ended.map(({ hash, userID }): ReservedSlug => ({ slug: hash, userID, until }))
  // With those of the document before, which a restored backup does not have.
  const all = [...draft.reservedSlugs, ...before.reservedSlugs, ...fresh]
  const bySlug = new Map(all.map((reserved) => [reserved.slug, reserved]))
  const valid = [...bySlug.values()].filter((reserved) => reserved.until > now && !present.has(reserved.slug))
  draft.reservedSlugs = valid.toSorted((a, b) => a.until - b.until).slice(-MAX_RESERVED)
}

/**
 * The attack: to take the address of a link that has ended, and receive its visitors. The message does not say who had it.
 *
 * @throws CONFLICT unless the actor manages all links, or had the address before
 */
export function requireUnreserved(actor: Actor, slug: string, document: Readonly<StoreDocument>, clock: Clock): void {
  const reserved = document.reservedSlugs.find((other) => other.slug === slug)
  if (reserved === undefined || reserved.until * 1000 <= clock.now()) return
  if (managesAll(actor, document) || (actor.kind === 'user' && actor.id === reserved.userID)) return
  fail('CONFLICT', 'this address was used by another link lately; choose another one', { field: 'slug' })
}
