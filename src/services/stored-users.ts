import type { Accounts } from '../domain/accounts/actor.ts'
import { type EffectiveUser, effectiveUser } from '../domain/accounts/effective-user.ts'
import type { Group } from '../domain/accounts/group.ts'
import type { UserId } from '../domain/ids.ts'
import type { User } from '../domain/accounts/user.ts'
import type { StoreDocument } from '../store/document.ts'
import type { Store } from '../store/store.ts'
import { fail } from '../domain/errors.ts'
import { isAdministrator } from '../domain/accounts/user.ts'

/** Finds accounts by their id in constant time, because each request does so several times. */
export class UserIndex {
  readonly #store: Store<StoreDocument>
  /** Of the list that was last seen. The store makes a new list whenever an account changes. */
  #users: readonly User[] = []
  #byId = new Map<UserId, User>()

  constructor(store: Store<StoreDocument>) {
    this.#store = store
  }

  /** The account as it is now, with what its groups give. @param at a newer document than the snapshot */
  find(id: UserId, at?: Accounts): EffectiveUser | undefined {
    const { users, groups } = this.#store.snapshot()
    if (at !== undefined && at.users !== users) return userIn(at, id)
    if (users !== this.#users) {
      this.#users = users
      this.#byId = new Map(users.map((user) => [user.id, user]))
    }
    const user = this.#byId.get(id)
    return user && effectiveUser(user, at?.groups ?? groups)
  }
}

/** The account in a document, with what its groups give: to decide, never to be saved. */
export function userIn(
  { users, groups }: { readonly users: readonly User[]; readonly groups: readonly Group[] },
  id: UserId,
): EffectiveUser | undefined {
  const user = users.find((each) => each.id === id)
  return user && effectiveUser(user, groups)
}

/** The account as it is stored, to be changed. @throws NOT_FOUND */
export function requireUser(document: Readonly<StoreDocument>, id: UserId): User {
  return document.users.find((user) => user.id === id) ?? fail('NOT_FOUND', 'there is no such user')
}

/**
 * Replaces an account in the draft, or removes it, also from its groups.
 *
 * @param now the document from which the draft was made
 * @throws FORBIDDEN if no administrator would remain
 */
export function replaceUser(
  draft: StoreDocument,
  { users, groups }: Readonly<StoreDocument>,
  before: User,
  after: User | undefined,
): void {
  const others = users.filter((user) => user.id !== before.id)
  const remains = after !== undefined && isAdministrator(after)
  if (isAdministrator(before) && !remains && !others.some(isAdministrator)) {
    fail('FORBIDDEN', 'this is the last administrator; make another user an administrator first', {
      reason: 'lastAdministrator',
    })
  }
  draft.users = after === undefined ? others : users.map((user) => (user.id === before.id ? after : user))
  if (after === undefined) draft.groups = withoutMembers(groups, new Set([before.id]))
}

/** The groups without these members; those that had none of them are the same objects. */
export function withoutMembers(groups: readonly Group[], gone: ReadonlySet<UserId>): Group[] {
  return groups.map((group) =>
    group.members.some((id) => gone.has(id))
      ? { ...group, members: group.members.filter((id) => !gone.has(id)) }
      : group,
  )
}
