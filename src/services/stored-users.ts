import type { Accounts } from '../domain/accounts/actor.ts'
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

  /** The account as it is stored now. @param at a newer document than the snapshot */
  find(id: UserId, at?: Accounts): User | undefined {
    const { users } = this.#store.snapshot()
    if (at !== undefined && at.users !== users) return at.users.find((user) => user.id === id)
    if (users !== this.#users) {
      this.#users = users
      this.#byId = new Map(users.map((user) => [user.id, user]))
    }
    return this.#byId.get(id)
  }
}

/** @throws NOT_FOUND */
export function requireUser(document: Readonly<StoreDocument>, id: UserId): User {
  return document.users.find((user) => user.id === id) ?? fail('NOT_FOUND', 'there is no such user')
}

/**
 * Replaces or removes an account in the draft.
 *
 * @param now the document from which the draft was made
 * @throws FORBIDDEN if no administrator would remain
 */
export function replaceUser(
  draft: StoreDocument,
  { users }: Readonly<StoreDocument>,
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
}
