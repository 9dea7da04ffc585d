import type { EffectiveUser } from '../../domain/accounts/effective-user.ts'
import type { User } from '../../domain/accounts/user.ts'
import { fail, problemIn } from '../../domain/errors.ts'
import type { GrantId, GroupId, UserId } from '../../domain/ids.ts'
import { type Grant, isGrantExpired, namesOfGrants } from '../../domain/shares/grant.ts'
import { shownPathOf } from '../../domain/shares/shared-folder.ts'
import type { VirtualPath } from '../../domain/files/virtual-path.ts'
import type { Clock } from '../../platform/clock.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { UserIndex } from '../stored-users.ts'

export interface Granted {
  readonly grant: Grant
  readonly owner: EffectiveUser
}

/** The grants that reach a user. */
export class GrantIndex {
  readonly #store: Store<StoreDocument>
  readonly #users: UserIndex
  readonly #clock: Pick<Clock, 'now'>
  /** Of the list that was last seen. The store makes a new list whenever a grant changes. */
  #grants: readonly Grant[] = []
  #byId = new Map<GrantId, Grant>()
  /** The names of what reaches each user, for each version of the document. They contain the names of owners. */
  readonly #names = new WeakMap<Readonly<StoreDocument>, Map<UserId, Map<string, Grant>>>()

  constructor(store: Store<StoreDocument>, users: UserIndex, clock: Pick<Clock, 'now'>) {
    this.#store = store
    this.#users = users
    this.#clock = clock
  }

  /** @throws NOT_FOUND alike for grants of others, for those that have ended, and for those that never were */
  find(id: GrantId, recipient: UserId): Granted {
    const grant = this.#all().get(id)
    const owner = grant && this.#ownerOf(grant)
    const user = this.#users.find(recipient)
    if (grant === undefined || owner === undefined || user === undefined) return failNotShared()
    if (!isRecipient(this.#store.snapshot(), grant, user)) failNotShared()
    if (isGrantExpired(grant, this.#clock.now())) failNotShared()
    return { grant, owner }
  }

  /** @throws as `find` */
  named(name: string, recipient: UserId): Granted {
    const grant = this.#namesOf(recipient).get(name) ?? failNotShared()
    return this.find(grant.id, recipient)
  }

  /** Where a grant is among the files of a recipient. @throws NOT_FOUND */
  shownPath({ id }: Pick<Grant, 'id'>, recipient: UserId): VirtualPath {
    for (const [name, grant] of this.#namesOf(recipient)) if (grant.id === id) return shownPathOf(name)
    return failNotShared()
  }

  /** In the order in which they were made. */
  of(recipient: UserId): (Granted & { readonly name: string })[] {
    return [...this.#namesOf(recipient)].flatMap(([name, { id }]) => {
      let granted: Granted | undefined
      const problem = problemIn(() => (granted = this.find(id, recipient)))
      return granted === undefined || problem !== undefined ? [] : [{ ...granted, name }]
    })
  }

  #all(): ReadonlyMap<GrantId, Grant> {
    const { grants } = this.#store.snapshot()
    if (grants !== this.#grants) {
      this.#grants = grants
      this.#byId = new Map(grants.map((grant) => [grant.id, grant]))
    }
    return this.#byId
  }

  /** With those that have expired: a name must not pass to another grant while somebody may still be at it. */
  #namesOf(recipient: UserId): Map<string, Grant> {
    const document = this.#store.snapshot()
    const ofUsers = this.#names.get(document) ?? new Map<UserId, Map<string, Grant>>()
    this.#names.set(document, ofUsers)
    const known = ofUsers.get(recipient)
    if (known !== undefined) return known
    const user = this.#users.find(recipient)
    const reaching = document.grants.filter(
      (grant) => user && isRecipient(document, grant, user) && this.#ownerOf(grant) !== undefined,
    )
    const names = namesOfGrants(reaching, (grant) => this.#ownerOf(grant)?.username ?? '')
    ofUsers.set(recipient, names)
    return names
  }

  #ownerOf({ owner }: Grant): EffectiveUser | undefined {
    const user = this.#users.find(owner)
    return user?.disabled === true ? undefined : user
  }
}

/** The only place that says with whom something is shared. Nobody receives what is their own. */
export function isRecipient(
  { groups }: Pick<StoreDocument, 'groups'>,
  { owner, to, left = [] }: Grant,
  user: Pick<User, 'id' | 'identities'>,
): boolean {
  if (owner === user.id || left.includes(user.id)) return false
  return 'user' in to ? to.user === user.id : isMemberOf(user, to.group, groups)
}

/** Whether an account is in a group: chosen, or by a provider. */
export function isMemberOf(
  { id, identities = [] }: Pick<User, 'id' | 'identities'>,
  group: GroupId,
  groups: StoreDocument['groups'],
): boolean {
  const found = groups.find((each) => each.id === group)
  return found !== undefined && (found.members.includes(id) || identities.some((one) => one.groups.includes(group)))
}

function failNotShared(): never {
  return fail('NOT_FOUND', 'this is not shared with you, or no longer')
}
