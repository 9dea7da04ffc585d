import { type Actor, requireAdmin } from '../../../domain/accounts/actor.ts'
import type { Group } from '../../../domain/accounts/group.ts'
import { type GivenPlace, isPlace, MAX_PLACES, placeOf, type PlaceRef } from '../../../domain/accounts/place.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { PatternCompiler } from '../../../domain/access/rule-check.ts'
import { fail } from '../../../domain/errors.ts'
import type { GroupId, UserId } from '../../../domain/ids.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import { requireKnownPlaces } from '../../stored-roots.ts'
import { replaceUser, requireUser } from '../../stored-users.ts'
import { usablePlaces } from '../../accounts/usable-places.ts'

/** Whose place it is. */
export type PlaceHolder = { readonly userId: UserId } | { readonly groupId: GroupId }

/** What is said of a place; the rest stays as it is, or is empty. */
export interface PlaceChange extends PlaceRef {
  readonly name?: string | undefined
  /** "account" for those of the account. */
  readonly permissions?: GivenPlace['permissions'] | 'account'
}

export interface GivenPlacesDeps {
  readonly store: Store<StoreDocument>
  readonly compile: PatternCompiler
  readonly clock: Clock
}

/**
 * Changes single places of the current lists, so that concurrent changes do not overwrite each other. All functions throw
 * FORBIDDEN, and NOT_FOUND for an unknown user or group.
 */
export function createGivenPlaces({ store, compile, clock }: GivenPlacesDeps) {
  const change = async (
    actor: Actor,
    holder: PlaceHolder,
    alter: (places: readonly GivenPlace[]) => GivenPlace[],
  ): Promise<GivenPlace[]> =>
    await store.update((draft, now) => {
      requireAdmin(actor, 'users.manage', now)
      const before = 'userId' in holder ? requireUser(now, holder.userId) : requireGroup(now, holder.groupId)
      const places = usablePlaces(alter(before.places), compile)
      requireKnownPlaces(now, places)
      if ('userId' in holder) {
        const user = before as User
        replaceUser(draft, now, user, { ...user, places, updatedAt: clock.now() })
      } else draft.groups = now.groups.map((each) => (each === before ? { ...each, places } : each))
      return places
    })

  return {
    /** Adds a place, or changes the one that is in the same folder. @returns the whole list. @throws INVALID_INPUT, CONFLICT */
    give: async (actor: Actor, holder: PlaceHolder, { root, folder = '/', ...said }: PlaceChange) =>
      await change(actor, holder, (places) => {
        const known = places.find((place) => isPlace(place, { root, folder }))
        if (known === undefined && places.length >= MAX_PLACES)
          fail('CONFLICT', `there can be at most ${MAX_PLACES} places`, { reason: 'maximum' })
        const place = changed(known ?? { root, scope: folder, name: '', rules: [], permissionRules: [] }, said)
        return known === undefined ? [...places, place] : places.map((each) => (each === known ? place : each))
      }),

    /** No file is deleted. @returns the whole list. @throws NOT_FOUND for a place that is not given; INVALID_INPUT */
    take: async (actor: Actor, holder: PlaceHolder, ref: PlaceRef) =>
      await change(actor, holder, (places) => {
        const gone = placeOf(places, ref)
        return places.filter((place) => place !== gone)
      }),
  }
}

function changed(
  place: GivenPlace,
  { name = place.name, permissions }: Pick<PlaceChange, 'name' | 'permissions'>,
): GivenPlace {
  const { permissions: before, ...others } = place
  const after = permissions === 'account' ? undefined : (permissions ?? before)
  return { ...others, name, ...(after !== undefined && { permissions: after }) }
}

function requireGroup({ groups }: Readonly<StoreDocument>, id: GroupId): Group {
  return groups.find((group) => group.id === id) ?? fail('NOT_FOUND', 'there is no such group')
}
