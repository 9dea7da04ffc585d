import { type EffectiveUser, userIn } from '../../domain/accounts/effective-user.ts'
import { fail } from '../../domain/errors.ts'
import type { VirtualPath } from '../../domain/files/virtual-path.ts'

/** Accounts as they are in their places: one object for each version of an account and place, because its rules are compiled once. */
export class UsersInPlaces {
  readonly #known = new WeakMap<EffectiveUser, Map<VirtualPath, EffectiveUser>>()

  /** @param folder among all served files. @returns undefined if the account does not see it */
  of(user: EffectiveUser, folder: VirtualPath): EffectiveUser | undefined {
    const place = user.allPlaces.at(folder)
    if (place === undefined) return undefined
    const ofUser = this.#known.get(user) ?? new Map<VirtualPath, EffectiveUser>()
    this.#known.set(user, ofUser)
    const known = ofUser.get(folder) ?? userIn(user, place)
    ofUser.set(folder, known)
    return known
  }

  /** @throws FORBIDDEN if the account does not see the folder, or no longer */
  in(user: EffectiveUser, folder: VirtualPath): EffectiveUser {
    return this.of(user, folder) ?? fail('FORBIDDEN', 'the folder of this account has changed meanwhile; try again')
  }
}
