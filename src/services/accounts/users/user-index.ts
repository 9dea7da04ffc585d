import type { Accounts } from '../../../domain/accounts/actor.ts'
import type { UserId } from '../../../domain/ids.ts'
import type { User } from '../../../domain/accounts/user.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'

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
