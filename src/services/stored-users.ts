import type { Accounts } from '../domain/accounts/actor.ts'
import { type EffectiveUser, effectiveUser, GroupIndex } from '../domain/accounts/effective-user.ts'
import type { Group } from '../domain/accounts/group.ts'
import type { UserId } from '../domain/ids.ts'
import { NO_ROOT } from '../domain/accounts/place.ts'
import type { VirtualPath } from '../domain/files/virtual-path.ts'
import { type Root, servedFolderOf } from '../domain/server/root.ts'
import type { User } from '../domain/accounts/user.ts'
import type { StoreDocument } from '../store/document.ts'
import type { Store } from '../store/store.ts'
import { fail } from '../domain/errors.ts'
import { isAdministrator } from '../domain/accounts/user.ts'

/** Finds accounts by their id, with what their groups give, in constant time, because each request does so several times. */
export class UserIndex {
  readonly #store: Pick<Store<StoreDocument>, 'snapshot'>
  /** Of the list that was last seen. The store makes a new list whenever an account changes. */
  #users: readonly User[] = []
  #byId = new Map<UserId, User>()
  #somePasskey: boolean | undefined
  /** By the lists, of which the store makes a new one whenever a group changes. */
  readonly #indexes = new WeakMap<readonly Group[], GroupIndex>()
  /** With the roots whose names its places have. */
  readonly #effective = new WeakMap<User, { readonly user: EffectiveUser; readonly roots: readonly Root[] }>()

  constructor(store: Pick<Store<StoreDocument>, 'snapshot'>) {
    this.#store = store
  }

  /**
   * The account as it is now: to decide, never to be saved.
   *
   * @param at a newer document than the snapshot, or an older one
   */
  find(id: UserId, at?: At): EffectiveUser | undefined {
    const { users } = this.#store.snapshot()
    const user =
      at === undefined || at.users === users ? this.#find(id, users) : at.users.find((each) => each.id === id)
    return user && this.of(user, at)
  }

  /**
   * The same object until the account, one of its groups, or a root that it may have a place in changes, because the rules of each
   * are compiled once.
   */
  of(user: User, at: Pick<At, 'groups' | 'roots'> = this.#store.snapshot()): EffectiveUser {
    const roots = at.roots ?? this.#store.snapshot().roots
    const own = this.groupsOf(user, at.groups)
    const known = this.#effective.get(user)
    if (known !== undefined && isSameList(known.user.groups, own) && hasSameNames(known, roots)) return known.user
    const made = effectiveUser(user, own, roots)
    this.#effective.set(user, { user: made, roots })
    return made
  }

  groupsOf(
    user: Pick<User, 'id' | 'identities'>,
    groups: readonly Group[] = this.#store.snapshot().groups,
  ): readonly Group[] {
    const index = this.#indexes.get(groups) ?? new GroupIndex(groups)
    this.#indexes.set(groups, index)
    return index.of(user)
  }

  /** Whether anybody has a passkey. Accounts are looked at once after each change, not for each page that asks. */
  hasPasskeys(): boolean {
    const { users } = this.#store.snapshot()
    this.#read(users)
    this.#somePasskey ??= users.some(({ factors }) => (factors?.passkeys.length ?? 0) > 0)
    return this.#somePasskey
  }

  #find(id: UserId, users: readonly User[]): User | undefined {
    this.#read(users)
    return this.#byId.get(id)
  }

  #read(users: readonly User[]): void {
    if (users === this.#users) return
    this.#users = users
    this.#byId = new Map(users.map((user) => [user.id, user]))
    this.#somePasskey = undefined
  }
}

type At = Pick<Accounts, 'users' | 'groups'> & Partial<Pick<StoreDocument, 'roots'>>

/** Whether its places have the same names with these roots. An account that has only its own folder needs none. */
function hasSameNames(
  known: { readonly user: EffectiveUser; readonly roots: readonly Root[] },
  roots: readonly Root[],
) {
  const { user } = known
  const isGiven = user.stored.places.length > 0 || user.groups.some(({ places }) => places.length > 0)
  return known.roots === roots || !isGiven
}

function isSameList(one: readonly Group[], other: readonly Group[]): boolean {
  return one === other || (one.length === other.length && one.every((group, at) => group === other[at]))
}

/** All folders that accounts see, among all served files. Made of each account and each group once. */
export function seenFolders({ users, groups }: Pick<StoreDocument, 'users' | 'groups'>): Set<VirtualPath> {
  const own = users.filter(({ root }) => root !== NO_ROOT).map(servedFolderOf)
  const given = [...users, ...groups].flatMap(({ places }) => places.map(servedFolderOf))
  return new Set([...own, ...given])
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
